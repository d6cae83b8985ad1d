// Comments on lines: kept in this browser until they are sent to the agent, all of them as one message.
import { createStored } from '../../lib/stored';
import type { LineRef } from '../../components/DiffLines';

export interface Comment extends LineRef {
  path: string;
  /** The line that it is about, to say it by its text too. */
  code: string;
  text: string;
}

export interface Comments {
  all: () => Comment[];
  put: (comment: Comment) => void;
  remove: (comment: Comment) => void;
}

export function createComments(task: string, repository: string): Comments {
  const [all, setAll] = createStored<Comment[]>(`comments.${task}.${repository}`, []);
  const others = (comment: Comment): Comment[] => all().filter((one) => !sameLine(one, comment));
  return {
    all,
    put: (comment) => setAll([...others(comment), comment]),
    remove: (comment) => setAll(others(comment)),
  };
}

export function sameLine(a: LineRef & { path: string }, b: LineRef & { path: string }): boolean {
  return a.path === b.path && a.side === b.side && a.line === b.line;
}

/** One message that an agent can work through. */
export function messageOfComments(comments: readonly Comment[], head: string): string {
  const sorted = [...comments].sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  const parts = sorted.map(({ path, side, line, code, text }) => {
    const where = side === 'old' ? `${path} (line ${line} before the change)` : `${path}:${line}`;
    return `${where}\n\`${code.trim()}\`\n${text}`;
  });
  return [head, ...parts].join('\n\n');
}
