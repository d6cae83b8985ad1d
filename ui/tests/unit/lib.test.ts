// Formatters, diffs, markdown, heights, shortcuts: everything in lib/ that needs no page.
import { describe, expect, it } from 'vitest';
import { markHtml, pairs, parseDiff, markWords, type DiffLine } from '../../src/lib/diff';
import { useLanguage } from '../../src/i18n';
import { age, below, bytes, cpu, elapsed, figure, firstLine, money, span, splitPath, tokens } from '../../src/lib/format';
import { fit } from '../../src/lib/fuzzy';
import { Heights } from '../../src/lib/heights';
import { strokeOf } from '../../src/lib/keys';
import { blockHtml, blocksOf } from '../../src/lib/markdown';

describe('formatters', () => {
  it.each([[0, '0 ms'], [999, '999 ms'], [4180, '4.1 s'], [9999, '9.9 s'], [12_400, '12 s'], [134_000, '2 m 14 s'], [120_000, '2 m'], [3_900_000, '1 h 5 m'], [100_800_000, '1 d 4 h']])('spans %d ms as %s', (ms, text) => expect(span(ms)).toBe(text));
  it('ticks by the second', () => expect([elapsed(0), elapsed(1999), elapsed(61_000)]).toEqual(['0 s', '1 s', '1 m 1 s']));
  it('tells ages in one unit', () => expect([age(5, 'now'), age(3_600_000, 'now'), age(172_800_000, 'now')]).toEqual(['now', '1 h', '2 d']));
  it('counts tokens', () => expect([tokens(840), tokens(12_400), tokens(1_500), tokens(1_000_000), tokens(999_600)]).toEqual(['840', '12 k', '1.5 k', '1 M', '1 M']));
  it('tells sizes', () => expect([bytes(0), bytes(999), bytes(1400), bytes(38_000_000)]).toEqual(['0 B', '999 B', '1.4 KB', '38 MB']));
  it('tells money', () => expect([money(0), money(0.004), money(0.42), money(128.4)]).toEqual(['$0.00', '$0.004', '$0.42', '$128']));
  it('writes figures as the language of the page does', async () => {
    const all = (): string[] => [span(4180), tokens(1_500), bytes(1400), money(0.42), money(0.004), money(128.4), cpu(1.54), figure(1.5), figure('2')];
    await useLanguage('de', false);
    const german = all();
    await useLanguage('en', false);
    expect(german).toEqual(['4,1 s', '1,5 k', '1,4 KB', '0,42\u00a0$', '0,004\u00a0$', '128\u00a0$', '1,5 %', '1,5', '2']);
    expect(all()).toEqual(['4.1 s', '1.5 k', '1.4 KB', '$0.42', '$0.004', '$128', '1.5 %', '1.5', '2']);
  });
  it('cuts paths', () => {
    expect(splitPath('src/a/b.rs')).toEqual({ dir: 'src/a/', name: 'b.rs' });
    expect([below('/r/src/x', '/r'), below('/r2/x', '/r'), below('/x', undefined)]).toEqual(['src/x', '/r2/x', '/x']);
  });
  it('takes the first line that says something', () => expect(firstLine('\n\n  one\ntwo')).toBe('one'));
});

describe('diffs', () => {
  const text = 'diff --git a/old name.rs b/new name.rs\nsimilarity index 90%\nrename from old name.rs\nrename to new name.rs\n--- a/old name.rs\n+++ b/new name.rs\n@@ -1,4 +1,4 @@ fn main\n one\n-let a = 1;\n+let b = 1;\n--- a dashed line\n+++ a plussed line\n four\n\\ No newline at end of file\ndiff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\ndiff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n';
  const files = parseDiff(text);

  it('reads files, renames, binaries and removals', () => {
    expect(files.map(({ path, kind, binary, added, removed }) => [path, kind, binary, added, removed])).toEqual([
      ['new name.rs', 'renamed', false, 2, 2],
      ['x.png', 'changed', true, 0, 0],
      ['gone', 'removed', false, 0, 1],
    ]);
    expect(files[0]?.renamedFrom).toBe('old name.rs');
  });

  it('takes lines that look like headers for lines while a hunk lasts', () => {
    expect(files[0]?.hunks[0]?.lines.map((line) => [line.side, line.text, line.old, line.new])).toEqual([
      ['same', 'one', 1, 1],
      ['removed', 'let a = 1;', 2, undefined],
      ['added', 'let b = 1;', undefined, 2],
      ['removed', '-- a dashed line', 3, undefined],
      ['added', '++ a plussed line', undefined, 3],
      ['same', 'four', 4, 4],
    ]);
  });

  it('marks the words that differ', () => {
    expect(files[0]?.hunks[0]?.lines[1]?.marks).toEqual([[4, 5]]);
    expect(files[0]?.hunks[0]?.lines[2]?.marks).toEqual([[4, 5]]);
  });

  it('pairs lines side by side', () => {
    const rows = pairs([{ side: 'removed', text: 'a' }, { side: 'removed', text: 'b' }, { side: 'added', text: 'c' }, { side: 'same', text: 'd' }]);
    expect(rows.map(([before, after]) => [before?.text, after?.text])).toEqual([['a', 'c'], ['b', undefined], ['d', 'd']]);
  });

  it('reads quoted paths and survives nonsense', () => {
    expect(parseDiff('diff --git "a/\\303\\244.rs" "b/\\303\\244.rs"\n--- "a/\\303\\244.rs"\n+++ "b/\\303\\244.rs"\n@@ -1 +1 @@\n-a\n+b\n')[0]?.path).toBe('ä.rs');
    for (const bad of ['', '@@', 'diff --git', '@@ -x +y @@\n+a', '+++ b/x\n', '\0\n\n']) expect(Array.isArray(parseDiff(bad))).toBe(true);
  });

  it('marks what was put into a line, and nothing where lines only share signs', () => {
    const marked = (before: string, after: string): (string[] | undefined)[] => {
      const lines: DiffLine[] = [{ side: 'removed', text: before }, { side: 'added', text: after }];
      markWords(lines);
      return lines.map(({ text, marks }) => marks?.map(([from, to]) => text.slice(from, to)));
    };
    expect(marked('open(path)', 'open(path, flags, { retries: 3, patience: "long" })')).toEqual([[], [', flags, { retries: 3, patience: "long" }']]);
    expect(marked('open(path, flags, { retries: 3, patience: "long" })', 'open(path)')).toEqual([[', flags, { retries: 3, patience: "long" }'], []]);
    expect(marked('}', 'if (a) { return b; }')).toEqual([undefined, undefined]);
    expect(marked('let total = 1;', 'const other_name = compute(the, whole, thing);')).toEqual([undefined, undefined]);
  });

  it('marks escaped HTML without breaking tags or entities', () => {
    expect(markHtml('<span>a&#60;</span>b', [[1, 3]])).toBe('<span>a<mark>&#60;</mark></span><mark>b</mark>');
  });
});

