// How work grows with its size, as a ratio: in processor time: what a machine's speed does to both sides cancels out.

/** How much larger the larger side is. */
const TIMES = 8;
/** Rounds of each side, in turn; the quickest counts. */
const ROUNDS = 7;
/** Work that grows with the size takes about eight times as long, with its square sixty-four times: a busy machine and
    a collection of garbage stay far from both. */
export const STEADY = 24;

/** How many times longer work of eight times the `size` takes; below `STEADY` it grows with the size. */
export function growth(work: (size: number) => () => unknown, size: number): number {
  const [small, large] = [work(size), work(TIMES * size)];
  let [short, long] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    short = Math.min(short, timed(small));
    long = Math.min(long, timed(large));
  }
  return long / short;
}

declare const process: { cpuUsage: (since?: object) => { user: number; system: number } };

/** Processor time, which other programs do not lengthen. */
function timed(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return Math.max(1, user + system);
}
