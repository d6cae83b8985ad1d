// What a text refers to: addresses on the web, paths of files, commits. Only the web's own schemes become
// links; a path or a commit is something to look at or to copy, never something that is run. Pure.

export type Piece = string | Ref;
export type Ref =
  | { kind: 'url'; text: string; href: string }
  | { kind: 'path'; text: string; path: string; line?: number }
  | { kind: 'commit'; text: string; commit: string };

/** Longer texts are left as they are. */
export const TEXT_MAX = 60_000;
/** Behind this many the rest of a text is left as it is. */
export const REFS_MAX = 400;

const URL_ = /https?:\/\/[^\s<>"'`\u0000-\u001f\u007f]+/;
// A path with a directory and an ending, an absolute one, or a name with a line: `src/a.rs`, `/etc/hosts`, `a.rs:12`.
const PATH = /(?:~|\.{1,2})?(?:\/[\w@.+-]+)+\/?|[\w@+-][\w@.+-]*(?:\/[\w@.+-]+)+|[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7}(?=:\d)/;
const LINE = /(?::(?<line>\d{1,7}))?(?::\d{1,5})?/;
const COMMIT = /[0-9a-f]{7,12}(?![\w-])|[0-9a-f]{40}(?![\w-])|[0-9a-f]{64}(?![\w-])/;
const ANY = new RegExp(`(?<url>${URL_.source})|(?<![\\w/.-])(?:(?<commit>${COMMIT.source})|(?<path>${PATH.source})${LINE.source})`, 'g');
const ENDING = /\.[A-Za-z][\w]{0,7}$/;

/** A text cut into plain parts and what it refers to. */
export function piecesOf(text: string): Piece[] {
  if (text.length > TEXT_MAX) return [text];
  const pieces: Piece[] = [];
  let at = 0;
  let count = 0;
  for (const found of text.matchAll(ANY)) {
    if (count >= REFS_MAX) break;
    const ref = refOf(found);
    if (!ref) continue;
    if (found.index > at) pieces.push(text.slice(at, found.index));
    pieces.push(ref);
    at = found.index + ref.text.length;
    count += 1;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** What a text refers to as a whole; nothing where it is more, or less, than that. */
export function wholeRef(text: string): Ref | undefined {
  const pieces = text.length > 400 ? [] : piecesOf(text);
  const [only] = pieces;
  return pieces.length === 1 && typeof only === 'object' ? only : undefined;
}

function refOf(found: RegExpMatchArray): Ref | undefined {
  const { url, path, commit, line } = found.groups ?? {};
  if (url !== undefined) return urlRef(url);
  if (commit !== undefined) return /\d/.test(commit) && /[a-f]/.test(commit) ? { kind: 'commit', text: commit, commit } : undefined;
  return path === undefined ? undefined : pathRef(found[0], path, line);
}

/** An address without the punctuation that ends the sentence around it. */
function urlRef(raw: string): Ref | undefined {
  let text = raw.replace(/[.,;:!?…]+$/, '');
  for (const [open, close] of ['()', '[]', '{}'] as const) {
    while (close && text.endsWith(close) && text.split(close).length > text.split(open ?? '').length) text = text.slice(0, -1);
  }
  text = text.replace(/[.,;:!?…]+$/, '');
  try {
    const { protocol, href, hostname } = new URL(text);
    return (protocol === 'http:' || protocol === 'https:') && hostname !== '' ? { kind: 'url', text, href } : undefined;
  } catch {
    return undefined;
  }
}

function pathRef(raw: string, path: string, line: string | undefined): Ref | undefined {
  // The full stop of a sentence is no part of its last word.
  const stop = raw.length - raw.replace(/\.+$/, '').length;
  const text = stop > 0 ? raw.slice(0, -stop) : raw;
  const clean = line === undefined && stop > 0 ? path.slice(0, -stop) : path;
  const absolute = /^(?:~|\.{0,2})\//.test(clean);
  const deep = clean.split('/').filter((part) => part !== '').length > 1;
  const named = ENDING.test(clean);
  if (!(line !== undefined && named) && !(absolute && (deep || named)) && !(clean.includes('/') && named)) return undefined;
  return { kind: 'path', text, path: clean, ...(line === undefined ? {} : { line: Number(line) }) };
}
