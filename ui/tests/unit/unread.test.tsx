// A list that could not be read says so and is asked for again; one that is empty says nothing.
import { render } from 'solid-js/web';
import { expect, it, vi } from 'vitest';
import { MemoryRouter, Route } from '@solidjs/router';
import { api } from '../../src/api/client';
import { FirstRun } from '../../src/features/system/FirstRun';
import { Unread } from '../../src/components/Unread';
import { createAsked } from '../../src/lib/asked';

it('a list that could not be read is told apart from an empty one', async () => {
  const soon = { timeout: 30_000 };
  const ask = vi.fn<() => Promise<string[]>>().mockRejectedValueOnce(new Error('the server is gone')).mockResolvedValue([]);
  const root = document.createElement('div');
  document.body.append(root);
  const dispose = render(() => {
    const list = createAsked(ask);
    return <Unread list={list} what="Templates" />;
  }, root);
  await vi.waitFor(() => expect(root.textContent).toContain('Templates could not be read: the server is gone'), soon);
  root.querySelector('button')!.click();
  await vi.waitFor(() => expect(root.textContent).toBe(''), soon);
  expect(ask).toHaveBeenCalledTimes(2);
  dispose();
  root.remove();
});

it('what is wrong with this machine is asked for again on the first page of all', async () => {
  const soon = { timeout: 30_000 };
  vi.spyOn(api, 'harnesses').mockResolvedValue([]);
  vi.spyOn(api, 'doctor').mockRejectedValueOnce(new Error('the server is busy')).mockResolvedValue([{ name: 'git', ok: true, detail: '2.47' }] as never);
  const root = document.createElement('div');
  document.body.append(root);
  const dispose = render(() => <MemoryRouter><Route path="*" component={FirstRun} /></MemoryRouter>, root);
  await vi.waitFor(() => expect(root.textContent).toContain('Checks could not be read: the server is busy'), soon);
  root.querySelector<HTMLElement>('.callout button')!.click();
  await vi.waitFor(() => expect(root.querySelector('.checks')?.textContent).toContain('git 2.47'), soon);
  expect(root.textContent).not.toContain('could not be read');
  dispose();
  root.remove();
  vi.restoreAllMocks();
});
