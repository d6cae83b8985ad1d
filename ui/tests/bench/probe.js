// What the page is asked to note while something is done: frames, long tasks, how long input waits. Runs in
// the page before anything of ours; the figures are the browser's own.

/** Put into every page before its scripts. */
export function install() {
  const probe = { frames: [], tasks: [], inputs: [], answers: {}, counting: false };
  window.probe_ = probe;
  let last = 0;
  const tick = (now) => {
    if (!probe.counting) return;
    if (last > 0) probe.frames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  probe.begin = () => {
    Object.assign(probe, { frames: [], tasks: [], inputs: [], counting: true });
    last = 0;
    requestAnimationFrame(tick);
  };
  probe.end = () => {
    probe.counting = false;
    // One stroke is several events; it took as long as the slowest of them.
    const strokes = new Map();
    for (const { id, ms } of probe.inputs) strokes.set(id, Math.max(ms, strokes.get(id) ?? 0));
    return { frames: probe.frames, tasks: probe.tasks, inputs: [...strokes.values()] };
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (probe.counting) probe.tasks.push(entry.duration);
  }).observe({ type: 'longtask' });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (probe.counting && entry.interactionId) probe.inputs.push({ id: entry.interactionId, ms: entry.duration });
  }).observe({ type: 'event', durationThreshold: 16 });
  // When the first byte of an answer came, by path.
  const plain = window.fetch;
  window.fetch = async (...args) => {
    const response = await plain(...args);
    const path = new URL(args[0].url ?? args[0], location.href).pathname;
    probe.answers[path] ??= performance.now();
    return response;
  };
  /** Milliseconds on the page's clock when what `shown` looks for was painted. */
  probe.painted = (shown) =>
    new Promise((resolve) => {
      const look = () => {
        if (!shown()) return requestAnimationFrame(look);
        // The frame in which it stands there is painted before a task that is posted from it.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(undefined);
      };
      look();
    });
}

/** The value below which a share `part` of `values` lies. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
