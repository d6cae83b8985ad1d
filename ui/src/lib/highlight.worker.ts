// The worker that colours code: grammars are loaded one by one as they are needed, colours are the
// theme's variables, so that one result serves light and dark.
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

export interface HighlightRequest {
  id: number;
  code: string;
  lang: string;
}

export interface HighlightAnswer {
  id: number;
  lines: string[] | undefined;
}

type Grammar = Parameters<HighlighterCore['loadLanguage']>[0];

const GRAMMARS: Record<string, () => Promise<unknown>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  elixir: () => import('shiki/langs/elixir.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  scss: () => import('shiki/langs/scss.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  svelte: () => import('shiki/langs/svelte.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  vue: () => import('shiki/langs/vue.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  zig: () => import('shiki/langs/zig.mjs'),
};

const ALIASES: Record<string, string> = {
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', js: 'javascript', ts: 'typescript', py: 'python', rs: 'rust',
  yml: 'yaml', md: 'markdown', rb: 'ruby', dockerfile: 'docker', makefile: 'make', kt: 'kotlin', cs: 'csharp', 'c++': 'cpp',
  patch: 'diff', jsonc: 'json', jsonl: 'json', golang: 'go',
};

let highlighter: Promise<HighlighterCore> | undefined;
const loaded = new Map<string, Promise<void>>();

function core(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'variables', variablePrefix: '--shiki-' })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return highlighter;
}

async function load(lang: string): Promise<boolean> {
  const grammar = GRAMMARS[lang];
  if (!grammar) return false;
  let loading = loaded.get(lang);
  if (!loading) {
    loading = Promise.all([core(), grammar()]).then(([made, module]) => made.loadLanguage(module as Grammar));
    loaded.set(lang, loading);
  }
  await loading;
  return true;
}

async function colour(code: string, name: string): Promise<string[] | undefined> {
  const first = name.toLowerCase().split(/[\s,{]/)[0] ?? '';
  const lang = ALIASES[first] ?? first;
  if (!(await load(lang))) return undefined;
  const { tokens } = (await core()).codeToTokens(code, { lang, theme: 'variables' });
  return tokens.map((line) => line.map((token) => span(token.content, token.color)).join(''));
}

function span(text: string, color: string | undefined): string {
  const safe = text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return color === undefined || color.includes('foreground') ? safe : `<span style="color:${color}">${safe}</span>`;
}

self.onmessage = async (event: MessageEvent<HighlightRequest>) => {
  const { id, code, lang } = event.data;
  const lines = await colour(code, lang).catch(() => undefined);
  self.postMessage({ id, lines } satisfies HighlightAnswer);
};
