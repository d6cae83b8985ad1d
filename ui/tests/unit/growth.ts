// How work grows with its size, as a ratio: what a machine's speed and load do to both sides cancels out.

/** Rounds of each side, in turn; the quickest counts. */
const ROUNDS = 7;

/** How many times longer work of twice the `size` takes: about 2 where it grows with the size, 4 with its square. */
export function growth(work: (size: number) => () => unknown, size: number): number {
  const [once, twice] = [work(size), work(2 * size)];
  let [single, double] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    single = Math.min(single, timed(once));
    double = Math.min(double, timed(twice));
  }
  return double / single;
}

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
