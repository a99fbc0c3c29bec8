// Fragments: the part of each tile that one owner contributes, in tile id order.

import { zxyToTileId } from 'pmtiles';

export interface Fragment {
  readonly tileId: number;
  readonly bytes: Uint8Array;
}

/** Tile id of a column that may exceed the width of the world. */
export function tileIdOf(zoom: number, column: number, row: number): number {
  const size = 2 ** zoom;
  return zxyToTileId(zoom, ((column % size) + size) % size, row);
}

export function inTileOrder(fragments: Fragment[]): Fragment[] {
  return fragments.sort((a, b) => a.tileId - b.tileId);
}

/**
 * Joins two streams of fragments in tile id order. For a tile in both, the bytes are concatenated;
 * for vector tiles this joins their layers if no layer name is in both.
 */
export function* joinInTileOrder(
  first: Iterable<Fragment>,
  second: Iterable<Fragment>,
): Generator<Fragment, void, undefined> {
  const others = second[Symbol.iterator]();
  let other = others.next();
  for (const one of first) {
    while (!other.done && other.value.tileId < one.tileId) {
      yield other.value;
      other = others.next();
    }
    if (other.done || other.value.tileId !== one.tileId) {
      yield one;
      continue;
    }
    const { bytes } = other.value;
    const joined = new Uint8Array(one.bytes.length + bytes.length);
    joined.set(one.bytes);
    joined.set(bytes, one.bytes.length);
    yield { tileId: one.tileId, bytes: joined };
    other = others.next();
  }
  for (; !other.done; other = others.next()) yield other.value;
}

/**
 * A 53-bit integer from a text (two 32-bit FNV-1a hashes with different seeds): feature ids of
 * vector tiles that are equal between builds.
 */
export function numberFromKey(key: string): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x01000193) ^ (high >>> 15);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
