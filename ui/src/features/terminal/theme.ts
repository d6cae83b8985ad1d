// The colours of a terminal, made of our tokens: sixteen for programs, ours for the rest.
import type { ITheme } from '@xterm/xterm';

/** Each colour of a program by the token that stands for it. */
const TOKENS = {
  foreground: '--ink',
  background: '--page',
  cursor: '--accent',
  cursorAccent: '--page',
  selectionBackground: '--accent-line',
  black: '--n12',
  red: '--failure',
  green: '--success',
  yellow: '--attention',
  blue: '--accent',
  magenta: '--shiki-token-keyword',
  cyan: '--shiki-token-function',
  white: '--n9',
  brightBlack: '--n10',
  brightRed: '--failure',
  brightGreen: '--success',
  brightYellow: '--attention',
  brightBlue: '--accent',
  brightMagenta: '--shiki-token-keyword',
  brightCyan: '--shiki-token-function',
  brightWhite: '--n11',
} as const satisfies Partial<Record<keyof ITheme, string>>;

/** The theme as it is for what stands at `element`. */
export function themeAt(element: HTMLElement): ITheme {
  const probe = document.createElement('span');
  element.append(probe);
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const entries = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, plain(getComputedStyle(probe).color, brush)];
  });
  probe.remove();
  return Object.fromEntries(entries) as ITheme;
}

/** Any colour of CSS as the six digits that every renderer knows. */
function plain(colour: string, brush: CanvasRenderingContext2D | null): string {
  if (!brush) return colour;
  brush.fillStyle = colour;
  brush.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = brush.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
