// What is made of what a program offers.
import { describe, expect, it } from 'vitest';
import type { Offers } from '../../src/api/types';
import { commandTyped, commandsFor, modelNamed } from '../../src/state/offers';

const offers: Offers = {
  commands: [{ name: 'security-review' }, { name: 'review' }, { name: 'memory show' }],
  models: [{ id: 'default', name: 'Default', stands_for: 'big-5' }, { id: 'big-5', name: 'Big' }],
};
const names = (typed: string): string[] => commandsFor(offers, typed).map(({ name }) => name);

describe('offers', () => {
  it('take a text of one line that begins with a slash for a command', () => {
    expect(commandTyped('/')).toBe('');
    expect(commandTyped('/memory sh')).toBe('memory sh');
    expect(commandTyped('a /review')).toBeUndefined();
    expect(commandTyped('/review\nand more')).toBeUndefined();
    expect(commandTyped('')).toBeUndefined();
  });

  it('list what begins with the letters before what has them inside', () => {
    expect(names('')).toEqual(['security-review', 'review', 'memory show']);
    expect(names('RE')).toEqual(['review', 'security-review']);
    expect(names('memory s')).toEqual(['memory show']);
    expect(names('review the last commit')).toEqual([]);
    expect(commandsFor({}, '')).toEqual([]);
  });

  it('list the command of that very name before those that go on after it', () => {
    const long: Offers = { commands: [{ name: 'pr-review' }, { name: 'review-pr' }, { name: 'Review' }] };
    expect(commandsFor(long, 'review').map(({ name }) => name)).toEqual(['Review', 'review-pr', 'pr-review']);
  });

  it('know a model by its id before what it stands for', () => {
    expect(modelNamed(offers, 'big-5')?.id).toBe('big-5');
    expect(modelNamed(offers, 'Default')?.id).toBe('default');
    expect(modelNamed(offers, undefined)).toBeUndefined();
    expect(modelNamed({}, 'big-5')).toBeUndefined();
  });
});
