// Files that go with words, and one prompt on several agents: what the form asks for, what a conversation shows.
import { describe, expect, it } from 'vitest';
import { fileAddress } from '../../src/api/calls/hand';
import type { Body, JournalEvent } from '../../src/api/types';
import { EMPTY_FORM, alsoOf, formOf, settle, specOf, usualOf } from '../../src/features/compose/form';
import { conversationText } from '../../src/state/export';
import { EMPTY, fold } from '../../src/state/fold';

const file = { sha256: 'a'.repeat(64), name: 'shot.png', media_type: 'image/png', size: 3 };

/** A journal of these events. */
const journal = (bodies: Body[]): JournalEvent[] => bodies.map((body, nth) => ({ event_id: `e${nth}`, ts: '2026-11-22T12:00:00.000Z', seq: nth + 1, task_id: 't', ...body }));

describe('hand', () => {
  it('shows what was said before the task above its prompt, which stands there once', () => {
    const spec = { prompt: 'And now?', repositories: [], harness: 'claude', permission_mode: 'full_auto', host: 'local', box: {}, origin: { kind: 'session' } } as const;
    const { rows } = fold(EMPTY, journal([
      { type: 'session_started', task_description: 'And now?', coding_provider: 'claude', spec: { ...spec, repositories: [] } },
      { type: 'user_message', input_id: 'i', content: 'And now?' },
      { type: 'session_adopted', harness: 'claude', session_id: 's', messages: [{ by: 'user', text: 'Mend it' }, { by: 'tool', text: 'Bash ls' }], left_out: 3 },
    ]));
    expect(rows.map((row) => row.kind)).toEqual(['past', 'user', 'setup']);
    expect(rows[0]).toMatchObject({ leftOut: 3, messages: [{ text: 'Mend it' }, { text: 'Bash ls' }] });
    expect(rows[1]).toMatchObject({ inputId: 'i', text: 'And now?' });
    expect(conversationText(rows)).toBe('> Mend it\n\n[Bash ls]\n\n> And now?');
  });

  it('asks for the files that were uploaded and for the other agents that were named', () => {
    const form = { ...settle(EMPTY_FORM, usualOf({}), undefined), prompt: 'x', pids: '64', also: [{ harness: 'codex', model: ' gpt ' }, { harness: '', model: '' }, { harness: 'pi', model: '' }] };
    expect(specOf(form, [file])).toMatchObject({ attachments: [file], box: { pids: 64 } });
    expect(specOf(form)).not.toHaveProperty('attachments');
    expect(alsoOf(form)).toEqual([{ harness: 'codex', model: 'gpt' }, { harness: 'pi' }]);
    expect(formOf(specOf(form)).pids).toBe('64');
  });

  it('shows a file from its task once it was sent, and from the shelf of uploads before', () => {
    expect(fileAddress(file)).toBe(`/api/paddock/v1/attachments/${file.sha256}`);
    expect(fileAddress(file, 't/1')).toBe(`/api/paddock/v1/tasks/t%2F1/artifacts/${file.sha256}`);
  });
});
