// Heights of a long list: known where a row was measured, guessed where not; sums and the row at a
// place in O(log n) by a Fenwick tree. Rows are appended, replaced in place, cut off the end, or put
// before all others.

export class Heights {
  private tree = new Float64Array(1024);
  private own = new Float64Array(1024);
  private count = 0;

  get length(): number {
    return this.count;
  }

  /** The height of all rows together. */
  get sum(): number {
    return this.top(this.count);
  }

  /** Makes the list `length` long; new rows are as high as `guess` says. */
  resize(length: number, guess: (index: number) => number): void {
    while (this.count > length) {
      this.set(this.count - 1, 0);
      this.count -= 1;
    }
    this.reserve(length);
    while (this.count < length) {
      const index = this.count;
      this.count += 1;
      this.set(index, guess(index));
    }
  }

  /** Puts `count` rows before the first, as high as `guess` says; how high they are together. */
  prepend(count: number, guess: (index: number) => number): number {
    this.reserve(this.count + count);
    this.own.copyWithin(count, 0, this.count);
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      const height = guess(index);
      this.own[index] = height;
      sum += height;
    }
    this.count += count;
    this.build();
    return sum;
  }

  get(index: number): number {
    return this.own[index] ?? 0;
  }

  /** Sets a row's height; how much it grew. */
  set(index: number, height: number): number {
    const grown = height - (this.own[index] ?? 0);
    if (grown === 0) return 0;
    this.own[index] = height;
    for (let at = index + 1; at < this.tree.length; at += at & -at) this.tree[at] = (this.tree[at] ?? 0) + grown;
    return grown;
  }

  /** Where row `index` begins; for the length of the list, where it ends. */
  top(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.count); at > 0; at -= at & -at) sum += this.tree[at] ?? 0;
    return sum;
  }

  /** The row at `place`; the last one below the end, 0 above the start. */
  at(place: number): number {
    let index = 0;
    let left = place;
    for (let step = this.tree.length >> 1; step > 0; step >>= 1) {
      const next = index + step;
      const sum = this.tree[next];
      if (sum !== undefined && next <= this.count && sum <= left) {
        index = next;
        left -= sum;
      }
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }

  private reserve(length: number): void {
    if (length < this.own.length) return;
    const size = 2 ** Math.ceil(Math.log2(length + 1) + 1);
    const old = this.own;
    this.own = new Float64Array(size);
    this.own.set(old);
    this.build();
  }

  /** The tree from the heights, in one pass. */
  private build(): void {
    const size = this.own.length;
    this.tree = new Float64Array(size);
    for (let at = 1; at < size; at += 1) {
      this.tree[at] = (this.tree[at] ?? 0) + (this.own[at - 1] ?? 0);
      const parent = at + (at & -at);
      if (parent < size) this.tree[parent] = (this.tree[parent] ?? 0) + (this.tree[at] ?? 0);
    }
  }
}
