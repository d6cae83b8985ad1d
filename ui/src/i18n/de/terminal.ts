// Die Texte um Terminals auf Deutsch.
import type { Messages } from '../en';

export const deTerminal: Messages['terminal'] = {
  tab: 'Terminal',
  title: 'Terminals',
  shell: 'Neue Shell',
  agent: (harness) => `${harness} selbst öffnen`,
  agentBusy: 'Der Agent hat die Sitzung: Halte zuerst die Aufgabe an.',
  show: (name) => `${name} zeigen`,
  noFolder: 'Der Ordner dieser Box liegt nicht auf diesem Rechner.',
  close: (name) => `${name} schließen`,
  none: 'Kein Terminal ist offen',
  noneText: 'Eine Shell läuft in der Box neben dem Agenten. Sie läuft weiter, wenn diese Seite geschlossen wird.',
  screen: (name) => `Terminal ${name}`,
  reconnecting: 'Die Verbindung wird erneuert. Das Terminal läuft weiter; sein Bild kommt zurück.',
  leave: 'Umschalt+Esc verlässt das Terminal. Tab gehört dem Programm.',
  keys: 'Tasten',
  ended: (exit) => (exit.how === 'code' ? `beendet, ${exit.code}` : exit.how === 'signal' ? `beendet durch Signal ${exit.signal}` : exit.how === 'lost' ? 'verloren' : 'nicht gestartet'),
  copyPath: 'Pfad des Ordners kopieren',
  openEditor: 'Im Editor öffnen',
  openFolder: 'Ordner öffnen',
};
