// Tasten als Wörter, für die, die sie hören.
import type { enSpoken } from '../en/spoken';

export const deSpoken: typeof enSpoken = {
  ctrl: 'Steuerung',
  command: 'Command',
  windows: 'Windows',
  shift: 'Umschalt',
  alt: 'Alt',
  option: 'Option',
  enter: 'Eingabe',
  escape: 'Escape',
  tab: 'Tabulator',
  space: 'Leertaste',
  backspace: 'Rücktaste',
  delete: 'Entfernen',
  arrowup: 'Pfeil nach oben',
  arrowdown: 'Pfeil nach unten',
  arrowleft: 'Pfeil nach links',
  arrowright: 'Pfeil nach rechts',
  '.': 'Punkt',
  ',': 'Komma',
  '/': 'Schrägstrich',
  '?': 'Fragezeichen',
  '[': 'Eckige Klammer auf',
  ']': 'Eckige Klammer zu',
};
