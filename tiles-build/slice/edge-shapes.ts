// The edges of an owner at one zoom: projected, and without vertices that the zoom does not need.
// Each edge is simplified once, so that all features with it have equal shapes without gaps.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { mercatorX, unboundedMercatorY } from '../../shared/geo/mercator.ts';
import { doubleArea } from '../../shared/geo/ring.ts';
import { vertexDistances } from '../../shared/geo/simplify.ts';
import { MIN_RING_AREA } from '../../shared/mvt/encode.ts';
import type {
  AreaOfEdges,
  Cell,
  Chain,
  Edge,
  EdgeUse,
  Feature,
} from '../../shared/s57/cell/cell.ts';
import { areaOf, chainsOf } from '../../shared/s57/cell/geometry.ts';
import { gridX, gridY, opened } from '../quilt/coverage.ts';
import type { Shape } from './cut-shape.ts';
import type { Frame } from './frame.ts';

/** Vertices that bend the line by less than this many units are removed. */
const TOLERANCE_UNITS = 1;

/** Data of an edge that are kept between zooms and tilesets. */
interface Projected {
  readonly grid: Flat;
  /** Per vertex, as a fraction of the world's width: see vertexDistances. */
  readonly distances: Float64Array;
}

interface Prepared extends Projected {
  /** 1 for vertices that keep their position: see the constructor. */
  readonly fixed: Uint8Array;
}

/** A dot that replaces a line or ring that is too small for a tile. */
export interface Speck {
  /** Grid coordinates of the first vertex: see coverage.ts. */
  readonly gridX: number;
  readonly gridY: number;
  /** A short line or a square at this vertex, in units of the frame. */
  readonly path: Flat;
}

const projections = new WeakMap<Edge, Projected>();

export class EdgeShapes {
  readonly #prepared = new Map<Edge, Prepared>();
  readonly #shapes = new Map<Edge, Flat>();
  readonly #border = new Set<string>();
  #frame: Frame | undefined;
  #tolerance = 0;
  #grain = 1;

  /**
   * @param border rings whose vertices are neither removed nor rounded: another cell begins there,
   *   and lines along them must match the ground (along-border.ts)
   */
  constructor(border: readonly Flat[] = []) {
    for (const ring of border) {
      for (let i = 0; i < ring.length; i += 2) this.#border.add(`${ring[i]} ${ring[i + 1]}`);
    }
  }

  /**
   * Begin a zoom.
   * @param unitsPerTile 0 for a frame in which no vertices are removed
   * @param grain positions are rounded to multiples of this many units, and smaller bends are
   *   removed
   */
  begin(frame: Frame, unitsPerTile: number, grain = 1): void {
    this.#frame = frame;
    this.#tolerance = unitsPerTile === 0 ? -1 : TOLERANCE_UNITS / (2 ** frame.zoom * unitsPerTile);
    this.#grain = grain;
    this.#shapes.clear();
  }

  /** The shape of a line or area feature. */
  shapeOfFeature(cell: Cell, feature: Feature): Shape {
    return feature.primitive === 'line'
      ? { type: 'line', lines: this.lines(chainsOf(cell, feature)) }
      : { type: 'area', polygons: this.polygons(areaOf(cell, feature)) };
  }

