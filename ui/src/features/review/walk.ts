// The way through many files by keys: which file one is at, the next and the one before, and which are folded.
import { createSignal, type Accessor } from 'solid-js';
import type { FileDiff } from '../../lib/diff';
import { fileId } from './FileView';
import type { createViewed } from './viewed';

type Viewed = ReturnType<typeof createViewed>;

export interface Walk {
  /** The path of the file that one went to last. */
  current: Accessor<string | undefined>;
  go: (file: FileDiff) => void;
  step: (by: 1 | -1) => void;
  isFolded: (file: FileDiff) => boolean;
  fold: (file: FileDiff, folded: boolean) => void;
  /** Folds the file that one is at, or opens it. */
  turn: () => void;
  /** Opens all when any is folded, else folds all. */
  turnAll: () => void;
  setViewed: (file: FileDiff, viewed: boolean) => void;
  /** Marks the file that one is at as viewed, and goes to the next one that is not. */
  viewedNext: () => void;
}

export function createWalk(files: Accessor<FileDiff[]>, viewed: Viewed): Walk {
  const [current, setCurrent] = createSignal<string>();
  /** What the user folded or opened; all others are folded when they were viewed. */
  const [folds, setFolds] = createSignal<Readonly<Record<string, boolean>>>({});
  const isFolded = (file: FileDiff): boolean => folds()[file.path] ?? viewed.is(file);
  const fold = (file: FileDiff, folded: boolean): void => void setFolds({ ...folds(), [file.path]: folded });
  const go = (file: FileDiff): void => {
    setCurrent(file.path);
    const element = elementOf(file);
    element?.scrollIntoView();
    element?.focus({ preventScroll: true });
  };
  /** The one with the focus while it is in view, else the first that is. */
  const at = (): number => {
    const focused = files().findIndex((file) => elementOf(file)?.contains(document.activeElement));
    if (focused !== -1 && inView(files()[focused])) return focused;
    return Math.max(0, files().findIndex(inView));
  };
  const isBegun = (): boolean => files().some((file) => file.path === current());
  const step = (by: 1 | -1): void => {
    const all = files();
    // Who has gone to no file yet begins with the one in view.
    const to = isBegun() || by === -1 ? at() + by : at();
    const next = all[Math.max(0, Math.min(all.length - 1, to))];
    if (next) go(next);
  };
  const setViewed = (file: FileDiff, is: boolean): void => {
    const { [file.path]: _, ...rest } = folds();
    setFolds(rest);
    viewed.set(file, is);
  };
  return {
    current,
    go,
    step,
    isFolded,
    fold,
    turn: () => {
      const file = files()[at()];
      if (!file) return;
      fold(file, !isFolded(file));
      go(file);
    },
    turnAll: () => {
      const folded = !files().some(isFolded);
      setFolds(Object.fromEntries(files().map((file) => [file.path, folded])));
    },
    setViewed,
    viewedNext: () => {
      const all = files();
      const here = at();
      const file = all[here];
      if (!file) return;
      setViewed(file, true);
      const next = [...all.slice(here + 1), ...all.slice(0, here)].find((one) => !viewed.is(one));
      go(next ?? file);
    },
  };
}

function elementOf(file: FileDiff): HTMLElement | null {
  return document.getElementById(fileId(file.path));
}

function inView(file: FileDiff | undefined): boolean {
  const element = file && elementOf(file);
  const frame = element?.closest('.reviewfiles')?.getBoundingClientRect();
  if (!element || !frame) return false;
  const box = element.getBoundingClientRect();
  // The last lines of a file that ends just below the top are not what one looks at.
  return box.bottom > frame.top + 40 && box.top < frame.bottom;
}
