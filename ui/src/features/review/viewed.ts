// Which files were viewed: a file that changes after it was viewed is new again.
import type { FileDiff } from '../../lib/diff';
import { createStored } from '../../lib/stored';

export function createViewed(task: string, repository: string) {
  const [marks, setMarks] = createStored<Record<string, number>>(`viewed.${task}.${repository}`, {});
  return {
    is: (file: FileDiff): boolean => marks()[file.path] === markOf(file),
    set: (file: FileDiff, viewed: boolean): void => {
      const { [file.path]: _, ...rest } = marks();
      setMarks(viewed ? { ...rest, [file.path]: markOf(file) } : rest);
    },
  };
}

/** A number that differs when the diff does (FNV-1a). */
function markOf(file: FileDiff): number {
  let hash = 0x811c9dc5;
  for (const hunk of file.hunks) {
    for (const line of hunk.lines) {
      for (const sign of `${line.side}${line.text}`) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193);
    }
  }
  return hash >>> 0;
}
