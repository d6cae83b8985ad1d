// Long work in short pieces: after some milliseconds at a stretch the page gets a turn, to paint and to
// answer. Who works awaits what `createPauses` gives, where it gives something.

/** Work at a stretch, in milliseconds: with what a frame needs by itself it stays below two frames. */
export const STRETCH_MS = 8;

/** A function that gives a promise when it is time for a pause, and nothing when it is not. */
export function createPauses(stretch = STRETCH_MS): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < stretch) return undefined;
    return turn().then(() => void (began = performance.now()));
  };
}

/** Resolves after everything that waits now had its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
