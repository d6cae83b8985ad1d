// The page of a new task while what it asks for is on its way: what somebody chose there stands.
import { MemoryRouter, Route, createMemoryHistory } from '@solidjs/router';
import { render } from 'solid-js/web';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../src/api/client';
import type { HarnessView, SettingsView, TaskSpec } from '../../src/api/types';
import { NewTask } from '../../src/features/compose/NewTask';
import { EMPTY_FORM, agentOf, settle, usualOf } from '../../src/features/compose/form';

const SOON = { timeout: 20_000 };
const agent = (name: string, more: Partial<HarnessView['abilities']> = {}): HarnessView =>
  ({ name, installed: [{ version: '1' }], abilities: { permission_modes: ['full_auto', 'ask', 'plan'], efforts: ['high'], models: { choice: 'free', suggestions: [] }, ...more } }) as unknown as HarnessView;
const usual = usualOf({ 'task.harness': 'claude', 'task.model': 'opus', 'task.permission_mode': 'ask' });
const all = [agent('codex'), agent('claude')];

describe('a form of a new task', () => {
  it('has what the settings say where nobody chose', () => {
    expect(settle(EMPTY_FORM, usual, agentOf(EMPTY_FORM, usual, all))).toMatchObject({ harness: 'claude', model: 'opus', permission: 'ask' });
  });
  it('keeps what was chosen, also where that is what there was before', () => {
    const form = { ...EMPTY_FORM, permission: 'full_auto' as const, model: '' };
    expect(settle(form, usual, agentOf(form, usual, all))).toMatchObject({ harness: 'claude', model: '', permission: 'full_auto' });
  });
  it('gives the usual model to the usual agent alone', () => {
    const form = { ...EMPTY_FORM, harness: 'codex' };
    expect(settle(form, usual, agentOf(form, usual, all))).toMatchObject({ harness: 'codex', model: '', permission: 'ask' });
  });
  it('asks nothing of an agent that it cannot do, and forgets none of it', () => {
    const form = { ...EMPTY_FORM, effort: 'low', permission: 'plan' as const, model: 'm' };
    expect(settle(form, usual, agent('pi', { permission_modes: ['ask'], models: { choice: 'fixed' } as never }))).toMatchObject({ effort: '', permission: 'ask', model: '' });
    expect(settle({ ...form, effort: 'high' }, usual, agent('claude'))).toMatchObject({ effort: 'high', permission: 'plan', model: 'm' });
  });
});

describe('the page of a new task', () => {
  let tell!: (view: SettingsView) => void;
  let dispose: () => void;
  const created = vi.fn<(spec: TaskSpec) => Promise<never>>();
  beforeEach(() => {
    vi.spyOn(api, 'harnesses').mockResolvedValue(all);
    for (const list of ['repos', 'hosts', 'templates', 'accounts'] as const) vi.spyOn(api, list).mockResolvedValue([]);
    vi.spyOn(api, 'settings').mockReturnValue(new Promise((resolve) => (tell = resolve)));
    vi.spyOn(api, 'create').mockImplementation(created.mockRejectedValue(new Error('enough')));
    const root = document.createElement('div');
    document.body.append(root);
    const history = createMemoryHistory();
    dispose = render(() => <MemoryRouter history={history}><Route path="*" component={NewTask} /></MemoryRouter>, root);
  });
  afterEach(() => {
    dispose();
    document.body.replaceChildren();
    localStorage.clear();
    created.mockReset();
    vi.restoreAllMocks();
  });
  const mode = (value: string): HTMLInputElement => document.querySelector<HTMLInputElement>(`input[type=radio][value=${value}]`)!;
  const answer = (): void => tell({ values: { 'task.harness': 'claude', 'task.permission_mode': 'ask' } } as unknown as SettingsView);
  const start = (): void => {
    const area = document.querySelector('textarea')!;
    area.value = 'Do it';
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    document.querySelector('form')!.requestSubmit();
  };

  it.each(['full_auto', 'plan'])('keeps %s, chosen before the settings are known', async (chosen) => {
    await vi.waitFor(() => expect(mode('codex')).toBeTruthy(), SOON);
    mode(chosen).click();
    answer();
    await vi.waitFor(() => expect(mode('claude').checked).toBe(true), SOON);
    expect([mode(chosen).checked, mode('ask').checked]).toEqual([true, false]);
  });

  it('starts with what the settings say, however late they do', async () => {
    await vi.waitFor(() => expect(mode('codex')).toBeTruthy(), SOON);
    start();
    answer();
    await vi.waitFor(() => expect(created).toHaveBeenCalled(), SOON);
    expect(created.mock.calls[0]?.[0]).toMatchObject({ harness: 'claude', permission_mode: 'ask' });
  });
});
