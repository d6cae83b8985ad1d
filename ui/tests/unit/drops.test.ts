// Which drags hold files and what of the clipboard is one, in a browser and in a window whose toolkit keeps them from the page.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { takesFiles } from '../../src/features/compose/takes';
import { holdsFiles } from '../../src/platform/drops';
import { en } from '../../src/i18n/en';
import { createAttached } from '../../src/state/attach';
import { toasts } from '../../src/state/toasts';

const invoke = vi.fn<(command: string) => Promise<unknown>>();
const inWindow = (): void => void vi.stubGlobal('__TAURI__', { core: { invoke } });
afterEach(() => {
  vi.unstubAllGlobals();
  invoke.mockReset();
  localStorage.clear();
});

const data = (...types: string[]): DataTransfer => ({ types, files: [], getData: () => '' }) as unknown as DataTransfer;
const FILE = ['text/uri-list', 'text/html'];
const LINK = ['text/plain', 'text/html', 'text/uri-list'];
const shot = { sha256: 'a'.repeat(64), name: 'shot.png', media_type: 'image/png', size: 3 };

/** What becomes of a drag of these types. */
function drop(types: string[], open = true) {
  const attached = createAttached('t');
  const takes = takesFiles(attached, () => open);
  const event = (): DragEvent => Object.assign(new Event('drop', { cancelable: true }), { dataTransfer: data(...types) }) as unknown as DragEvent;
  const [over, fell] = [event(), event()];
  takes.onDragOver(over);
  takes.onDrop(fell);
  return { attached, taken: [over.defaultPrevented, fell.defaultPrevented] };
}

describe('a drag', () => {
  it('holds files where it says so, anywhere', () => {
    expect(holdsFiles(data('Files'))).toBe(true);
    expect(holdsFiles(null)).toBe(false);
    expect(holdsFiles(data(...FILE))).toBe(false);
  });
  it('of addresses without words holds files in the window alone, and a link none there', () => {
    inWindow();
    expect(holdsFiles(data(...FILE))).toBe(true);
    expect(holdsFiles(data(...LINK))).toBe(false);
  });
});

describe('what is pasted into the reply', () => {
  const paste = (types: string[], files: File[] = []) => {
    const attached = createAttached('t');
    const event = Object.assign(new Event('paste', { cancelable: true }), { clipboardData: { ...data(...types), files } }) as unknown as ClipboardEvent;
    takesFiles(attached).onPaste(event);
    return { attached, taken: event.defaultPrevented };
  };
  it('is what the clipboard holds besides words, where the window keeps that from the page', async () => {
    inWindow();
    invoke.mockResolvedValue([shot]);
    // A picture has no type there, a file has its address.
    for (const types of [[], ['text/uri-list'], ['text/html']]) {
      localStorage.clear();
      const { attached, taken } = paste(types);
      expect(taken).toBe(true);
      await vi.waitFor(() => expect(attached.files()).toEqual([shot]));
    }
    expect(new Set(invoke.mock.calls.flat())).toEqual(new Set(['take_pasted']));
  });
  it('is left to the field where it is words, and in a browser', () => {
    expect(paste([]).taken).toBe(false);
    inWindow();
    expect(paste(['text/plain', 'text/html']).taken).toBe(false);
    expect(invoke).not.toHaveBeenCalled();
  });
});

describe('what is dropped on the reply in the window', () => {
  it('is taken by the shell and goes along', async () => {
    inWindow();
    invoke.mockResolvedValue([shot]);
    const { attached, taken } = drop(FILE);
    expect([taken, attached.busy()]).toEqual([[true, true], 1]);
    await vi.waitFor(() => expect(attached.files()).toEqual([shot]));
    expect([attached.busy(), invoke.mock.calls]).toEqual([0, [['take_dropped']]]);
  });
  it('stays with the draft that it was dropped on', async () => {
    inWindow();
    invoke.mockResolvedValue([shot]);
    const { attached } = drop(FILE);
    attached.open('another');
    await vi.waitFor(() => expect(attached.busy()).toBe(0));
    expect(attached.files()).toEqual([]);
    attached.open('t');
    expect(attached.files()).toEqual([shot]);
  });
  it('is told when it cannot be taken', async () => {
    inWindow();
    invoke.mockRejectedValue('/home/me/src is no plain file');
    const { attached } = drop(FILE);
    await vi.waitFor(() => expect(toasts().map(({ text }) => text)).toContain('/home/me/src is no plain file'));
    expect([attached.busy(), attached.files()]).toEqual([0, []]);
  });
  it('is told when it lies on another machine, of which the shell takes nothing', async () => {
    inWindow();
    invoke.mockResolvedValue([]);
    const { attached } = drop(FILE);
    await vi.waitFor(() => expect(toasts().map(({ text }) => text)).toContain(en.hand.notHere));
    expect([attached.busy(), attached.files()]).toEqual([0, []]);
  });
  it('is left alone where it is a link, and where the reply is closed', () => {
    inWindow();
    expect(drop(LINK).taken).toEqual([false, false]);
    expect(drop(FILE, false).taken).toEqual([false, false]);
    expect(invoke).not.toHaveBeenCalled();
  });
});