describe('markdown', () => {
  it('draws what agents write', () => {
    expect(blockHtml('**a** `b` [c](https://example.org)')).toContain('<strong>a</strong> <code>b</code> <a href="https://example.org"');
    expect(blocksOf('one\n\n```rust\nfn x() {}\n```').map((block) => block.code?.lang)).toEqual([undefined, 'rust']);
  });

  it.each([
    '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[x](javascript:alert(1))', '<a href="jAvascript:alert(1)">x</a>', '![x](https://evil.example/pixel.png)',
    '<iframe src="https://evil.example"></iframe>', '<svg onload=alert(1)>', '[x](data:text/html,<script>alert(1)</script>)', '<style>*{display:none}</style>', '`</code><script>1</script>`',
    '[x](//evil.example)', '<form action="https://evil.example"><input name=p></form>',
  ])('never runs or loads anything: %s', (hostile) => {
    const box = document.createElement('div');
    box.innerHTML = blocksOf(hostile).map((block) => blockHtml(block.raw)).join('');
    expect(box.querySelectorAll('script, img, iframe, svg, style, form, object, embed, link')).toHaveLength(0);
    for (const element of box.querySelectorAll('*')) for (const { name } of element.attributes) expect(name.startsWith('on')).toBe(false);
    for (const link of box.querySelectorAll('a')) {
      expect(link.getAttribute('href')).toMatch(/^(https?|mailto):/);
      expect(link.rel).toContain('noopener');
    }
  });

  it('keeps what was drawn while a message grows', () => {
    const before = blocksOf('one\n\ntwo');
    const after = blocksOf('one\n\ntwo and more');
    expect(before[0]).toEqual(after[0]);
  });
});

describe('heights', () => {
  it('keeps every row where it is when others come before it', () => {
    const heights = new Heights();
    heights.resize(900, (index) => 10 + (index % 7));
    heights.set(899, 500);
    const before = heights.sum;
    expect(heights.prepend(3000, () => 20)).toBe(60_000);
    expect([heights.length, heights.sum, heights.get(3899), heights.top(3000)]).toEqual([3900, before + 60_000, 500, 60_000]);
    expect([heights.at(59_999), heights.at(60_000), heights.at(60_010)]).toEqual([2999, 3000, 3001]);
    heights.set(0, 30);
    expect(heights.top(3000)).toBe(60_010);
  });

  it('agrees with plain sums, whatever is set, appended and cut', () => {
    const heights = new Heights();
    const plain: number[] = [];
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 400; round += 1) {
      const length = round % 50 === 49 ? Math.max(1, plain.length - random(30)) : plain.length + random(40);
      heights.resize(length, (index) => (index % 7) + 1);
      while (plain.length > length) plain.pop();
      while (plain.length < length) plain.push((plain.length % 7) + 1);
      if (length > 0) {
        const at = random(length);
        heights.set(at, random(90));
        plain[at] = heights.get(at);
      }
    }
    let sum = 0;
    plain.forEach((height, index) => {
      expect(heights.top(index)).toBe(sum);
      if (height > 0) expect(heights.at(sum)).toBe(index);
      sum += height;
    });
    expect(heights.top(plain.length)).toBe(sum);
    expect(heights.at(sum + 100)).toBe(plain.length - 1);
  });
});

describe('shortcuts and search', () => {
  const key = (init: KeyboardEventInit): string => strokeOf(new KeyboardEvent('keydown', init));
  it('writes key events as strokes', () => {
    expect(key({ key: 'k', ctrlKey: true })).toBe('mod+k');
    expect(key({ key: '?', shiftKey: true })).toBe('?');
    expect(key({ key: 'R', shiftKey: true })).toBe('shift+r');
    expect(key({ key: 'Enter', shiftKey: true })).toBe('shift+enter');
  });
  it('finds by letters in order and prefers starts of words', () => {
    expect(fit('xyz', 'abc')).toBeUndefined();
    expect(fit('fab', 'Fix the authentication bug')?.at).toEqual([0, 8, 23]);
    expect(fit('new', 'New task')!.score).toBeGreaterThan(fit('new', 'Next in window')!.score);
  });
});
