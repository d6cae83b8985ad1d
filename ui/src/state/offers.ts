// What the program of a task offers: asked for when somebody looks, and again when the program said something new.
import { createMemo, type Accessor } from 'solid-js';
import { api } from '../api/client';
import type { OfferedCommand, OfferedModel, Offers, Task } from '../api/types';
import { createAsked } from '../lib/asked';

const NOTHING: Offers = {};

/** The offers of a task once `wanted`; empty while they are not known. */
export function createOffers(task: Accessor<Task>, wanted: Accessor<boolean> = () => true): Accessor<Offers> {
  const about = createMemo(() => {
    const { task_id: id, offers_seq: seq } = task();
    return seq !== undefined && wanted() ? `${id} ${seq}` : undefined;
  });
  const asked = createAsked(about, (key) => api.offers(key.split(' ')[0] ?? '').then((offers) => ({ key, offers })));
  return () => {
    const answer = asked();
    // What another task offers, or another program of this one offered, is not it.
    return answer !== undefined && answer.key === about() ? answer.offers : NOTHING;
  };
}

/** What is being typed of a command: a text of one line that begins with a `/`. */
export function commandTyped(text: string): string | undefined {
  return /^\/[^\n]*$/.test(text) ? text.slice(1) : undefined;
}

/** The commands that fit what is typed: the one of that very name first, then those whose names begin with it. */
export function commandsFor(offers: Offers, typed: string): OfferedCommand[] {
  const wanted = typed.toLowerCase();
  const named = (offers.commands ?? []).map((command) => ({ command, rank: rankOf(command.name.toLowerCase(), wanted) }));
  return named
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ command }) => command);
}

/** How far a name is from what is typed of it; nothing where it does not have it. */
function rankOf(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(wanted) ? 2 : undefined;
}

/** The model that a user or an agent calls `name`: by its id, by what it stands for, or by what people call it. */
export function modelNamed(offers: Offers, name: string | undefined): OfferedModel | undefined {
  const models = name === undefined ? [] : (offers.models ?? []);
  return models.find(({ id }) => id === name) ?? models.find((one) => one.stands_for === name) ?? models.find((one) => one.name === name);
}
