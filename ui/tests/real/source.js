// Work for a page, as text: functions by their source, everything else as JSON.

/** A call of `work` with `args`, to be evaluated. */
export function source(work, args) {
  const told = args.map((one) => (typeof one === 'function' ? `(${one})` : JSON.stringify(one ?? null)));
  return `(${work})(${told.join(', ')})`;
}
