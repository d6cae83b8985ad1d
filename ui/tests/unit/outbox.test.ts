// Messages on their way: what a page that is closed meanwhile keeps of them, and for how long.
import { beforeEach, describe, expect, it, vi } from 'vitest';

type Answer = () => Promise<unknown>;

/** The outbox as a page has it that was just loaded, with a server that answers so. */
async function page(answer: Answer) {
  vi.resetModules();
  const { api } = await import('../../src/api/client');
  const send = vi.spyOn(api, 'send').mockImplementation(answer as never);
  return { ...(await import('../../src/state/outbox')), send };
}
const never: Answer = () => new Promise(() => undefined);
const taken: Answer = async () => undefined;
const refused: Answer = async () => Promise.reject(new Error('the queue is full'));

beforeEach(() => localStorage.clear());

describe('a message', () => {
  it('outlives the page until the server has taken it', async () => {
    const first = await page(never);
    void first.sendMessage('t', 'Mend it', 'now', []);
    const [before] = first.outgoing('t');
    const second = await page(taken);
    expect(second.outgoing('t')).toMatchObject([{ id: before?.id, text: 'Mend it', problem: expect.any(String) }]);
    await second.sendAgain(before?.id ?? '');
    expect(second.send).toHaveBeenCalledWith('t', { input_id: before?.id, text: 'Mend it' });
    expect((await page(never)).outgoing('t')).toEqual([]);
  });

  it('that was refused is kept until the user gives it up', async () => {
    const first = await page(refused);
    expect(await first.sendMessage('t', 'Mend it')).toBe('The queue is full');
    const second = await page(never);
    const [one] = second.outgoing('t');
    second.drop(one?.id ?? '');
    expect([one?.text, second.outgoing('t').length, (await page(never)).outgoing('t').length]).toEqual(['Mend it', 0, 0]);
  });

  it('of those that are kept the newest stay, and what is no message is passed over', async () => {
    const first = await page(refused);
    let now = 1;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 1));
    for (let nth = 0; nth < first.KEPT_MAX + 3; nth += 1) await first.sendMessage('t', `${nth}`);
    clock.mockRestore();
    localStorage.setItem('paddock.outbox.bad', '{"id":1}');
    const texts = (await page(never)).outgoing('t').map((one) => one.text);
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([first.KEPT_MAX, '3', `${first.KEPT_MAX + 2}`]);
  });

  it('that is sent again from where it was written is the same', async () => {
    const first = await page(refused);
    await first.sendMessage('t', 'Mend it', 'now', [], 'x');
    first.send.mockResolvedValue(undefined as never);
    expect(await first.sendMessage('t', 'Mend it', 'now', [], 'x')).toBeUndefined();
    expect(first.outgoing('t').map((one) => one.id)).toEqual(['x']);
  });
});
