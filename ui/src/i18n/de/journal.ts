// Die Texte um Journale, zu lange Aufgehobenes und andere Browser.
import type { enJournal } from '../en/journal';

const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const deJournal: typeof enJournal = {
  check: {
    action: 'Journal prüfen …',
    title: 'Das Journal dieser Aufgabe',
    reading: 'Es wird von der ersten bis zur letzten Zeile gelesen …',
    well: (lines, size) => `Alles in Ordnung: ${plural(lines, 'Zeile', 'Zeilen')}, ${size}.`,
    found: (n) => (n === 1 ? 'Eines stimmt daran nicht' : `${n} Dinge stimmen daran nicht`),
    line: (n) => `Zeile ${n}`,
    more: 'Es gibt mehr, als hier steht.',
    artifacts: (n) => (n === 1 ? 'Auch eine große Ausgabe wurde gelesen und verglichen.' : `Auch ${n} große Ausgaben wurden gelesen und verglichen.`),
    repair: 'Reparieren',
    plan: 'Das täte eine Reparatur; das Original bleibt daneben liegen.',
    nothing: 'Eine Reparatur änderte nichts.',
    done: (kept) => `Repariert. Das Original liegt als ${kept} daneben.`,
    doneNothing: 'Es gab nichts zu reparieren.',
  },
  kept: {
    title: 'Aufgehobenes',
    hint: 'Was länger bleibt, als die Einstellungen oben wollen, und Ausgaben, die kein Journal nennt.',
    look: 'Nachsehen, was weg kann',
    looking: 'Wird nachgesehen …',
    none: 'Nichts bleibt länger als gewollt, und nichts liegt herum.',
    what: { journal: 'Journal', artifacts: 'große Ausgaben', unreferenced: 'Ausgaben, die kein Journal nennt' },
    since: 'zuletzt benutzt',
    remove: (n, size) => `${plural(n, 'Eintrag', 'Einträge')} entfernen, ${size}`,
    removed: (n, size) => `${n === 1 ? '1 Eintrag ist' : `${n} Einträge sind`} fort: ${size} sind wieder frei.`,
  },
  pair: {
    make: 'Anderen Browser koppeln …',
    hint: 'Öffne diese Adresse dort. Sie gilt einmal.',
    until: (time) => `Gilt bis ${time}.`,
    code: 'Oder tippe dort diesen Code ein',
    copy: 'Adresse kopieren',
  },
};