  /**
   * The lines of a line feature, one per chain.
   * @param addSpeck receives the lines that shrink to a point
   */
  lines(chains: readonly Chain[], addSpeck?: (speck: Speck) => void): Flat[] {
    return chains.flatMap((chain) => {
      const line = this.#join(chain);
      if (line.length >= 4) return [line];
      if (line.length > 0) addSpeck?.(this.#speckOf(chain, line, false));
      return [];
    });
  }

  /**
   * Polygons of an area; rings do not repeat their first point.
   * @param addSpeck receives the polygons that are not larger than their specks, which are then
   *   left out
   */
  polygons(area: AreaOfEdges, addSpeck?: (speck: Speck) => void): Flat[][] {
    return area.flatMap((rings) => {
      const [outer, ...holes] = rings.map((ring) => opened(this.#join(ring.uses)));
      if (outer === undefined || outer.length === 0) return [];
      if (addSpeck !== undefined && Math.abs(doubleArea(outer)) <= 2 * this.#speckSide ** 2) {
        addSpeck(this.#speckOf(rings[0]!.uses, outer, true));
        return [];
      }
      if (!this.#isArea(outer)) return [];
      return [[outer, ...holes.filter((hole) => this.#isArea(hole))]];
    });
  }

  /** At a coarse grain a ring may collapse to a line. */
  #isArea(ring: Flat): boolean {
    return ring.length >= 6 && (this.#grain === 1 || doubleArea(ring) !== 0);
  }

  /** Side of the smallest square that a tile can contain. */
  get #speckSide(): number {
    return Math.max(this.#grain, Math.sqrt(MIN_RING_AREA));
  }

  #speckOf([first]: readonly EdgeUse[], [left = 0, top = 0]: Flat, isArea: boolean): Speck {
    const { grid } = projected(first!.edge);
    const at = first!.reversed ? grid.length - 2 : 0;
    const [right, bottom] = [left + this.#speckSide, top + this.#speckSide];
    const path = isArea
      ? [left, top, right, top, right, bottom, left, bottom]
      : [left, top, right, top];
    return { gridX: grid[at]!, gridY: grid[at + 1]!, path };
  }

  #join(uses: readonly EdgeUse[]): Flat {
    const out: Flat = [];
    for (const { edge, reversed } of uses) {
      const shape = this.#shapeOf(edge);
      const count = shape.length;
      for (let i = 0; i < count; i += 2) {
        const at = reversed ? count - 2 - i : i;
        const x = shape[at]!;
        const y = shape[at + 1]!;
        const n = out.length;
        if (n > 0 && out[n - 2] === x && out[n - 1] === y) continue;
        out.push(x, y);
      }
    }
    return out;
  }

  #shapeOf(edge: Edge): Flat {
    const known = this.#shapes.get(edge);
    if (known !== undefined) return known;
    const { grid, distances, fixed } = this.#prepare(edge);
    const frame = this.#frame!;
    const shape: Flat = [];
    for (let i = 0; i < distances.length; i++) {
      const grain = fixed[i] === 1 ? 1 : this.#grain;
      if (fixed[i] !== 1 && distances[i]! <= this.#tolerance * grain) continue;
      const x = frame.x(grid[2 * i]!);
      const y = frame.y(grid[2 * i + 1]!);
      if (grain === 1) shape.push(x, y);
      else shape.push(Math.round(x / grain) * grain, Math.round(y / grain) * grain);
    }
    this.#shapes.set(edge, shape);
    return shape;
  }

  #prepare(edge: Edge): Prepared {
    let prepared = this.#prepared.get(edge);
    if (prepared !== undefined) return prepared;
    const { grid, distances } = projected(edge);
    const fixed = new Uint8Array(grid.length / 2);
    for (let i = 0; i < fixed.length && this.#border.size > 0; i++) {
      if (this.#border.has(`${grid[2 * i]} ${grid[2 * i + 1]}`)) fixed[i] = 1;
    }
    prepared = { grid, distances, fixed };
    this.#prepared.set(edge, prepared);
    return prepared;
  }
}

function projected(edge: Edge): Projected {
  let projection = projections.get(edge);
  if (projection !== undefined) return projection;
  const { positions } = edge;
  const grid: Flat = [];
  const world = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 2) {
    const longitude = positions[i]!;
    const x = gridX(longitude);
    grid.push(x, gridY(positions[i + 1]!));
    world[i] = mercatorX(longitude);
    world[i + 1] = unboundedMercatorY(positions[i + 1]!);
  }
  projection = { grid, distances: vertexDistances(world) };
  projections.set(edge, projection);
  return projection;
}
