// Unified diffs: read into files, hunks and lines, paired for side-by-side view, with the words that
// differ marked. Takes what git prints; what it cannot read it leaves out, and never throws.

export type Side = 'same' | 'added' | 'removed';

export interface DiffLine {
  side: Side;
  text: string;
  /** Line numbers before and after, from 1. */
  old?: number;
  new?: number;
  /** Ranges of characters that differ from the line's pair. */
  marks?: [number, number][];
}

export interface Hunk {
  /** What stands behind the second `@@`: the function around it. */
  title: string;
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
}

export interface FileDiff {
  path: string;
  renamedFrom?: string;
  kind: 'changed' | 'added' | 'removed' | 'renamed';
  binary: boolean;
  hunks: Hunk[];
  added: number;
  removed: number;
}

/** Longer lines are not compared word by word. */
const WORDS_MAX = 600;
/** A line with fewer signs says too little to be found again in a longer one. */
const GROWN_MIN = 6;

export function parseDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  let file: FileDiff | undefined;
  let hunk: Hunk | undefined;
  let left = { old: 0, new: 0 };
  for (const line of text.split('\n')) {
    const inHunk = hunk !== undefined && (left.old > 0 || left.new > 0);
    if (inHunk && hunk && file && takeLine(hunk, file, left, line)) continue;
    if (line.startsWith('diff --git ')) {
      file = newFile(pathOfHead(line));
      files.push(file);
      hunk = undefined;
    } else if (line.startsWith('--- ') && !file) {
      file = newFile('');
      files.push(file);
    } else if (line.startsWith('@@') && file) {
      const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(line);
      if (!head) continue;
      hunk = { title: head[5] ?? '', oldStart: Number(head[1]), newStart: Number(head[3]), lines: [] };
      left = { old: Number(head[2] ?? 1), new: Number(head[4] ?? 1) };
      file.hunks.push(hunk);
    } else if (file) {
      header(file, line);
    }
  }
  for (const one of files) for (const two of one.hunks) markWords(two.lines);
  return files;
}

