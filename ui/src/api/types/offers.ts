// What the running program of a task offers.

/** A command of the program's own; said like any message, after a `/`. */
export interface OfferedCommand {
  name: string;
  description?: string;
  /** What may follow it. */
  hint?: string;
}

export interface OfferedModel {
  /** What it is chosen by. */
  id: string;
  name?: string;
  description?: string;
  /** The model that the id is another name of. */
  stands_for?: string;
  /** Least first; absent where the program does not say. */
  efforts?: string[];
}

export interface Offers {
  commands?: OfferedCommand[];
  more_commands?: number;
  models?: OfferedModel[];
  more_models?: number;
  /** The id of the one that it used when it told this. */
  model?: string;
}
