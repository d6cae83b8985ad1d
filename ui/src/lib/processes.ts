// Processes in the order of a tree: children below who began them.

interface Known {
  pid: number;
  parent_pid: number;
}

/** Every process once, parents before children; those whose parent is not listed stand at the top. */
export function nested<P extends Known>(list: readonly P[]): { process: P; depth: number }[] {
  const pids = new Set(list.map((one) => one.pid));
  const children = new Map<number, P[]>();
  for (const one of list) {
    const parent = pids.has(one.parent_pid) && one.parent_pid !== one.pid ? one.parent_pid : 0;
    children.set(parent, [...(children.get(parent) ?? []), one]);
  }
  const out: { process: P; depth: number }[] = [];
  const seen = new Set<number>();
  const walk = (parent: number, depth: number): void => {
    for (const process of [...(children.get(parent) ?? [])].sort((a, b) => a.pid - b.pid)) {
      if (seen.has(process.pid)) continue;
      seen.add(process.pid);
      out.push({ process, depth });
      walk(process.pid, depth + 1);
    }
  };
  walk(0, 0);
  // A ring of parents has no top.
  for (const process of list) if (!seen.has(process.pid)) out.push({ process, depth: 0 });
  return out;
}
