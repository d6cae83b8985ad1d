// The language of the client: `t()` gives every text. English is always there; others are loaded when
// they are chosen.
import { createSignal } from 'solid-js';
import { writeFigures } from '../lib/format';
import { readStored, writeStored } from '../lib/stored';
import { en, type Messages } from './en';

export type Language = 'en' | 'de';
export const LANGUAGES: readonly { id: Language; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
];

const LOADERS: Record<Language, () => Promise<Messages>> = {
  en: () => Promise.resolve(en),
  de: () => import('./de').then((module) => module.de),
};

const [messages, setMessages] = createSignal<Messages>(en);
const [language, setLanguage] = createSignal<Language>('en');

/** The texts in the chosen language. */
export const t = messages;
export { language };

/** Loads the language that was chosen before, or that the browser prefers. */
export async function startLanguage(): Promise<void> {
  const preferred = navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
  await useLanguage(readStored<Language>('language', preferred), false);
}

/** The language with the region that the browser prefers, for dates and figures. */
export function locale(): string {
  return navigator.language.toLowerCase().startsWith(language()) ? navigator.language : language();
}

export async function useLanguage(next: Language, keep = true): Promise<void> {
  const known = next in LOADERS ? next : 'en';
  const loaded = await LOADERS[known]();
  setMessages(() => loaded);
  setLanguage(known);
  writeFigures(locale());
  document.documentElement.lang = known;
  if (keep) writeStored('language', known);
}
