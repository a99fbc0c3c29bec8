// Where cells make tiles, as few boxes. Only the tiles that a box touches matter, so boxes of one
// band that together touch a rectangle of tiles are merged into one.

import type { Box } from '../../shared/geo/clip-box.ts';
import { remembered } from '../../shared/geo/map-entries.ts';
import { lowerBound } from '../../shared/geo/sorted.ts';

/** A cell's box in units of the Mercator square, and the zooms of its band. */
export interface MakerBox extends Box {
  readonly minZoom: number;
  readonly maxZoom: number;
}

/** Columns and rows of tiles, inclusive. */
interface Tiles {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * The boxes of all cells, by location. They are stored as rows of tiles, so that a lookup stays
 * fast with thousands of cells nearby.
 */
export class MakerRows {
  readonly #bands: readonly BandRows[];

  /**
   * @param zoom zoom of the tiles by which boxes are merged, if deeper than the band's `maxZoom`
   */
  constructor(makers: readonly MakerBox[], zoom: number) {
    const bands = new Map<string, BandRows>();
    for (const maker of makers) {
      const { minZoom, maxZoom } = maker;
      const key = `${minZoom} ${maxZoom}`;
      const band = remembered(
        bands,
        key,
        () => new BandRows({ minZoom, maxZoom }, 2 ** Math.max(maxZoom, zoom)),
      );
      band.add(maker);
    }
    this.#bands = [...bands].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, band]) => band);
  }

  /**
   * Boxes that touch the same tiles as all original boxes, limited to the tiles that `box` touches.
   */
  near(box: Box): readonly MakerBox[] {
    return this.#bands.flatMap((band) => band.near(box));
  }
}

/** Alternating first and last columns of a row; sorted and disjoint after packing. */
interface Row {
  runs: number[];
  /** Length of `runs` after the last packing. */
  packed: number;
}

/** A row is packed when it has doubled in length and is at least this long. */
const MIN_TO_PACK = 64;

class BandRows {
  readonly #zooms: Pick<MakerBox, 'minZoom' | 'maxZoom'>;
  readonly #size: number;
  readonly #rows = new Map<number, Row>();
  #order: readonly number[] | undefined;

  /** @param size number of tiles along a side of the Mercator square */
  constructor(zooms: Pick<MakerBox, 'minZoom' | 'maxZoom'>, size: number) {
    this.#zooms = zooms;
    this.#size = size;
  }

  add(box: Box): void {
    const { left, right, top, bottom } = tilesTouched(box, this.#size);
    this.#order = undefined;
    for (let y = top; y <= bottom; y++) {
      const row = remembered(this.#rows, y, () => ({ runs: [], packed: 0 }));
      row.runs.push(left, right);
      if (row.runs.length > Math.max(MIN_TO_PACK, 2 * row.packed)) pack(row);
    }
  }

  near(box: Box): MakerBox[] {
    const order = this.#inOrder();
    const window = tilesTouched(box, this.#size);
    const found: Tiles[] = [];
    for (let i = lowerBound(order, window.top); order[i]! <= window.bottom; i++) {
      const y = order[i]!;
      const { runs } = this.#rows.get(y)!;
      for (let k = runFrom(runs, window.left); runs[k]! <= window.right; k += 2) {
        const left = Math.max(runs[k]!, window.left);
        const right = Math.min(runs[k + 1]!, window.right);
        found.push({ left, right, top: y, bottom: y });
      }
    }
    return oneBelowAnother(found).map(({ left, right, top, bottom }) => ({
      // From the middle of the first tile to the middle of the last, so that no other tile is
      // touched.
      left: (left + 0.5) / this.#size,
      right: (right + 0.5) / this.#size,
      top: (top + 0.5) / this.#size,
      bottom: (bottom + 0.5) / this.#size,
      ...this.#zooms,
    }));
  }

  /** Numbers of the occupied rows, in order. */
  #inOrder(): readonly number[] {
    if (this.#order === undefined) {
      for (const row of this.#rows.values()) pack(row);
      this.#order = [...this.#rows.keys()].sort((a, b) => a - b);
    }
    return this.#order;
  }
}

/** A box that ends on the border of a tile also touches the next tile. */
function tilesTouched({ left, right, top, bottom }: Box, size: number): Tiles {
  return {
    left: Math.ceil(left * size - 1),
    right: Math.floor(right * size),
    top: Math.ceil(top * size - 1),
    bottom: Math.floor(bottom * size),
  };
}

/** Sorts the runs of a row and merges adjacent ones. */
function pack(row: Row): void {
  const { runs } = row;
  const starts = Array.from({ length: runs.length / 2 }, (_, i) => 2 * i).sort(
    (a, b) => runs[a]! - runs[b]!,
  );
  const packed: number[] = [];
  for (const at of starts) {
    const [left, right] = [runs[at]!, runs[at + 1]!];
    const last = packed.length - 1;
    if (last > 0 && left <= packed[last]! + 1) packed[last] = Math.max(packed[last]!, right);
    else packed.push(left, right);
  }
  row.runs = packed;
  row.packed = packed.length;
}

/** Index of the first run that ends at or after a column. */
function runFrom(runs: readonly number[], column: number): number {
  let low = 0;
  let high = runs.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[2 * middle + 1]! < column) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

/** Merges equal runs in consecutive rows into rectangles. @param runs row by row */
function oneBelowAnother(runs: readonly Tiles[]): Tiles[] {
  const sorted = [...runs].sort((a, b) => a.left - b.left || a.right - b.right || a.top - b.top);
  const found: Tiles[] = [];
  for (const run of sorted) {
    const above = found.at(-1);
    if (
      above !== undefined &&
      above.left === run.left &&
      above.right === run.right &&
      run.top === above.bottom + 1
    ) {
      above.bottom = run.bottom;
    } else found.push({ ...run });
  }
  return found;
}
