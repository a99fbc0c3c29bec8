// Cuts a shape, already cut to its owner's ground, to the raw tiles of all stored zooms: descends
// the quadtree once, cutting the part of each tile from that of its parent.

import { type Box, boundsOf, boxesMeet, clipLine, isInside } from '../../shared/geo/clip-box.ts';
import { remembered } from '../../shared/geo/map-entries.ts';
import { splitPolygon } from '../../shared/geo/split-polygon.ts';
import { QUARTERS } from '../../shared/geo/tile.ts';
import { type IsMade, RAW_ZOOMS } from '../quilt/made-tiles.ts';
import { isEmpty, pathsOf, type Shape } from './cut-shape.ts';
import { degreeFrame } from './frame.ts';
import { tileKey } from './territory.ts';

/** A raw tile; its column may continue beyond 180°. */
export interface RawTile {
  readonly zoom: number;
  readonly column: number;
  readonly row: number;
  /** Whether no deeper tiles are made below it, so that deeper requests are cut from this one. */
  readonly isDeepest: boolean;
}

interface Node {
  /** The tile, if it is stored. */
  readonly tile: RawTile | undefined;
  readonly hasBelow: boolean;
}

/** The tiles in which raw data are stored, cached. */
export class RawTiles {
  readonly #isMade: IsMade;
  readonly #nodes = RAW_ZOOMS.map(() => new Map<number, Node>());
  readonly #between = new Map<string, Node>();
  readonly frame = degreeFrame(RAW_ZOOMS.at(-1)!);

  constructor(isMade: IsMade) {
    this.#isMade = isMade;
  }

  node(zoom: number, column: number, row: number): Node {
    const index = RAW_ZOOMS.indexOf(zoom);
    if (index < 0) {
      const key = `${zoom}/${column}/${row}`;
      return remembered(this.#between, key, () => this.#look(zoom, column, row));
    }
    return remembered(this.#nodes[index]!, tileKey(column, row), () =>
      this.#look(zoom, column, row),
    );
  }

  #look(zoom: number, column: number, row: number): Node {
    const deeper = RAW_ZOOMS.filter((stored) => stored > zoom);
    const hasBelow = deeper.some((stored) => this.#isMade(stored, zoom, column, row));
    const isStored = RAW_ZOOMS.includes(zoom) && this.#isMade(zoom, zoom, column, row);
    const tile = { zoom, column, row, isDeepest: !hasBelow };
    return { tile: isStored ? tile : undefined, hasBelow };
  }
}

/** Cut a shape, in grid coordinates, to every tile that it touches. */
export function cutToRawTiles(
  shape: Shape,
  tiles: RawTiles,
  emit: (tile: RawTile, part: Shape) => void,
): void {
  const { frame } = tiles;
  const bounds = boundsOf(pathsOf(shape));
  if (!(bounds.left <= bounds.right)) return;
  const last = 2 ** frame.zoom - 1;
  let first = frame.columnAt(bounds.left);
  let end = frame.columnAt(bounds.right);
  let top = Math.min(last, Math.max(0, frame.rowAt(bounds.top)));
  let bottom = Math.min(last, Math.max(0, frame.rowAt(bounds.bottom)));
  let zoom = frame.zoom;
  // At most the first stored zoom, so that no stored tile is skipped.
  while (zoom > 0 && (first !== end || top !== bottom || zoom > RAW_ZOOMS[0]!)) {
    zoom--;
    first = Math.floor(first / 2);
    end = Math.floor(end / 2);
    top = Math.floor(top / 2);
    bottom = Math.floor(bottom / 2);
  }

  const descend = (z: number, column: number, row: number, part: Shape, box: Box): void => {
    const { tile, hasBelow } = tiles.node(z, column, row);
    if (tile === undefined && !hasBelow) return;
    const node = frame.box(z, column, row);
    if (!boxesMeet(box, node)) return;
    let kept = part;
    let keptBox = box;
    if (!isInside(box, node)) {
      kept = cutToTile(part, node);
      if (isEmpty(kept)) return;
      keptBox = boundsOf(pathsOf(kept));
    }
    if (tile !== undefined) emit(tile, kept);
    if (!hasBelow) return;
    for (const [dx, dy] of QUARTERS) descend(z + 1, 2 * column + dx, 2 * row + dy, kept, keptBox);
  };
  for (let column = first; column <= end; column++) descend(zoom, column, top, shape, bounds);
}

/** Polygons that fall apart become several, because data tiles are queried and not only filled. */
function cutToTile(shape: Shape, box: Box): Shape {
  return shape.type === 'line'
    ? { type: 'line', lines: shape.lines.flatMap((line) => clipLine(line, box)) }
    : { type: 'area', polygons: shape.polygons.flatMap((polygon) => splitPolygon(polygon, box)) };
}
