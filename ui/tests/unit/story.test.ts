// A long history told from its end: what is shown at each moment, and that it ends as if told in one go.
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../src/api/sse';
import { EMPTY } from '../../src/state/fold';
import { Story, TAIL, WHOLE_MAX } from '../../src/state/story';
import { takeAll } from '../../src/state/take';

const event = (seq: number, body: object): ServerEvent => ({ name: 'event', id: String(seq), data: JSON.stringify({ event_id: `e${seq}`, ts: new Date(seq * 1000).toISOString(), seq, task_id: 't', ...body }) });
/** Every kind of thing that spans events: messages, calls with an end, runs of reads, turns with usage. */
const journal = (count: number): ServerEvent[] =>
  Array.from({ length: count }, (_, nth) => {
    const seq = nth + 1;
    const round = Math.floor(nth / 7);
    switch (nth % 7) {
      case 0: return event(seq, { type: 'assistant_message', blocks: [{ kind: 'text', content: `m${seq}` }] });
      case 1: return event(seq, { type: 'tool_call_started', tool_call_id: `r${round}`, tool: 'read', tool_name: 'Read', path: '/x' });
      case 2: return event(seq, { type: 'tool_call_finished', tool_call_id: `r${round}`, is_error: false });
      case 3: return event(seq, { type: 'tool_call_started', tool_call_id: `b${round}`, tool: 'bash', tool_name: 'Bash', command: 'x' });
      case 4: return event(seq, { type: 'tool_call_finished', tool_call_id: `b${round}`, is_error: false, output: 'y' });
      case 5: return event(seq, { type: 'usage_updated', input_tokens: seq, cached_tokens: 0, cache_write_tokens: 0, output_tokens: 1, reasoning_tokens: 0 });
      default: return event(seq, { type: 'turn_finished', outcome: 'completed' });
    }
  });
const ready: ServerEvent = { name: 'ready', id: undefined, data: '{}' };
const delta = (text: string): ServerEvent => ({ name: 'delta', id: undefined, data: JSON.stringify({ kind: 'text', key: 'k', text }) });
const whole = (events: ServerEvent[]) => takeAll(EMPTY, events, () => undefined);
const finish = (story: Story): void => {
  while (!story.join(50));
};

describe('a story', () => {
  it('of a short history is told as a whole', () => {
    const story = new Story(WHOLE_MAX);
    expect(story.whole).toBe(true);
    story.take([...journal(20), ready]);
    expect(story.ready).toBe(true);
    expect(story.now.rows).toEqual(whole(journal(20)).rows);
  });

  const COUNT = 2 * WHOLE_MAX;
  const all = journal(COUNT);
  const begun = (): Story => {
    const story = new Story(COUNT);
    story.take([...all.slice(-TAIL), ready]);
    return story;
  };

  it('begins with its end, and with no figure that it cannot know', () => {
    const story = begun();
    expect([story.whole, story.ready, story.now.lastSeq]).toEqual([false, true, COUNT]);
    const [turn, next] = story.now.rows.filter((row) => row.kind === 'turn');
    expect(turn).toMatchObject({ tokens: 0 });
    expect(next).toMatchObject({ tokens: 7 });
  });

  it('ends as if it had been told in one go, with every row under its key', () => {
    const story = begun();
    const last = story.now.rows.length - 1;
    const row = story.now.rows[last];
    for (let at = 0; !story.reached; at += 64) story.takeHistory(all.slice(at, at + 64));
    finish(story);
    expect(story.whole).toBe(true);
    expect(story.now).toEqual(whole(all));
    expect(story.now.rows[last - story.first]).toEqual(row);
  });

  it('keeps what comes while its history is read', () => {
    const story = begun();
    story.takeHistory(all.slice(0, 900));
    story.take([event(COUNT + 1, { type: 'notice', level: 'info', text: 'new' }), delta('stre')]);
    story.takeHistory(all.slice(900));
    expect(story.join(10)).toBe(false);
    story.take([delta('aming')]);
    finish(story);
    expect(story.now.rows.slice(-2)).toMatchObject([{ kind: 'notice', text: 'new' }, { kind: 'agent', text: 'streaming', live: true }]);
    expect(story.now.lastSeq).toBe(COUNT + 1);
  });

  it('tells no piece twice when the connection broke in between', () => {
    const story = begun();
    story.take([delta('lost')]);
    story.takeHistory(all);
    story.join(TAIL + 2);
    const other = begun();
    other.take([delta('lost')]);
    other.dropLive();
    other.take([delta('told again')]);
    other.takeHistory(all);
    finish(other);
    expect(other.now.rows.at(-1)).toMatchObject({ text: 'told again' });
    expect(other.now.rows.filter((row) => row.kind === 'agent' && row.live)).toHaveLength(1);
  });

  it('begins anew after a reset', () => {
    const story = begun();
    story.take([{ name: 'reset', id: undefined, data: '{}' }, ...journal(3), ready]);
    expect(story.whole).toBe(true);
    expect(story.now).toEqual(whole(journal(3)));
  });
});
