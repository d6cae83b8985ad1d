// Files that go with words, and one prompt on several agents: what the form asks for, what a conversation shows.
import { describe, expect, it } from 'vitest';
import { fileAddress } from '../../src/api/calls/hand';
import { EMPTY_FORM, alsoOf, formOf, specOf } from '../../src/features/compose/form';

const file = { sha256: 'a'.repeat(64), name: 'shot.png', media_type: 'image/png', size: 3 };

describe('hand', () => {
  it('asks for the files that were uploaded and for the other agents that were named', () => {
    const form = { ...EMPTY_FORM, prompt: 'x', pids: '64', also: [{ harness: 'codex', model: ' gpt ' }, { harness: '', model: '' }, { harness: 'pi', model: '' }] };
    expect(specOf(form, 'claude', [file])).toMatchObject({ attachments: [file], box: { pids: 64 } });
    expect(specOf(form, 'claude')).not.toHaveProperty('attachments');
    expect(alsoOf(form)).toEqual([{ harness: 'codex', model: 'gpt' }, { harness: 'pi' }]);
    expect(formOf(specOf(form, 'claude')).pids).toBe('64');
  });

  it('shows a file from its task once it was sent, and from the shelf of uploads before', () => {
    expect(fileAddress(file)).toBe(`/api/paddock/v1/attachments/${file.sha256}`);
    expect(fileAddress(file, 't/1')).toBe(`/api/paddock/v1/tasks/t%2F1/artifacts/${file.sha256}`);
  });
});
