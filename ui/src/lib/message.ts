// What a failure says, for people.

let say = (error: Error): string => error.message;

/** Has failures told by `words`, which knows the language of the page. */
export function sayFailures(words: (error: Error) => string): void {
  say = words;
}

/** The words of whatever was thrown, as sentences of their own. */
export function messageOf(error: unknown): string {
  return sentences(causeOf(error));
}

/** The words of whatever was thrown, to go on with after a colon. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? say(error) : String(error);
}

/** Lines of a program as sentences: each begins with a capital, but where it begins with a name, a path or code. */
export function sentences(text: string): string {
  return text.replace(/^[a-z](?=[a-z]*(?:'s)?,? )/gm, (letter) => letter.toUpperCase());
}
