// Figures as people read them: sizes, tokens, money, spans of time, ages, paths. How a language writes a part of a
// whole and a sum of money is told once; what else is of a language is a parameter.
import { createSignal } from 'solid-js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What stands between the whole and its part, and around dollars. */
const [way, setWay] = createSignal({ mark: '.', dollars: (figure: string): string => `$${figure}` });

/** Has figures written as `language` does. */
export function writeFigures(language: string): void {
  const mark = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  const first = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }).formatToParts(1)[0]?.type === 'currency';
  setWay({ mark, dollars: (figure) => (first ? `$${figure}` : `${figure}\u00a0$`) });
}

/** A number that is written with a point, as the language writes it. */
export function figure(written: string | number): string {
  return String(written).replace('.', way().mark);
}

/** A number to one place, where it has that. */
export function tenths(value: number): string {
  return figure(Math.round(value * 10) / 10);
}

/** A span of time in at most two units: `12 ms`, `4.2 s`, `2 m 14 s`, `3 h 5 m`, `2 d 4 h`. */
export function span(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < SECOND) return `${Math.round(whole)} ms`;
  if (whole < 10 * SECOND) return `${figure(Math.floor(whole / 100) / 10)} s`;
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`;
  if (whole < HOUR) return two(whole, MINUTE, 'm', SECOND, 's');
  if (whole < DAY) return two(whole, HOUR, 'h', MINUTE, 'm');
  return two(whole, DAY, 'd', HOUR, 'h');
}

/** Elapsed time that ticks by the second and does not change its unit on the way: `14 s`, `2 m 14 s`. */
export function elapsed(ms: number): string {
  const whole = Math.max(0, ms);
  return whole < MINUTE ? `${Math.floor(whole / SECOND)} s` : span(whole);
}

function two(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const bigs = Math.floor(ms / big);
  const smalls = Math.floor((ms % big) / small);
  return smalls === 0 ? `${bigs} ${bigName}` : `${bigs} ${bigName} ${smalls} ${smallName}`;
}

/** How long ago, in one unit and short enough for a list: `now`, `4 m`, `3 h`, `2 d`. */
export function age(ms: number, now: string): string {
  if (ms < MINUTE) return now;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** A count of tokens: `840`, `12.4 k`, `1.2 M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${short(count / 1000)} k`;
  return `${short(count / 1_000_000)} M`;
}

/** A size in bytes: `612 B`, `1.4 KB`, `38 MB`. */
export function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : short(value)} ${units[unit]}`;
}

function short(value: number): string {
  return value < 10 ? tenths(value) : String(Math.round(value));
}

/** US dollars, with cents until they are small change: `$0.004`, `$0.42`, `$128`. */
export function money(usd: number): string {
  const places = usd > 0 && usd < 0.01 ? 3 : usd < 100 ? 2 : 0;
  return way().dollars(figure(usd.toFixed(places)));
}

/** A share from 0 to 1 as whole per cent. */
export function percent(share: number): string {
  return `${Math.round(Math.min(1, Math.max(0, share)) * 100)} %`;
}

const moments = new Map<string, Intl.DateTimeFormat>();

/** A point in time in full, in the reader's zone. */
export function moment(iso: string, language: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  let format = moments.get(language);
  if (!format) {
    format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
    moments.set(language, format);
  }
  return format.format(date);
}

/** A point in time of today, to the second. */
export function clockTime(iso: string, language: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleTimeString(language);
}

/** A share of one processor core, or of several: `34 %`, `153 %`. */
export function cpu(percentOfCore: number): string {
  return `${percentOfCore < 9.95 ? tenths(percentOfCore) : Math.round(percentOfCore)} %`;
}

/** The last part of a path. */
export function basename(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts[parts.length - 1] ?? path;
}

/** A path as directory (with its slash) and name, so that the name can stand out. */
export function splitPath(path: string): { dir: string; name: string } {
  const cut = path.lastIndexOf('/') + 1;
  return { dir: path.slice(0, cut), name: path.slice(cut) };
}

/** A path below `root` without it. */
export function below(path: string, root: string | undefined): string {
  if (root === undefined || root === '') return path;
  const prefix = root.endsWith('/') ? root : `${root}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** The first line of a text, cut at `max` characters. */
export function firstLine(text: string, max = 200): string {
  const start = text.trimStart();
  const end = start.indexOf('\n');
  const line = end === -1 ? start : start.slice(0, end);
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
