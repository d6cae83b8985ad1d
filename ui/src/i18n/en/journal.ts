// The texts around journals, what is kept too long, and other browsers in English.
const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const enJournal = {
  check: {
    action: 'Check the journal…',
    title: 'The journal of this task',
    reading: 'Reading it from its first line to its last…',
    well: (lines: number, size: string) => `All is well: ${plural(lines, 'line', 'lines')}, ${size}.`,
    found: (n: number) => `${plural(n, 'thing is', 'things are')} wrong with it`,
    line: (n: number) => `line ${n}`,
    more: 'There is more than is listed.',
    artifacts: (n: number) => `${plural(n, 'large output was', 'large outputs were')} read and compared too.`,
    repair: 'Repair',
    plan: 'A repair would do this; the original is kept beside it.',
    nothing: 'A repair would change nothing.',
    done: (kept: string) => `Repaired. The original is kept as ${kept}.`,
    doneNothing: 'There was nothing to repair.',
  },
  kept: {
    title: 'What is kept',
    hint: 'What is kept longer than the settings above want, and outputs that no journal names.',
    look: 'Look for what can go',
    looking: 'Looking…',
    none: 'Nothing is kept longer than wanted, and nothing lies about.',
    what: { journal: 'journal', artifacts: 'large outputs', unreferenced: 'outputs that no journal names' },
    since: 'last used',
    remove: (n: number, size: string) => `Remove ${plural(n, 'entry', 'entries')}, ${size}`,
    removed: (n: number, size: string) => `${plural(n, 'entry is', 'entries are')} gone: ${size} are free again.`,
  },
  pair: {
    make: 'Pair another browser…',
    hint: 'Open this address there. It is good once.',
    until: (time: string) => `Good until ${time}.`,
    code: 'Or type this code there',
    copy: 'Copy the address',
  },
};
