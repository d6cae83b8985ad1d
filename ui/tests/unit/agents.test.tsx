// The list of agent programs: what is typed or went wrong for one stays while the others change.
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../src/api/client';
import type { HarnessView } from '../../src/api/types';
import { Agents } from '../../src/features/system/Agents';
import type { Asked } from '../../src/lib/asked';

const view = (name: string, version?: string): HarnessView => ({ name, installed: version === undefined ? [] : [{ version }], provider_set: [] }) as unknown as HarnessView;

let dispose: (() => void) | undefined;
function mount(harnesses: () => HarnessView[]): HTMLElement {
  const root = document.createElement('div');
  document.body.append(root);
  dispose = render(() => <Agents harnesses={Object.assign(() => harnesses(), { error: undefined, loading: false, again: () => undefined }) as Asked<HarnessView[]>} onChange={() => undefined} />, root);
  return root;
}
afterEach(() => {
  dispose?.();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});
const button = (root: HTMLElement, label: string): HTMLButtonElement => root.querySelector<HTMLButtonElement>(`button[aria-label^="${label}"]`)!;

describe('the list of agents', () => {
  it('keeps a typed key and the focus when another agent changes', () => {
    const [all, setAll] = createSignal([view('claude', '2.0'), view('codex')]);
    const root = mount(all);
    button(root, 'Set').click();
    const field = root.querySelector('input')!;
    field.focus();
    field.value = 'secret';
    setAll([view('claude', '2.0'), view('codex', '1.4')]);
    expect(root.textContent).toContain('1.4');
    expect([root.querySelector('input'), document.activeElement, field.value]).toEqual([field, field, 'secret']);
  });

  it('tells what went wrong with an installation also who comes later', async () => {
    let fail!: (error: Error) => void;
    const installing = vi.spyOn(api, 'install').mockReturnValue(new Promise((_, reject) => (fail = reject)));
    const [all] = createSignal([view('codex')]);
    const first = mount(all);
    button(first, 'Install').click();
    dispose?.();
    fail(new Error('no space is left'));
    const later = mount(all);
    await vi.waitFor(() => expect(later.textContent).toContain('No space is left'), { timeout: 20_000 });
    installing.mockReturnValue(new Promise(() => undefined));
    button(later, 'Try again').click();
    expect(later.textContent).not.toContain('No space is left');
  });
});
