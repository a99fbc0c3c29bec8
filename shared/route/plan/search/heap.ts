// A binary heap of (key, value) pairs in typed arrays. The least key comes first; among equal keys,
// the last pair added. The search therefore goes deep before it goes wide.

export class Heap {
  #keys = new Float64Array(1024);
  #values = new Int32Array(1024);
  size = 0;

  /** Value with the least key. The heap must not be empty. */
  top(): number {
    return this.#values[0]!;
  }

  topKey(): number {
    return this.#keys[0]!;
  }

  push(key: number, value: number): void {
    if (this.size === this.#keys.length) this.#grow();
    const keys = this.#keys;
    const values = this.#values;
    let i = this.size++;
    while (i > 0) {
      const above = (i - 1) >> 1;
      if (keys[above]! < key) break;
      keys[i] = keys[above]!;
      values[i] = values[above]!;
      i = above;
    }
    keys[i] = key;
    values[i] = value;
  }

  pop(): void {
    const size = --this.size;
    if (size === 0) return;
    const keys = this.#keys;
    const values = this.#values;
    const key = keys[size]!;
    const value = values[size]!;
    let i = 0;
    for (let child = 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      keys[i] = keys[child]!;
      values[i] = values[child]!;
      i = child;
    }
    keys[i] = key;
    values[i] = value;
  }

  clear(): void {
    this.size = 0;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    const values = new Int32Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
  }
}
