// The query buckets of one owner: squares at the zoom of its band, and smaller ones where a better
// cell has part of the ground, so that queries on the better cell's ground need not read them.

import { type Box, boundsOf, boxesMeet, clipRing, type Flat } from '../../shared/geo/clip-box.ts';
import { coverNothing, shareOfBox } from '../../shared/geo/rings-in-box.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { LAST_NEAR_ZOOM } from '../../shared/query/bucket-layers.ts';
import { FULL_CIRCLE } from '../quilt/coverage.ts';
import type { Face } from '../quilt/ownership.ts';
import type { Frame } from './frame.ts';

/** The nodes of the quadtree above buckets, and the buckets. */
export class QueryLeaves {
  readonly frame: Frame;
  readonly #kinds = new Map<string, 'above' | 'leaf'>();

  /** @param zoom zoom of the buckets where the owner has all the ground */
  constructor(face: Face, frame: Frame, zoom: number) {
    this.frame = frame;
    const better = [...face.better, ...(face.bare?.better ?? [])].map(boundsOf);
    const visit = (node: TileId, part: readonly Flat[]): boolean => {
      const box = this.boxOf(node);
      const kept = part.map((ring) => clipRing(ring, box)).filter((ring) => ring.length > 0);
      if (coverNothing(kept, box)) return false;
      const isSeam = shareOfBox(kept, box) < 1 && better.some((other) => boxesMeet(other, box));
      if (node.z < zoom || (isSeam && node.z < LAST_NEAR_ZOOM)) {
        const found = childrenOf(node).filter((child) => visit(child, kept)).length > 0;
        if (found) this.#kinds.set(nameOf(node), 'above');
        return found;
      }
      this.#kinds.set(nameOf(node), 'leaf');
      return true;
    };
    for (const shift of [-FULL_CIRCLE, 0, FULL_CIRCLE]) {
      const rings = face.rings.map((ring) =>
        shift === 0 ? ring : ring.map((value, i) => (i % 2 === 0 ? value - shift : value)),
      );
      visit({ z: 0, x: 0, y: 0 }, rings);
    }
  }

  kindOf(node: TileId): 'above' | 'leaf' | undefined {
    return this.#kinds.get(nameOf(node));
  }

  boxOf({ z, x, y }: TileId): Box {
    return this.frame.box(z, x, y);
  }

  /** The bucket of a position; one of the smallest if rounding at a border left it without one. */
  leafAt(x: number, y: number): TileId {
    const deep = bucketAt(this.frame, LAST_NEAR_ZOOM, x, y);
    for (let z = 0; z <= LAST_NEAR_ZOOM; z++) {
      const up = 2 ** (LAST_NEAR_ZOOM - z);
      const node = { z, x: Math.floor(deep.x / up), y: Math.floor(deep.y / up) };
      if (this.kindOf(node) === 'leaf') return node;
    }
    this.#kinds.set(nameOf(deep), 'leaf');
    return deep;
  }
}

/**
 * The tile of a zoom that contains a position; positions at the ends of the world use the last
 * tile.
 */
export function bucketAt(frame: Frame, z: number, x: number, y: number): TileId {
  const last = 2 ** z - 1;
  const up = 2 ** (frame.zoom - z);
  const within = (value: number) => Math.min(Math.max(Math.floor(value / up), 0), last);
  return { z, x: within(frame.columnAt(x)), y: within(frame.rowAt(y)) };
}

export const childrenOf = ({ z, x, y }: TileId): TileId[] =>
  [0, 1, 2, 3].map((i) => ({ z: z + 1, x: 2 * x + (i & 1), y: 2 * y + (i >> 1) }));

const nameOf = ({ z, x, y }: TileId): string => `${z}/${x}/${y}`;
