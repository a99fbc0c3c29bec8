// A tree of the blocks of an avoided area, made as far as it is asked for. A block tests only the edges that
// touch the block around it, and what lies in a block without edges is known at once.

import { type Corridor, touchesBlock } from './corridor.ts';
import { EdgeBands } from './edge-bands.ts';

/** What a block contains. */
export type Content = 'border' | 'inside' | 'outside';

/** A block with edges, and those of its four parts that have been asked for. */
interface Divided {
  readonly edges: readonly Corridor[];
  readonly parts: (Divided | Content | undefined)[];
}

/** Maximum number of edges in the divided blocks that are kept. */
const MOST_EDGES = 262_144;

export class AreaTree {
  readonly #edges: readonly Corridor[];
  readonly #bands: EdgeBands;
  /** The level of a block that is at least as wide as the area. */
  readonly #rootLevel: number;
  readonly #roots = new Map<string, Divided | Content>();
  #last = { level: -1, x: 0, y: 0, root: 'outside' as Divided | Content };
  #kept = 0;
  #compared = 0;

  /**
   * @param edges of all rings of the area
   * @param width of the area, in cells
   */
  constructor(edges: readonly Corridor[], width: number) {
    this.#edges = edges;
    this.#bands = new EdgeBands(edges);
    this.#rootLevel = Math.ceil(Math.log2(width));
  }

  /** Number of edges compared with blocks and positions: a measure of work. */
  get compared(): number {
    return this.#compared + this.#bands.compared;
  }

  /** @param west of a block whose corner lies on the grid of its level, in whole cells, unwrapped */
  contentOf(level: number, west: number, north: number): Content {
    let at = Math.max(level, this.#rootLevel);
    let block = this.#rootOf(at, west >> at, north >> at);
    while (typeof block !== 'string') {
      if (at === level) return 'border';
      at--;
      const part = ((west >> at) & 1) | (((north >> at) & 1) << 1);
      const { edges, parts }: Divided = block;
      block = parts[part] ??= this.#made(edges, at, west >> at, north >> at);
    }
    return block;
  }

  #rootOf(level: number, x: number, y: number): Divided | Content {
    const last = this.#last;
    if (last.level === level && last.x === x && last.y === y && this.#kept <= MOST_EDGES)
      return last.root;
    if (this.#kept > MOST_EDGES) {
      this.#roots.clear();
      this.#kept = 0;
    }
    const key = `${level} ${x} ${y}`;
    const made = this.#roots.get(key) ?? this.#made(this.#edges, level, x, y);
    this.#roots.set(key, made);
    this.#last = { level, x, y, root: made };
    return made;
  }

  /** @param edgesAround edges that include all those of the block */
  #made(edgesAround: readonly Corridor[], level: number, x: number, y: number): Divided | Content {
    const size = 2 ** level;
    const [west, north] = [x * size, y * size];
    this.#compared += edgesAround.length;
    if (level === 0) {
      if (edgesAround.some((edge) => touchesBlock(edge, west, north, size))) return 'border';
    } else {
      const edges = edgesAround.filter((edge) => touchesBlock(edge, west, north, size));
      if (edges.length > 0) {
        this.#kept += edges.length;
        return { edges, parts: [] };
      }
    }
    return this.#bands.isInside(west + size / 2, north + size / 2) ? 'inside' : 'outside';
  }
}
