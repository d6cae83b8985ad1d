// Finding by a few letters: how well a query fits a text, and where. Letters must come in order; starts
// of words and runs of letters count more.

export interface Fit {
  score: number;
  /** Positions of the letters that matched. */
  at: number[];
}

export function fit(query: string, text: string): Fit | undefined {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  const lower = text.toLowerCase();
  const at: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const found = bestAt(lower, letter, from);
    if (found === -1) return undefined;
    score += pointsAt(lower, found, at[at.length - 1]);
    at.push(found);
    from = found + 1;
  }
  return { score: score - text.length / 200, at };
}

/** The next place of `letter`: at the start of a word when one is near, else the first. */
function bestAt(text: string, letter: string, from: number): number {
  const next = text.indexOf(letter, from);
  if (next === -1 || next === from || startsWord(text, next)) return next;
  for (let place = next; place !== -1 && place < from + 24; place = text.indexOf(letter, place + 1)) {
    if (startsWord(text, place)) return place;
  }
  return next;
}

function startsWord(text: string, place: number): boolean {
  return place === 0 || /[\s/_.\-:]/.test(text[place - 1] ?? '');
}

function pointsAt(text: string, place: number, before: number | undefined): number {
  if (before !== undefined && place === before + 1) return 3;
  return startsWord(text, place) ? 2 : 0.5;
}
