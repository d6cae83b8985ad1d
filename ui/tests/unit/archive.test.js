// A task as an archive: what is in it, what is said to be missing, and that other programs read it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tar } from '../../src/lib/tar';
import { archive } from '../../src/state/archive';

/** The bytes of parts that are no blobs, and of blobs of this environment, which has no way to read them but this. */
async function bytesOf(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(new Uint8Array(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('it cannot be read'));
    reader.readAsArrayBuffer(blob);
  });
}

/** What `tar` of this machine makes of an archive. */
async function unpacked(blob, read) {
  const dir = mkdtempSync(join(tmpdir(), 'paddock-tar-'));
  try {
    writeFileSync(join(dir, 'a.tar'), await bytesOf(blob));
    const names = execFileSync('tar', ['-tf', 'a.tar'], { cwd: dir, encoding: 'utf8' }).trim().split('\n');
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: dir });
    read(dir, names);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe('an archive', () => {
  it('holds files of every length, also below long folders', async () => {
    const long = `${'f'.repeat(60)}/artifacts/${'0'.repeat(64)}`;
    const files = [{ name: 'empty', content: new Blob([]) }, { name: 'block', content: new Blob(['x'.repeat(512)]) }, { name: long, content: new Blob(['grün']) }];
    await unpacked(new Blob(tar(files, 1_700_000_000_000)), (dir, names) => {
      expect(names).toEqual(['empty', 'block', long]);
      expect(readFileSync(join(dir, 'empty'), 'utf8')).toBe('');
      expect(readFileSync(join(dir, 'block'), 'utf8')).toBe('x'.repeat(512));
      expect(readFileSync(join(dir, long), 'utf8')).toBe('grün');
    });
  });
  it('takes no name that it would cut', () => {
    expect(() => tar([{ name: 'x'.repeat(101), content: new Blob([]) }], 0)).toThrow('too long');
  });
});

describe('an exported task', () => {
  afterEach(() => vi.unstubAllGlobals());
  const sha = 'a'.repeat(64);
  const other = 'b'.repeat(64);
  const EVENTS = [
    { seq: 1, type: 'session_started', task_description: 'Mend it', spec: { prompt: 'Mend it', harness: 'scripted', repositories: [{ path: '/r/my app' }] } },
    { seq: 2, type: 'user_message', input_id: 'i', content: 'Mend it', attachments: [{ sha256: sha, name: 'a.png', media_type: 'image/png', size: 3 }] },
    { seq: 3, type: 'tool_call_started', tool_call_id: 'c', tool: 'bash', tool_name: 'Bash', args: { sha256: 'c'.repeat(64) } },
    { seq: 4, type: 'tool_call_finished', tool_call_id: 'c', status: 'ok', stdout_ref: { sha256: other, size: 9 } },
    { seq: 5, type: 'assistant_message', blocks: [{ kind: 'text', content: 'It is mended.' }] },
  ].map((event) => ({ event_id: `e${event.seq}`, ts: '2026-11-22T10:00:00Z', task_id: 't-1', ...event }));

  /** A server that has the task and one of its two outputs. */
  function serve(end = 'event: ready\ndata: {}\n\n') {
    const asked = [];
    const refused = () => new Response(JSON.stringify({ error: { code: 'not_found', message: 'it is gone', details: null } }), { status: 404 });
    vi.stubGlobal('fetch', (path) => {
      asked.push(path.replace('/api/paddock/v1', ''));
      if (path.endsWith('/tasks/t-1')) return Promise.resolve(Response.json({ task_id: 't-1', title: 'Mend it', repositories: [{ path: '/r/my app' }] }));
      if (path.includes('/events')) return Promise.resolve(new Response(EVENTS.map((event) => `event: event\nid: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('') + end));
      if (path.endsWith(sha)) return Promise.resolve(new Response('png'));
      if (path.includes('/diff')) return Promise.resolve(new Response('a diff'));
      return Promise.resolve(refused());
    });
    return asked;
  }

  it('has its journal line by line, what was said, its outputs and diffs, and says what could not be had', async () => {
    const asked = serve();
    const { file, missing } = await archive('t-1');
    expect(missing).toEqual([`the output ${other}: it is gone`]);
    expect(asked.some((path) => path.includes('c'.repeat(64)))).toBe(false);
    const whole = new TextDecoder().decode(await bytesOf(file));
    for (const name of ['t-1/task.json', 't-1/journal.jsonl', 't-1/transcript.md', `t-1/artifacts`, '1-my_app.diff']) expect(whole).toContain(name.split('/').at(-1));
    expect(whole).toContain(`${EVENTS.map((event) => JSON.stringify(event)).join('\n')}\n`);
    expect(whole).toContain('# Mend it');
    expect(whole).toContain('It is mended.');
    expect(whole).toContain('a diff');
  });
  it('is none when its history ends before its end', async () => {
    serve('');
    await expect(archive('t-1')).rejects.toThrow('ended before its end');
  });
});
