// Checks paths over synthetic seas without the code of the planner: JSTS measures every leg against the
// shapes of the sea, and a flood over the cells determines whether a path must exist.

import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import STRtree from 'jsts/org/locationtech/jts/index/strtree/STRtree.js';
import DistanceOp from 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js';
import { clearanceOfCode, codeForNeed } from '../../../shared/route/depth-code.ts';
import type { Position, Trip } from '../../../shared/route/trip.ts';
import type { Shape, Spot, SyntheticSea } from './synthetic-sea.ts';

type Geometry = InstanceType<typeof import('jsts/org/locationtech/jts/geom/Geometry.js').default>;

const factory = new GeometryFactory();
/** A tolerance for sums of depths: 1.9 − 1 is not exactly 0.9. */
const ROUNDING = 1e-9;

/** The size of a cell in metres in the middle of a sea, on the sphere of Web Mercator. */
export function cellMeters(sea: SyntheticSea, y: number): number {
  const [, latitude] = sea.positionOf([0, y]);
  return (2 * Math.PI * 6_378_137 * Math.cos((latitude * Math.PI) / 180)) / 2 ** 22;
}

/** The shapes that a trip must avoid, prepared for measuring. */
export class SeaJudge {
  readonly #sea: SyntheticSea;
  readonly #tree = new STRtree();
  #count = 0;

  constructor(sea: SyntheticSea, trip: Trip) {
    this.#sea = sea;
    const { vessel, safety, options } = trip;
    const depth = vessel.draft + safety.underKeelClearance - safety.waterLevel;
    const height =
      vessel.airDraft === undefined ? undefined : vessel.airDraft + safety.overheadClearance;
    for (const shape of sea.plan.shapes) {
      if (!isUnsafe(shape, depth, height, options.avoid.has('restricted'), trip)) continue;
      this.#add(geometryOf(shape.ring, shape.open === true));
    }
    for (const rings of options.avoidAreas) {
      this.#add(
        geometryOf(
          rings[0]!.map((position) => sea.spotOf(position)),
          false,
        ),
      );
    }
    if ((sea.plan.beyond ?? 0) === 0) {
      const { width, height: tall } = sea;
      for (const ring of [
        [
          [0, 0],
          [width, 0],
        ],
        [
          [width, 0],
          [width, tall],
        ],
        [
          [width, tall],
          [0, tall],
        ],
        [
          [0, tall],
          [0, 0],
        ],
      ] as Spot[][]) {
        this.#add(geometryOf(ring, true));
      }
    }
  }

  #add(geometry: Geometry): void {
    this.#tree.insert(geometry.getEnvelopeInternal(), geometry);
    this.#count++;
  }

  /** Metres from a leg to the nearest unsafe shape; 0 if it touches one. */
  metersFromDanger(from: Position, to: Position, within: number): number {
    const a = this.#sea.spotOf(from);
    const b = this.#sea.spotOf(to);
    const leg = geometryOf([a, b], true);
    const scale = cellMeters(this.#sea, (a[1] + b[1]) / 2);
    const box = leg.getEnvelopeInternal();
    box.expandBy(within / scale + 1);
    let least = Number.POSITIVE_INFINITY;
    if (this.#count === 0) return least;
    for (const geometry of this.#tree.query(box).toArray() as Geometry[]) {
      least = Math.min(least, DistanceOp.distance(leg, geometry) * scale);
    }
    return least;
  }
}

function isUnsafe(
  shape: Shape,
  depth: number,
  height: number | undefined,
  avoidRestricted: boolean,
  trip: Trip,
): boolean {
  if (shape.kind === 'prohibited') return true;
  if (shape.kind === 'restricted') return avoidRestricted;
  if (shape.kind === 'unknown-depth' && !trip.safety.allowUnknownDepth) return true;
  if (shape.depth !== undefined && !(shape.depth >= depth - ROUNDING)) return true;
  return (
    height !== undefined && shape.clearance !== undefined && !(shape.clearance >= height - ROUNDING)
  );
}

function geometryOf(ring: readonly Spot[], isOpen: boolean): Geometry {
  const coordinates = ring.map(([x, y]) => new Coordinate(x, y));
  if (isOpen && ring.length === 1) return factory.createPoint(coordinates[0]!);
  if (isOpen) return factory.createLineString(coordinates);
  coordinates.push(coordinates[0]!);
  return factory.createPolygon(factory.createLinearRing(coordinates));
}

/**
 * The cells that can be reached from a position by steps to side neighbours. A cell is free if it and
 * all cells within the lateral clearance are safe, so a path through free cells always exists.
 */
export function flood(
  sea: SyntheticSea,
  trip: Trip,
  from: Spot,
  free: Uint8Array = freeCells(sea, trip),
): Uint8Array {
  const { width, height } = sea;
  const reached = new Uint8Array(width * height);
  const start = Math.floor(from[1]) * width + Math.floor(from[0]);
  const stack = free[start] === 1 ? [start] : [];
  reached[start] = free[start]!;
  while (stack.length > 0) {
    const i = stack.pop()!;
    const x = i % width;
    for (const j of [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width]) {
      if (j < 0 || j >= width * height || free[j] !== 1 || reached[j] === 1) continue;
      reached[j] = 1;
      stack.push(j);
    }
  }
  return reached;
}

/** 1 if a cell and all cells within the lateral clearance are safe for a trip. */
export function freeCells(sea: SyntheticSea, trip: Trip): Uint8Array {
  const { width, height } = sea;
  const { vessel, safety } = trip;
  const code = codeForNeed(vessel.draft + safety.underKeelClearance - safety.waterLevel);
  const clearance = vessel.airDraft === undefined ? 0 : vessel.airDraft + safety.overheadClearance;
  const forbidden =
    1 | (safety.allowUnknownDepth ? 0 : 1024) | (trip.options.avoid.has('restricted') ? 2 : 0);
  const bad = new Uint8Array(width * height);
  for (let i = 0; i < bad.length; i++) {
    if (sea.least[i]! < code || clearanceOfCode(sea.clearance[i]!) < clearance - 1e-6) bad[i] = 1;
    if ((sea.flags[i]! & forbidden) !== 0) bad[i] = 1;
  }
  const reach = Math.ceil((safety.lateralClearance * 1.01) / cellMeters(sea, 0));
  const across = spread(bad, width, height, reach, 1);
  const grown = spread(across, height, width, reach, width);
  for (let i = 0; i < grown.length; i++) grown[i] = 1 - grown[i]!;
  return grown;
}

/** Grows the cells with value 1 along rows (step 1) or columns (step width). */
function spread(
  cells: Uint8Array,
  length: number,
  lines: number,
  reach: number,
  step: number,
): Uint8Array {
  const grown = new Uint8Array(cells.length);
  const lineStep = step === 1 ? length : 1;
  for (let line = 0; line < lines; line++) {
    const first = line * lineStep;
    // Cells outside the region are unknown, so the edges behave as if they had neighbours with value 1.
    let last = -1;
    for (let k = 0; k < length; k++) {
      if (cells[first + k * step] === 1) last = k;
      if (k - last <= reach) grown[first + k * step] = 1;
    }
    last = length;
    for (let k = length - 1; k >= 0; k--) {
      if (cells[first + k * step] === 1) last = k;
      if (last - k <= reach) grown[first + k * step] = 1;
    }
  }
  return grown;
}
