// Texte darum, wie Aufgaben gehalten und angeordnet werden.
import type { enHome } from '../en/home';

export const deHome: typeof enHome = {
  group: { label: 'Gruppieren nach', need: 'Bedarf', repository: 'Repository', harness: 'Agent', host: 'Rechner', none: 'Kein Repository', next: 'Aufgaben anders gruppieren' },
  sort: { label: 'Sortieren nach', urgency: 'Dringlichkeit', changed: 'Letzter Änderung', age: 'Alter', cost: 'Kosten', diff: 'Umfang der Änderungen', turn: 'Reihenfolge umkehren', next: 'Aufgaben anders sortieren' },
  host: 'Rechner',
  aside: {
    action: 'Zurückstellen',
    hint: 'Zurückstellen, bis etwas Neues geschieht',
    asking: 'Zurückstellen, wo etwas gefragt wird',
    done: 'zurückgestellt',
    back: 'Wieder aufnehmen',
  },
  archive: {
    title: 'Archiv',
    action: 'Archivieren',
    all: (n: number) => `${n} erledigte archivieren`,
    done: 'im Archiv',
    back: 'Aus dem Archiv nehmen',
    leave: 'Zurück zu allen Aufgaben',
    empty: 'Das Archiv ist leer',
    emptyText: 'Erledigte Aufgaben finden hier Platz: aus dem Weg, mit allem, was in ihnen geschah.',
    failed: 'Das Archiv lässt sich nicht lesen',
    holdsAll: 'Alle Aufgaben sind im Archiv',
    refused: (n: number, of: number, why: string) => `${n} von ${of} Aufgaben bleiben, wo sie sind: ${why}`,
    since: (ago: string) => `im Archiv seit ${ago}`,
    row: 'Ins Archiv gelegt',
    rowBack: 'Aus dem Archiv genommen',
  },
  sessions: {
    line: 'Sitzungen',
    show: 'Zeigen',
    title: 'Sitzungen dieses Agenten',
    none: 'Der Agent hat noch keine Sitzung.',
    current: 'diese',
    stopFirst: 'Beende zuerst den Agenten: dann kann er mit einer anderen fortfahren.',
    goesOn: 'Der Agent fährt mit einer anderen Sitzung fort',
  },
  go: { next: 'Nächste Aufgabe', previous: 'Vorherige Aufgabe' },
};
