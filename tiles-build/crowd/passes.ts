// Passes: the soundings that one track has in one finest bin, one after the other. Soundings of a pass
// share their errors, so a pass is the unit of all estimates.

/** A column of a pass, and how it is stored. */
const COLUMNS = {
  /** Coordinates of the finest bin. */
  x: Uint32Array,
  y: Uint32Array,
  /** Numbers of the track in its file, and of the platform in the state. */
  track: Uint32Array,
  platform: Uint32Array,
  /** Soundings. */
  count: Uint32Array,
  /** Mean, least depth and standard deviation, reduced to chart datum, without the platform's bias. */
  mean: Float32Array,
  least: Float32Array,
  spread: Float32Array,
  /** Mean position from the centre of the bin, in bins. */
  u: Float32Array,
  v: Float32Array,
  /** Sums of products of the deviations from the means: positions, and positions with depths. */
  uu: Float32Array,
  uv: Float32Array,
  vv: Float32Array,
  ud: Float32Array,
  vd: Float32Array,
  /** Standard deviation of the height of tide; half of the range if it is unknown. */
  tide: Float32Array,
  /** Days since 1970. */
  day: Uint16Array,
  flags: Uint8Array,
} as const;

type Columns = { -readonly [K in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[K]> };
export type Pass = { readonly [K in keyof typeof COLUMNS]: number };

/**
 * Flags of a pass: not reduced to chart datum; part of the published archive; released earlier, and removed when the
 * passes with the new soundings of its track are released.
 */
export const UNREDUCED = 1;
export const RELEASED = 2;
export const FORMER = 4;

const NAMES = Object.keys(COLUMNS) as (keyof Columns)[];
const RECORD_BYTES = NAMES.reduce((sum, name) => sum + COLUMNS[name].BYTES_PER_ELEMENT, 0);

/** A list of passes as columns, which grows. */
export class PassList {
  count = 0;
  columns: Columns;

  constructor(capacity = 64) {
    this.columns = makeColumns(capacity);
  }

  get weight(): number {
    return this.columns.x.length * RECORD_BYTES;
  }

  add(pass: Pass): void {
    if (this.count === this.columns.x.length) this.#grow();
    for (const name of NAMES) this.columns[name][this.count] = pass[name];
    this.count++;
  }

  /** Appends passes of another list that fulfil a condition. */
  addFrom(other: PassList, isWanted: (index: number) => boolean): void {
    for (let i = 0; i < other.count; i++) {
      if (!isWanted(i)) continue;
      if (this.count === this.columns.x.length) this.#grow();
      for (const name of NAMES) this.columns[name][this.count] = other.columns[name][i]!;
      this.count++;
    }
  }

  /**
   * Adds the passes of tracks that were reduced again, and removes their former ones. A pass with the same
   * soundings stays released. A released pass that has other soundings now stays as `FORMER`.
   * @param tracks numbers of these tracks
   */
  renew(tracks: ReadonlySet<number>, added: PassList): PassList {
    const { track, flags } = this.columns;
    const released = new Map<number, string>();
    for (let i = 0; i < this.count; i++)
      if (tracks.has(track[i]!) && (flags[i]! & RELEASED) !== 0)
        released.set(i, this.#soundingsOf(i));
    const known = new Set(released.values());
    const [same, changed] = [new Set<string>(), new Set<string>()];
    for (let i = 0; known.size > 0 && i < added.count; i++) {
      const soundings = added.#soundingsOf(i);
      if (known.has(soundings)) {
        added.columns.flags[i]! |= RELEASED;
        same.add(soundings);
      } else changed.add(added.#dayOf(i));
    }
    const kept = new PassList(this.count + added.count);
    kept.addFrom(this, (i) => {
      if (!tracks.has(track[i]!)) return true;
      const soundings = released.get(i);
      if (soundings === undefined || same.has(soundings) || !changed.has(this.#dayOf(i)))
        return false;
      flags[i]! |= FORMER;
      return true;
    });
    kept.addFrom(added, () => true);
    return kept;
  }

  /** The same for passes of a track in the same bin on the same day. */
  #dayOf(i: number): string {
    const { track, platform, x, y, day } = this.columns;
    return [track, platform, x, y, day].map((column) => column[i]).join(' ');
  }

  /** The same if a pass has the same soundings, whatever their heights of tide are. */
  #soundingsOf(i: number): string {
    const { track, x, y, day, count, u, v } = this.columns;
    return [track, x, y, day, count, u, v].map((column) => column[i]).join(' ');
  }

  #grow(): void {
    const larger = makeColumns(this.columns.x.length * 2);
    for (const name of NAMES) larger[name].set(this.columns[name]);
    this.columns = larger;
  }

  /** The columns one after the other. */
  toBytes(): Uint8Array {
    const parts = NAMES.map((name) => {
      const { buffer, BYTES_PER_ELEMENT } = this.columns[name];
      return Buffer.from(buffer, 0, this.count * BYTES_PER_ELEMENT);
    });
    return Buffer.concat(parts);
  }

  /** Number of passes in a file of this size. */
  static countIn(bytes: number): number {
    return bytes / RECORD_BYTES;
  }

  /** @throws RangeError unless the bytes are whole records */
  static fromBytes(bytes: Uint8Array): PassList {
    const count = PassList.countIn(bytes.length);
    if (!Number.isInteger(count)) throw new RangeError('The file of passes is cut short.');
    const list = new PassList(Math.max(1, count));
    let at = 0;
    for (const name of NAMES) {
      const column = list.columns[name];
      const length = count * column.BYTES_PER_ELEMENT;
      new Uint8Array(column.buffer, 0, length).set(bytes.subarray(at, at + length));
      at += length;
    }
    list.count = count;
    return list;
  }

  /** Indices in the order of bins; within a bin in the order of the list. */
  byBin(): Uint32Array {
    const { x, y } = this.columns;
    const keys = new Float64Array(this.count);
    for (let i = 0; i < this.count; i++) keys[i] = y[i]! * 2 ** 21 + x[i]!;
    return Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
  }
}

const makeColumns = (capacity: number): Columns =>
  Object.fromEntries(NAMES.map((name) => [name, new COLUMNS[name](capacity)])) as Columns;

/** Runs of indices with the same bin: `from` inclusive, `end` exclusive. */
export function* binsOf(
  { columns: { x, y } }: PassList,
  order: Uint32Array,
): Generator<readonly [from: number, end: number], void, undefined> {
  for (let from = 0; from < order.length; ) {
    const first = order[from]!;
    let end = from + 1;
    while (end < order.length && x[order[end]!] === x[first] && y[order[end]!] === y[first]) end++;
    yield [from, end];
    from = end;
  }
}
