// What the agent says it uses beside what was asked for.

/** Whether both name the same: programs leave out the provider, or write names in capitals. */
export function isSame(reported: string, asked: string): boolean {
  const bare = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return bare(reported) === bare(asked);
}

/** What is in use, and what was asked for where that is something else. */
export function told(reported: string | undefined, asked: string | undefined): { used: string; asked?: string } | undefined {
  const used = reported ?? asked;
  if (used === undefined) return undefined;
  return reported !== undefined && asked !== undefined && !isSame(reported, asked) ? { used, asked } : { used };
}
