// The colours of a diff's lines, made from each hunk's text before and after, in the worker.
import { createEffect, createSignal, on, onCleanup, type Accessor } from 'solid-js';
import type { FileDiff } from '../lib/diff';
import { highlight, languageOf } from '../lib/highlight';

export interface DiffColours {
  old: ReadonlyMap<number, string>;
  new: ReadonlyMap<number, string>;
}

/** Safe HTML by line number, as soon as it is there. */
export function createColours(file: Accessor<FileDiff>): Accessor<DiffColours | undefined> {
  const [colours, setColours] = createSignal<DiffColours>();
  createEffect(
    on(file, (now) => {
      let live = true;
      onCleanup(() => (live = false));
      const lang = languageOf(now.path);
      const made = { old: new Map<number, string>(), new: new Map<number, string>() };
      const sides = ['old', 'new'] as const;
      const work = now.hunks.flatMap((hunk) =>
        sides.map(async (side) => {
          const lines = hunk.lines.filter((line) => line[side] !== undefined);
          const html = await highlight(lines.map((line) => line.text).join('\n'), lang);
          lines.forEach((line, nth) => {
            const text = html?.[nth];
            if (text !== undefined) made[side].set(line[side] ?? 0, text);
          });
        }),
      );
      void Promise.all(work).then(() => live && made.new.size + made.old.size > 0 && setColours(made));
    }),
  );
  return colours;
}
