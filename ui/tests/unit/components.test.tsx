// Components by keyboard, and what they tell a screen reader.
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { IconButton } from '../../src/components/Button';
import { CodeBlock } from '../../src/components/CodeBlock';
import { Field, Input, Segments } from '../../src/components/Field';
import { Markdown } from '../../src/components/Markdown';
import { Menu } from '../../src/components/Menu';
import { Status } from '../../src/components/Status';
import { Words } from '../../src/components/Words';
import { createAsked, type Asked } from '../../src/lib/asked';

let dispose: (() => void) | undefined;
function mount(view: () => unknown): HTMLElement {
  const root = document.createElement('div');
  document.body.append(root);
  dispose = render(view as never, root);
  return root;
}
afterEach(() => {
  dispose?.();
  document.body.replaceChildren();
});
const press = (key: string): boolean => document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('a piece of code', () => {
  it('is copied also where a page has no clipboard, and says when that fails', async () => {
    const copied: string[] = [];
    const execute = vi.fn(() => (copied.push((document.activeElement as HTMLTextAreaElement).value), true));
    vi.stubGlobal('navigator', { ...navigator, clipboard: undefined });
    document.execCommand = execute;
    const root = mount(() => <CodeBlock code="let a = 1;" />);
    const button = root.querySelector<HTMLElement>('.copy')!;
    button.click();
    await vi.waitFor(() => expect(button.getAttribute('aria-label')).toBe('Copied'), { timeout: 20_000 });
    expect(copied).toEqual(['let a = 1;']);
    document.execCommand = () => false;
    button.click();
    await vi.waitFor(() => expect(button.getAttribute('aria-label')).not.toMatch(/^Cop/), { timeout: 20_000 });
    expect(document.querySelectorAll('textarea').length).toBe(0);
    vi.unstubAllGlobals();
  });
});

describe('a menu', () => {
  const items = (run: (name: string) => void) => ['Copy', 'Restore', 'Remove'].map((label) => ({ label, run: () => run(label) }));
  const open = async (run: (name: string) => void) => {
    const root = mount(() => <Menu label="Actions" items={items(run)} trigger={(trigger) => <IconButton icon="more" label="More" {...trigger} />} />);
    const button = root.querySelector('button')!;
    button.focus();
    press('ArrowDown');
    await settle();
    return { root, button };
  };
  const focused = (): string | undefined => document.activeElement?.textContent?.trim();

  it('moves by arrows, ends and letters', async () => {
    await open(() => undefined);
    expect(focused()).toBe('Copy');
    press('ArrowUp');
    expect(focused()).toBe('Remove');
    press('ArrowDown');
    expect(focused()).toBe('Copy');
    press('End');
    expect(focused()).toBe('Remove');
    press('r');
    expect(focused()).toBe('Restore');
  });

  it('takes what is pressed, closes, and gives the focus back', async () => {
    const run = vi.fn();
    const { root, button } = await open(run);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    press('ArrowDown');
    (document.activeElement as HTMLElement).click();
    expect(run).toHaveBeenCalledExactlyOnceWith('Restore');
    expect(root.querySelector('[role=menu]')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('closes by Escape and does nothing', async () => {
    const run = vi.fn();
    const { button } = await open(run);
    press('Escape');
    expect(document.activeElement).toBe(button);
    expect(run).not.toHaveBeenCalled();
  });

  it('keeps the focus when its items are made anew', async () => {
    const [count, setCount] = createSignal(1);
    mount(() => <Menu label="Actions" items={[{ label: `Item ${count()}`, run: () => undefined }]} trigger={(trigger) => <IconButton icon="more" label="More" {...trigger} />} />);
    document.querySelector<HTMLElement>('button')!.click();
    await settle();
    setCount(2);
    expect(focused()).toBe('Item 2');
  });
});

describe('a field', () => {
  it('ties label, hint and problem to its control', () => {
    const [problem, setProblem] = createSignal<string>();
    const root = mount(() => (
      <Field label="Path" hint="Absolute" problem={problem()}>
        {(ids) => <Input {...ids} />}
      </Field>
    ));
    const input = root.querySelector('input')!;
    expect(root.querySelector('label')!.htmlFor).toBe(input.id);
    const described = (): string | null => document.getElementById(input.getAttribute('aria-describedby')!)!.textContent;
    expect(described()).toBe('Absolute');
    setProblem('There is none');
    expect(described()).toBe('There is none');
    expect(input.getAttribute('aria-invalid')).toBe('true');
  });

  it('is a group of radio buttons where one of a few is chosen', () => {
    const chosen = vi.fn();
    const root = mount(() => <Segments label="Box" options={[{ value: 'a', label: 'A' }, { value: 'b', label: 'B' }]} value="a" onChange={chosen} />);
    expect(root.querySelector('[role=radiogroup]')!.getAttribute('aria-label')).toBe('Box');
    root.querySelectorAll('input')[1]!.click();
    expect(chosen).toHaveBeenCalledWith('b');
  });
});

describe('content', () => {
  it('draws only the last block again while a message grows', async () => {
    const [text, setText] = createSignal('# Head\n\nfirst');
    const root = mount(() => <Markdown text={text()} growing />);
    const head = root.querySelector('h1');
    setText('# Head\n\nfirst and more');
    expect(root.querySelector('h1')).toBe(head);
    expect(root.textContent).toContain('first and more');
  });

  it('shows code between backticks and nothing else as special', () => {
    const root = mount(() => <Words text={'Run `paddock <b>` now'} />);
    expect(root.querySelector('code')!.textContent).toBe('paddock <b>');
    expect(root.textContent).toBe('Run paddock <b> now');
  });

  it('tells a state by a word, not by colour alone', () => {
    expect(mount(() => <Status tone="attention" shape="full" word="asking" />).textContent).toBe('asking');
  });
});

describe('what is asked for', () => {
  it('keeps what is there until the next answer, and takes no answer that is late', async () => {
    const waiting: ((text: string) => void)[] = [];
    const [about, setAbout] = createSignal<string | undefined>('a');
    let asked!: Asked<string>;
    mount(() => {
      asked = createAsked(about, (name) => new Promise<string>((resolve) => waiting.push((text) => resolve(`${name} ${text}`))));
      return <p>{asked() ?? (asked.loading ? 'loading' : 'none')}</p>;
    });
    const words = (): string | null => document.querySelector('p')!.textContent;
    expect(words()).toBe('loading');
    setAbout('b');
    waiting[0]?.('late');
    waiting[1]?.('first');
    await settle();
    expect(words()).toBe('b first');
    asked.again();
    expect([words(), asked.loading]).toEqual(['b first', true]);
    waiting[2]?.('second');
    await settle();
    expect([words(), asked.loading]).toEqual(['b second', false]);
  });

  it('says why there is no answer', async () => {
    let asked!: Asked<string>;
    mount(() => ((asked = createAsked(() => Promise.reject(new Error('gone')))), (<p>{String(asked.error ?? '')}</p>)));
    await settle();
    expect([asked(), document.querySelector('p')!.textContent]).toEqual([undefined, 'Error: gone']);
  });
});
