// Light, dark, or as the system says.
import { createEffect } from 'solid-js';
import { createStored } from '../lib/stored';

export type Theme = 'system' | 'light' | 'dark';

const [theme, setTheme] = createStored<Theme>('theme', 'system');
export { theme, setTheme };

/** Keeps the page in the chosen theme. */
export function followTheme(): void {
  createEffect(() => {
    if (theme() === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme();
  });
}

/** From light to dark and back, starting from what is seen now. */
export function switchTheme(): void {
  const dark = theme() === 'dark' || (theme() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  setTheme(dark ? 'light' : 'dark');
}
