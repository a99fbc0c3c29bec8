// Finds duplicate tile contents in an archive: an open-addressing hash table from content hash to
// place, in typed arrays. A million contents need 40 MB.

/** Bytes of a content hash: SHA-256, cut to 128 bits. */
export const HASH_BYTES = 16;

/** Maximum number of remembered contents. Further contents are stored without a duplicate check. */
const MAX_CONTENTS = 1 << 20;
const SLOTS = MAX_CONTENTS * 2;

/** Place of a content in the tile data. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Remembers contents by hash. One instance per archive. */
export class ContentIndex {
  private count = 0;
  /** Index of a content plus one; 0 is a free slot. */
  private readonly slots = new Uint32Array(SLOTS);
  private hashes = new Uint32Array(4 * 1024);
  private offsets = new Float64Array(1024);
  private lengths = new Uint32Array(1024);

  /** The place of a known content. If it is unknown, stores `place` and returns `undefined`. */
  findOrAdd(hash: Uint8Array, place: Place): Place | undefined {
    const words = wordsOf(hash);
    let slot = words[0] % SLOTS;
    for (; this.slots[slot] !== 0; slot = (slot + 1) % SLOTS) {
      const found = this.slots[slot]! - 1;
      if (this.hasHash(found, words)) {
        return { offset: this.offsets[found]!, length: this.lengths[found]! };
      }
    }
    if (this.count < MAX_CONTENTS) this.slots[slot] = this.add(words, place) + 1;
    return undefined;
  }

  private hasHash(index: number, words: Words): boolean {
    const at = index * 4;
    return (
      this.hashes[at] === words[0] &&
      this.hashes[at + 1] === words[1] &&
      this.hashes[at + 2] === words[2] &&
      this.hashes[at + 3] === words[3]
    );
  }

  private add(words: Words, place: Place): number {
    if (this.count === this.lengths.length) this.grow();
    const index = this.count++;
    this.hashes.set(words, index * 4);
    this.offsets[index] = place.offset;
    this.lengths[index] = place.length;
    return index;
  }

  private grow(): void {
    const size = this.lengths.length * 2;
    this.hashes = copyInto(new Uint32Array(size * 4), this.hashes);
    this.offsets = copyInto(new Float64Array(size), this.offsets);
    this.lengths = copyInto(new Uint32Array(size), this.lengths);
  }
}

type Words = readonly [number, number, number, number];

function wordsOf(hash: Uint8Array): Words {
  const view = new DataView(hash.buffer, hash.byteOffset, HASH_BYTES);
  return [view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)];
}

function copyInto<T extends Uint32Array | Float64Array>(larger: T, smaller: T): T {
  larger.set(smaller);
  return larger;
}
