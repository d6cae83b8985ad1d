// What a call was given: fields, edits and things to do from what agents really send, and from what they might.
import { describe, expect, it } from 'vitest';
import { givenOf } from '../../src/features/transcript/given';
import type { ToolCall } from '../../src/state/rows';

const given = (tool: ToolCall['tool'], args: unknown, path?: string) => givenOf({ tool, args, path });

describe('what a call was given', () => {
  it('is named fields, without the path that stands above', () => {
    expect(given('read', { file_path: '/r/a.rs', offset: 10, limit: 40 }, '/r/a.rs').fields).toEqual([{ name: 'offset', text: '10' }, { name: 'limit', text: '40' }]);
    expect(given('grep', { pattern: 'fn main', path: 'src', '-i': true }).fields).toEqual([{ name: 'pattern', text: 'fn main' }, { name: 'path', text: 'src' }, { name: '-i', text: 'true' }]);
    expect(given('web', { url: 'https://example.org', prompt: 'What is it?\nSay.' }).fields).toEqual([{ name: 'url', text: 'https://example.org' }, { name: 'prompt', text: 'What is it?\nSay.', lang: '' }]);
  });

  it('keeps what is nested as it is, field by field', () => {
    expect(given('mcp', { ids: [1, 2], filter: { open: true }, empty: '', none: null }).fields).toEqual([{ name: 'ids', text: '1, 2' }, { name: 'filter', text: '{\n  "open": true\n}', lang: 'json' }]);
    expect([given('other', 'words').fields, given('other', [{ a: 1 }]).fields[0]?.lang, given('other', null).fields, given('other', undefined).fields]).toEqual([[{ name: '', text: 'words' }], 'json', [], []]);
  });

  it.each([['old_string', 'new_string'], ['oldText', 'newText'], ['old', 'new']])('is before and after, as %s and %s', (old, fresh) => {
    const { edit, fields } = given('edit', { path: 'a.rs', [old]: 'one\ntwo\nthree\n', [fresh]: 'one\n2\nthree\n', replace_all: false }, 'a.rs');
    expect(edit?.hunks[0]?.lines.map(({ side, text }) => `${side} ${text}`)).toEqual(['same one', 'removed two', 'added 2', 'same three']);
    expect([edit?.added, edit?.removed, fields]).toEqual([1, 1, [{ name: 'replace_all', text: 'false' }]]);
  });

  it('is many edits of one file, whose lines are told apart', () => {
    const { edit, fields } = given('edit', { edits: [{ old_string: 'a', new_string: 'b' }, { old_string: '', new_string: 'c\nd' }] }, 'a.rs');
    expect([edit?.hunks.length, edit?.added, edit?.removed, fields]).toEqual([2, 3, 1, []]);
    const numbers = edit?.hunks.flatMap((hunk) => hunk.lines.map((line) => line.new)).filter((line) => line !== undefined);
    expect(new Set(numbers).size).toBe(numbers?.length);
    // A list that holds something else is shown as it is.
    expect(given('edit', { edits: [{ old_string: 'a', new_string: 'b' }, 1] }, 'a.rs')).toMatchObject({ fields: [{ name: 'edits', lang: 'json' }] });
  });

  it('is the text of a file, in its language', () => {
    expect(given('write', { file_path: 'a.rs', content: 'fn a() {}' }, 'a.rs').fields).toEqual([{ name: 'content', text: 'fn a() {}', lang: 'rust' }]);
  });

  it('is a list of things to do, however the agent calls them', () => {
    expect(given('todo', { todos: [{ content: 'Look', status: 'completed', activeForm: 'Looking' }, { content: 'Mend', status: 'in_progress' }] }).todos).toEqual([{ text: 'Look', status: 'completed' }, { text: 'Mend', status: 'in_progress' }]);
    expect(given('todo', { plan: [{ step: 'Look', status: 'inProgress' }], explanation: 'why' })).toMatchObject({ todos: [{ text: 'Look', status: 'in_progress' }], fields: [{ name: 'explanation' }] });
    expect(given('todo', { todos: ['Look'] })).toMatchObject({ todos: [], fields: [{ name: 'todos', text: 'Look' }] });
  });
});
