// Colours for code, made in a worker so that the page never waits for them. Results are remembered; a
// text that is too long, or in a language we do not know, stays plain.
import type { HighlightAnswer, HighlightRequest } from './highlight.worker';

/** Longer texts stay plain. */
export const HIGHLIGHT_MAX = 60_000;
const REMEMBERED = 300;

const remembered = new Map<string, string[]>();
const waiting = new Map<number, (lines: string[] | undefined) => void>();
let worker: Worker | undefined;
let count = 0;

/** One piece of HTML for each line of `code`; nothing where it stays plain. */
export async function highlight(code: string, lang: string): Promise<string[] | undefined> {
  if (lang === '' || code.length > HIGHLIGHT_MAX || typeof Worker === 'undefined') return undefined;
  const key = `${lang}\n${code}`;
  const known = remembered.get(key);
  if (known) return known;
  const lines = await ask({ id: (count += 1), code, lang });
  if (lines) {
    if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value as string);
    remembered.set(key, lines);
  }
  return lines;
}

function ask(request: HighlightRequest): Promise<string[] | undefined> {
  worker ??= start();
  return new Promise((resolve) => {
    waiting.set(request.id, resolve);
    worker?.postMessage(request);
  });
}

function start(): Worker {
  const made = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' });
  made.onmessage = (event: MessageEvent<HighlightAnswer>) => {
    waiting.get(event.data.id)?.(event.data.lines);
    waiting.delete(event.data.id);
  };
  made.onerror = () => {
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  };
  return made;
}

const BY_EXTENSION: Record<string, string> = {
  rs: 'rust', ts: 'typescript', tsx: 'tsx', js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'jsx', py: 'python',
  go: 'go', java: 'java', kt: 'kotlin', swift: 'swift', c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', hpp: 'cpp', cs: 'csharp',
  rb: 'ruby', php: 'php', sh: 'bash', bash: 'bash', zsh: 'bash', json: 'json', jsonl: 'json', yml: 'yaml', yaml: 'yaml',
  toml: 'toml', html: 'html', css: 'css', scss: 'scss', md: 'markdown', sql: 'sql', vue: 'vue', svelte: 'svelte',
  lua: 'lua', ex: 'elixir', exs: 'elixir', zig: 'zig', dockerfile: 'docker', xml: 'xml', svg: 'xml', ini: 'ini',
};

/** The language of a file, by its name; empty where it is not known. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (name === 'makefile') return 'make';
  if (name === 'dockerfile') return 'docker';
  return BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1)] ?? '';
}