/** Texts and what takes their places, as a diff whose line numbers only tell lines apart. */
export function beforeAfter(path: string, edits: readonly { before: string; after: string }[]): FileDiff {
  const file = newFile(path);
  const at = { old: 1, new: 1 };
  for (const { before, after } of edits) {
    const [old, fresh] = [linesOf(before), linesOf(after)];
    let head = 0;
    while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
    let tail = 0;
    while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
    const hunk: Hunk = { title: '', oldStart: at.old, newStart: at.new, lines: [] };
    const same = (texts: string[]): void => texts.forEach((text) => void hunk.lines.push({ side: 'same', text, old: at.old++, new: at.new++ }));
    same(old.slice(0, head));
    for (const text of old.slice(head, old.length - tail)) hunk.lines.push({ side: 'removed', text, old: at.old++ });
    for (const text of fresh.slice(head, fresh.length - tail)) hunk.lines.push({ side: 'added', text, new: at.new++ });
    same(old.slice(old.length - tail));
    file.removed += old.length - head - tail;
    file.added += fresh.length - head - tail;
    markWords(hunk.lines);
    file.hunks.push(hunk);
  }
  return file;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function newFile(path: string): FileDiff {
  return { path, kind: 'changed', binary: false, hunks: [], added: 0, removed: 0 };
}

function pathOfHead(line: string): string {
  const found = /^diff --git (?:"?a\/.*"?) "?b\/(.*?)"?$/.exec(line);
  return unquote(found?.[1] ?? '');
}

function header(file: FileDiff, line: string): void {
  if (line.startsWith('new file')) file.kind = 'added';
  else if (line.startsWith('deleted file')) file.kind = 'removed';
  else if (line.startsWith('rename from ')) {
    file.kind = 'renamed';
    file.renamedFrom = unquote(line.slice(12));
  } else if (line.startsWith('rename to ')) file.path = unquote(line.slice(10));
  else if (line.startsWith('Binary files ') || line.startsWith('GIT binary patch')) file.binary = true;
  else if (line.startsWith('+++ ') || line.startsWith('--- ')) {
    const name = unquote(line.slice(4).replace(/\t.*$/, ''));
    if (name !== '/dev/null' && (line.startsWith('+++') || file.path === '')) file.path = name.replace(/^[ab]\//, '');
  }
}

/** Git quotes paths with odd bytes as C strings of octal escapes. */
function unquote(path: string): string {
  if (!path.startsWith('"') && !path.includes('\\')) return path;
  const bare = path.replace(/^"|"$/g, '');
  const bytes: number[] = [];
  const named: Record<string, number> = { n: 10, t: 9, r: 13, '"': 34, '\\': 92, a: 7, b: 8, f: 12, v: 11 };
  for (let at = 0; at < bare.length; at += 1) {
    const octal = /^\\([0-7]{3})/.exec(bare.slice(at, at + 4));
    const sign = bare[at + 1] ?? '';
    if (octal) {
      bytes.push(parseInt(octal[1] ?? '0', 8));
      at += 3;
    } else if (bare[at] === '\\' && sign in named) {
      bytes.push(named[sign] ?? 0);
      at += 1;
    } else bytes.push(...new TextEncoder().encode(bare[at] ?? ''));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function takeLine(hunk: Hunk, file: FileDiff, left: { old: number; new: number }, line: string): boolean {
  const sign = line[0];
  const text = line.slice(1);
  const last = hunk.lines[hunk.lines.length - 1];
  const old = (lastOf(hunk, 'old') ?? hunk.oldStart - 1) + 1;
  const fresh = (lastOf(hunk, 'new') ?? hunk.newStart - 1) + 1;
  if (sign === '+') {
    hunk.lines.push({ side: 'added', text, new: fresh });
    left.new -= 1;
    file.added += 1;
  } else if (sign === '-') {
    hunk.lines.push({ side: 'removed', text, old });
    left.old -= 1;
    file.removed += 1;
  } else if (sign === ' ' || line === '') {
    hunk.lines.push({ side: 'same', text, old, new: fresh });
    left.old -= 1;
    left.new -= 1;
  } else return sign === '\\' && last !== undefined;
  return true;
}

function lastOf(hunk: Hunk, side: 'old' | 'new'): number | undefined {
  for (let at = hunk.lines.length - 1; at >= 0; at -= 1) {
    const number = hunk.lines[at]?.[side];
    if (number !== undefined) return number;
  }
  return undefined;
}

/** Marks the words that differ between removed lines and the added ones that took their places. */
export function markWords(lines: DiffLine[]): void {
  for (const [removed, added] of pairs(lines)) {
    if (!removed || !added || removed.side !== 'removed' || added.side !== 'added') continue;
    if (removed.text.length > WORDS_MAX || added.text.length > WORDS_MAX) continue;
    const [before, after] = differing(wordsOf(removed.text), wordsOf(added.text));
    if (before) removed.marks = before;
    if (after) added.marks = after;
  }
}

/** Lines side by side: the old one and the new one, either may be missing. */
export function pairs(lines: readonly DiffLine[]): [DiffLine | undefined, DiffLine | undefined][] {
  const rows: [DiffLine | undefined, DiffLine | undefined][] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as DiffLine;
    if (line.side === 'same') {
      rows.push([line, line]);
      at += 1;
      continue;
    }
    const removed: DiffLine[] = [];
    const added: DiffLine[] = [];
    for (; lines[at]?.side === 'removed'; at += 1) removed.push(lines[at] as DiffLine);
    for (; lines[at]?.side === 'added'; at += 1) added.push(lines[at] as DiffLine);
    for (let nth = 0; nth < Math.max(removed.length, added.length); nth += 1) rows.push([removed[nth], added[nth]]);
  }
  return rows;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** Ranges that differ, by the longest common subsequence of words; none where the lines have little in common. */
function differing(before: string[], after: string[]): [[number, number][] | undefined, [number, number][] | undefined] {
  const rows = before.length;
  const columns = after.length;
  const best = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      const row = best[i] as Uint16Array;
      const below = best[i + 1] as Uint16Array;
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const common = new Set<string>();
  let shared = 0;
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (before[i] === after[j]) {
      common.add(`o${i}`).add(`n${j}`);
      if (/\S/.test(before[i] ?? '')) shared += (before[i] ?? '').length;
      i += 1;
      j += 1;
    } else if ((best[i + 1]?.[j] ?? 0) >= (best[i]?.[j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  const [shorter, longer] = [solid(before), solid(after)].sort((a, b) => a - b) as [number, number];
  // A line into which much was put, or from which much was taken, is still the same line; a brace is none.
  const grew = shorter >= GROWN_MIN && shared * 10 >= shorter * 9;
  if (shared * 2 < longer && !grew) return [undefined, undefined];
  return [ranges(before, (nth) => !common.has(`o${nth}`)), ranges(after, (nth) => !common.has(`n${nth}`))];
}

function solid(words: string[]): number {
  return words.join('').replace(/\s/g, '').length;
}

function ranges(words: string[], differs: (nth: number) => boolean): [number, number][] {
  const found: [number, number][] = [];
  let place = 0;
  words.forEach((word, nth) => {
    const last = found[found.length - 1];
    if (differs(nth)) {
      if (last && last[1] === place) last[1] = place + word.length;
      else found.push([place, place + word.length]);
    }
    place += word.length;
  });
  return found;
}

/** Puts `<mark>` around ranges of characters of escaped HTML; a mark never spans a tag. */
export function markHtml(html: string, marks: readonly [number, number][]): string {
  let made = '';
  let place = 0;
  let inside = false;
  const within = (): boolean => marks.some(([from, to]) => place >= from && place < to);
  for (const piece of html.match(/<[^>]*>|&#?\w+;|[^<&]|&/gu) ?? []) {
    const tag = piece.startsWith('<');
    if (inside && (tag || !within())) {
      made += '</mark>';
      inside = false;
    }
    if (!tag && !inside && within()) {
      made += '<mark>';
      inside = true;
    }
    made += piece;
    if (!tag) place += piece.startsWith('&') ? 1 : piece.length;
  }
  return inside ? `${made}</mark>` : made;
}
