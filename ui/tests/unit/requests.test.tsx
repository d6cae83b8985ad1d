// What is asked, answered by keys: which of them answer, and which never do.
import { render } from 'solid-js/web';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../src/api/client';
import type { Approval, Task } from '../../src/api/types';
import { ApprovalCard } from '../../src/features/requests/ApprovalCard';
import { PlanCard } from '../../src/features/requests/PlanCard';
import { QuestionCard } from '../../src/features/requests/QuestionCard';
import { commands, isShortcut, keysOf, onKey, useCommands } from '../../src/lib/commands';

const approval: Approval = { approval_id: 'a', tool: 'bash', tool_name: 'Bash', summary: 'rm -rf /', input: { command: 'rm -rf /' }, scopes: ['once', 'task', 'repository', 'everywhere'] };
const task = { task_id: 't', spec: { harness: 'claude' } } as Task;
const went: string[] = [];
let dispose: (() => void) | undefined;

function Page(props: { children: unknown }) {
  const go = (id: string, keys: string) => ({ id, title: id, group: '', keys, run: () => void went.push(id) });
  useCommands(() => [go('tasks', 'g t'), go('next', 'g n'), go('reply', 'r'), go('request', 'a')]);
  return props.children as never;
}

function mount(card: () => unknown): void {
  const root = document.createElement('div');
  document.body.append(root);
  dispose = render(() => <Page>{card() as never}</Page>, root);
  root.querySelector<HTMLElement>('.card')?.focus();
}

/** Presses one key after the other where the focus is. */
function press(...keys: string[]): void {
  for (const key of keys) {
    const shiftKey = key.length === 1 && key !== key.toLowerCase();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
  }
}

beforeEach(() => {
  vi.spyOn(api, 'harnesses').mockResolvedValue([]);
  document.addEventListener('keydown', onKey);
});
afterEach(() => {
  document.removeEventListener('keydown', onKey);
  dispose?.();
  document.body.replaceChildren();
  went.length = 0;
  vi.restoreAllMocks();
});

describe('a permission', () => {
  it('is never given by a key that leads elsewhere', () => {
    const decide = vi.spyOn(api, 'decide').mockResolvedValue(undefined as never);
    mount(() => <ApprovalCard task={task} approval={approval} />);
    press('t', 'r', 'a', 'g', 't', 'g', 'n', 'g', 'y');
    expect(decide).not.toHaveBeenCalled();
    expect(went).toEqual(['reply', 'request', 'tasks', 'next']);
  });

  it.each([['y', 'once'], ['T', 'task'], ['O', 'repository'], ['A', 'everywhere']])('is given by %s, as the cheat sheet says: %s', (key, scope) => {
    const decide = vi.spyOn(api, 'decide').mockResolvedValue(undefined as never);
    mount(() => <ApprovalCard task={task} approval={approval} />);
    const told = commands().find((one) => one.id === `card-${scope}`);
    expect(told && keysOf(told)).toBe(key === 'y' ? 'y' : `shift+${key.toLowerCase()}`);
    press(key);
    expect(decide).toHaveBeenCalledWith('t', 'a', { verdict: 'allow', scope }, undefined);
  });

  it('is not given by a key that is still held', () => {
    const decide = vi.spyOn(api, 'decide').mockResolvedValue(undefined as never);
    mount(() => <ApprovalCard task={task} approval={approval} />);
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', repeat: true, bubbles: true, cancelable: true }));
    expect(decide).not.toHaveBeenCalled();
  });

  it('leaves its own keys to the card alone', () => {
    mount(() => <ApprovalCard task={task} approval={approval} />);
    expect(isShortcut(new KeyboardEvent('keydown', { key: 'y' }))).toBe(false);
    (document.activeElement as HTMLElement).blur();
    const decide = vi.spyOn(api, 'decide');
    press('y');
    expect(decide).not.toHaveBeenCalled();
  });
});

describe('a plan', () => {
  it('is approved by its key, and by none that leads elsewhere', () => {
    const decide = vi.spyOn(api, 'decidePlan').mockResolvedValue(undefined as never);
    mount(() => <PlanCard task={task} plan={{ plan_id: 'p', text: 'First this' }} />);
    press('g', 'n', 'g', 'y');
    expect(decide).not.toHaveBeenCalled();
    press('y');
    expect(decide).toHaveBeenCalledWith('t', 'p', { verdict: 'approve' });
  });

  it('is sent from its editor by a key', async () => {
    const decide = vi.spyOn(api, 'decidePlan').mockResolvedValue(undefined as never);
    mount(() => <PlanCard task={task} plan={{ plan_id: 'p', text: 'First this' }} />);
    press('e');
    const area = document.querySelector('textarea')!;
    area.value = 'First that';
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    expect(decide).not.toHaveBeenCalled();
    area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }));
    expect(decide).toHaveBeenCalledWith('t', 'p', { verdict: 'approve', text: 'First that' });
  });
});

describe('a question', () => {
  it('leaves Enter alone until there is something to send', () => {
    const answer = vi.spyOn(api, 'answer').mockResolvedValue(undefined as never);
    const open = (): void => void went.push('open');
    mount(() => {
      useCommands(() => [{ id: 'open', title: 'open', group: '', keys: 'enter', run: open }]);
      return <QuestionCard task={task} question={{ question_id: 'q', text: 'Which?', multiple: false, choices: [{ label: 'red' }, { label: 'blue' }] }} />;
    });
    press('Enter');
    expect([went, answer.mock.calls.length]).toEqual([['open'], 0]);
    press('2', 'Enter');
    expect(answer).toHaveBeenCalledWith('t', 'q', { choices: ['blue'] });
    expect(went).toEqual(['open']);
  });
});
