// A specification to begin the next task with: "run the same again".
import type { TaskSpec } from '../api/types';
import { readStored, writeStored } from '../lib/stored';

export function rememberSpec(spec: TaskSpec): void {
  writeStored('spec', spec);
}

/** The remembered specification, once. */
export function takeSpec(): TaskSpec | undefined {
  const spec = readStored<TaskSpec | undefined>('spec', undefined);
  writeStored('spec', undefined);
  return spec;
}
