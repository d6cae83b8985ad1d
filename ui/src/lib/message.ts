// What a failure says, for people.

let say = (error: Error): string => error.message;

/** Has failures told by `words`, which knows the language of the page. */
export function sayFailures(words: (error: Error) => string): void {
  say = words;
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? say(error) : String(error);
}
