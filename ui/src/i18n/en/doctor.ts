// What was found on the machine: the server says it in English.

export const enDoctor = {
  fine: 'fine',
  wanting: 'needs attention',
  /** A name, a finding or an advice of the server's, in this language. */
  said: (text: string): string => text,
};
