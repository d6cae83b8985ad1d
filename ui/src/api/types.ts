// The nouns of the wire, as every other file of the client names them. They say what is always there more
// closely than the API's document does; `tests/unit/drift.ts` holds them against it.
export type * from './types/names';
export type * from './types/task';
export type * from './types/event';
export type * from './types/hand';
export type * from './types/box';
export type * from './types/journal';
export type * from './types/policy';
export type * from './types/offers';
export type * from './types/queue';
export type * from './types/search';
export type * from './types/session';
export type * from './types/trash';
export type * from './types/command';
export type * from './types/system';
export type * from './types/terminal';
