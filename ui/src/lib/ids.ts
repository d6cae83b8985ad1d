// Ids that the client chooses: for messages (a repeated id is delivered once) and for elements.

let count = 0;

/** An id for a message, unique for ever. */
export function newInputId(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return `ui-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** An element id, unique on this page. */
export function newElementId(prefix: string): string {
  count += 1;
  return `${prefix}-${count}`;
}
