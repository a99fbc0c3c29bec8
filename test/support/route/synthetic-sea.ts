// Seas made from simple shapes, for tests of the planner: rasterised cell by cell, the plain slow
// way, and cut into squares with their exact edges. Shares no code with the real build.

import { latitudeAt, longitudeAt } from '../../../shared/geo/mercator.ts';
import { codeOfClearance, codeOfDepth } from '../../../shared/route/depth-code.ts';
import {
  HAZARD_KINDS,
  type HazardKind,
  type Hazards,
  LANE_CODES,
  type Sea,
  type SeaSquare,
  type SeaZoom,
} from '../../../shared/route/sea.ts';
import type { Position } from '../../../shared/route/trip.ts';

/** Cells round the world at the finest zoom. */
const WORLD = 2 ** 22;

/** x, y in cells from the north-western corner of the region. */
export type Spot = readonly [x: number, y: number];

export interface Shape {
  /** A closed ring unless `open`; the first spot is not repeated. */
  readonly ring: readonly Spot[];
  readonly open?: boolean;
  readonly kind: HazardKind;
  /** Metres; NaN never safe; left out where the shape does not limit depth. */
  readonly depth?: number;
  /** Metres; left out where the shape does not limit height. */
  readonly clearance?: number;
  /** SEA_FLAGS of cells it touches. */
  readonly flags?: number;
  readonly laneBearing?: number;
  /** Whether it has exact edges; cells alone otherwise. */
  readonly hasEdges?: boolean;
  /** Whether cells know of it; exact edges alone otherwise, as a build must never leave it. */
  readonly hasCells?: boolean;
}

/** Land, for a ring or a line of a shape. */
export const LAND = { kind: 'land', depth: Number.NaN } as const;

/** The ring of a box. */
export function box(left: number, top: number, right: number, bottom: number): Spot[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

export interface SeaPlan {
  /** Corner of the region in squares of zoom 14, and its size. */
  readonly corner: Spot;
  readonly squares: Spot;
  /** Depth where no shape is. */
  readonly depth: number;
  readonly shapes: readonly Shape[];
  /** Code of cells beyond the region: 0 is no data, with an edge around the region. */
  readonly beyond?: number;
  /** Finest zoom of the square of zoom 11 (x, y in squares from the corner's); 14 if left out. */
  readonly finestZoom?: (x: number, y: number) => SeaZoom;
  /** How cells are touched; for a test of the tests only. */
  readonly raster?: 'touched' | 'centres';
}

export interface SyntheticSea extends Sea {
  readonly plan: SeaPlan;
  readonly width: number;
  readonly height: number;
  /** Depth code, clearance code and flags of each cell of the region. */
  readonly least: Uint8Array;
  readonly clearance: Uint8Array;
  readonly flags: Uint16Array;
  positionOf(spot: Spot): Position;
  spotOf(position: Position): Spot;
  all(): Iterable<SeaSquare>;
}

export function makeSea(plan: SeaPlan): SyntheticSea {
  const width = plan.squares[0] * 256;
  const height = plan.squares[1] * 256;
  const [originX, originY] = [plan.corner[0] * 256, plan.corner[1] * 256];
  const least = new Uint8Array(width * height).fill(codeOfDepth(plan.depth));
  const clearance = new Uint8Array(width * height).fill(255);
  const flags = new Uint16Array(width * height);
  const lanes = new Uint8Array(width * height);
  for (const shape of plan.shapes) {
    if (shape.hasCells === false) continue;
    const depth = shape.depth === undefined ? 255 : codeOfDepth(shape.depth);
    const height1 = shape.clearance === undefined ? 255 : codeOfClearance(shape.clearance);
    eachCell(shape, width, height, plan.raster ?? 'touched', (i) => {
      if (least[i]! > depth) least[i] = depth;
      if (clearance[i]! > height1) clearance[i] = height1;
      flags[i]! |= shape.flags ?? 0;
      if (shape.laneBearing !== undefined)
        lanes[i] = joined(lanes[i]!, Math.round(shape.laneBearing / 1.5));
    });
  }
  const edges = edgesOf(plan, width, height, originX, originY);
  const squares = new Map<string, SeaSquare>();
  const beyond = plan.beyond ?? 0;
  const isInRegion = (zoom: number, x: number, y: number) => {
    const size = 2 ** (22 - zoom);
    const left = (((x * size - originX) % WORLD) + WORLD) % WORLD;
    const meetsAcross = left < width || left + size > WORLD;
    return meetsAcross && y * size < originY + height && (y + 1) * size > originY;
  };
  const finestOf = (x: number, y: number) =>
    plan.finestZoom?.(x - (plan.corner[0] >> 3), y - (plan.corner[1] >> 3)) ?? 14;
  const make = (zoom: SeaZoom, x: number, y: number): SeaSquare => {
    const square = {
      zoom,
      x,
      y,
      leastDepth: new Uint8Array(65536).fill(beyond),
      mostDepth: new Uint8Array(65536).fill(beyond),
      clearance: new Uint8Array(65536).fill(255),
      flags: new Uint16Array(65536),
      laneBearing: new Uint8Array(65536),
      hasFiner: new Uint8Array(64),
    };
    const size = 2 ** (14 - zoom);
    const hasChildren = zoom < 14 && !(zoom === 11 && finestOf(x, y) === 11);
    const children: (SeaSquare | undefined)[] = new Array(64).fill(undefined);
    if (zoom < 14) {
      const finer = (zoom + 3) as SeaZoom;
      for (let i = 0; i < 64; i++) {
        const [fx, fy] = [x * 8 + (i & 7), y * 8 + (i >> 3)];
        if (!isInRegion(finer, fx, fy)) continue;
        children[i] = make(finer, fx, fy);
        if (hasChildren) {
          square.hasFiner[i] = 1;
          squares.set(`${finer}/${fx}/${fy}`, children[i]!);
        }
      }
    }
    if (zoom === 14) {
      const left = (((x * 256 - originX) % WORLD) + WORLD) % WORLD;
      for (let cy = 0; cy < 256; cy++) {
        const from = (y * 256 + cy - originY) * width + left;
        const lay = <P extends Uint8Array | Uint16Array>(cells: P, all: P) =>
          cells.set(all.subarray(from, from + 256), cy * 256);
        lay(square.leastDepth, least);
        lay(square.mostDepth, least);
        lay(square.clearance, clearance);
        lay(square.flags, flags);
        lay(square.laneBearing, lanes);
      }
    }
    for (const [n, child] of children.entries()) {
      if (child === undefined) continue;
      const corner = (n >> 3) * 32 * 256 + (n & 7) * 32;
      for (let at = 0; at < 1024; at++) {
        const i = corner + (at >> 5) * 256 + (at & 31);
        const finer = (at >> 5) * 8 * 256 + (at & 31) * 8;
        let [lo, hi, low, any, lane] = [255, 0, 255, 0, 0];
        for (let k = 0; k < 64; k++) {
          const j = finer + (k >> 3) * 256 + (k & 7);
          if (child.leastDepth[j]! < lo) lo = child.leastDepth[j]!;
          if (child.mostDepth[j]! > hi) hi = child.mostDepth[j]!;
          if (child.clearance![j]! < low) low = child.clearance![j]!;
          any |= child.flags![j]!;
          lane = joined(lane, child.laneBearing![j]!);
        }
        square.leastDepth[i] = lo;
        square.mostDepth[i] = hasChildren ? hi : lo;
        square.clearance[i] = low;
        square.flags[i] = any;
        square.laneBearing[i] = lane;
      }
    }
    const isOwn = (ax: number, ay: number, bx: number, by: number) => {
      if (zoom === 14) return true;
      for (let i = 0; i < 64; i++) {
        if (square.hasFiner[i] === 1) continue;
        const part = (size * 256) / 8;
        const left = x * size * 256 + (i & 7) * part;
        const top = y * size * 256 + (i >> 3) * part;
        if (boxMeetsSegment(left, top, part, ax, ay, bx, by)) return true;
      }
      return false;
    };
    const hazards = hazardsIn(edges, x * size * 256, y * size * 256, size * 256, isOwn);
    return { ...square, hazards };
  };
  for (let y = 0; y < 4; y++) {
    for (let x = 0; x < 4; x++) squares.set(`2/${x}/${y}`, make(2, x, y));
  }
  return {
    plan,
    width,
    height,
    least,
    clearance,
    flags,
    square: (zoom, x, y) => squares.get(`${zoom}/${x}/${y}`),
    all: () => squares.values(),
    positionOf: ([x, y]) => {
      const longitude = longitudeAt((originX + x) / WORLD);
      return [longitude > 180 ? longitude - 360 : longitude, latitudeAt((originY + y) / WORLD)];
    },
    spotOf: ([longitude, latitude]) => {
      const sine = Math.sin((latitude * Math.PI) / 180);
      const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD - originY;
      let x = (longitude / 360 + 0.5) * WORLD - originX;
      x -= WORLD * Math.round((x - width / 2) / WORLD);
      return [x, y];
    },
  };
}

/** The code of a lane in a part of a cell; 0 without a lane. */
const joined = (a: number, b: number): number =>
  a === b || b === 0 ? a : a === 0 ? b : LANE_CODES.meet;

/** Calls for the cells of the region that a shape touches, or whose centres it holds; for some twice. */
function eachCell(
  shape: Shape,
  width: number,
  height: number,
  raster: string,
  call: (index: number) => void,
): void {
  const { ring } = shape;
  const ends = ring.length - (shape.open === true ? 1 : 0);
  const clampX = (x: number) => Math.max(0, Math.min(width - 1, x));
  const clampY = (y: number) => Math.max(0, Math.min(height - 1, y));
  if (raster === 'touched') {
    for (let k = 0; k < Math.max(1, ends); k++) {
      const [ax, ay] = ring[k]!;
      const [bx, by] = ring[(k + 1) % ring.length]!;
      // A border belongs to the cells on both sides.
      for (let y = clampY(Math.ceil(Math.min(ay, by)) - 1); y <= clampY(Math.max(ay, by)); y++) {
        for (let x = clampX(Math.ceil(Math.min(ax, bx)) - 1); x <= clampX(Math.max(ax, bx)); x++) {
          const [cx, cy] = [Math.floor(x), Math.floor(y)];
          if (boxMeetsSegment(cx, cy, 1, ax, ay, bx, by)) call(cy * width + cx);
        }
      }
    }
  }
  if (shape.open === true) return;
  const ys = ring.map(([, y]) => y);
  for (let y = clampY(Math.floor(Math.min(...ys))); y <= clampY(Math.max(...ys)); y++) {
    const row = Math.floor(y);
    const crossings: number[] = [];
    for (let k = 0; k < ring.length; k++) {
      const [ax, ay] = ring[k]!;
      const [bx, by] = ring[(k + 1) % ring.length]!;
      const middle = row + 0.5;
      if (ay > middle !== by > middle) crossings.push(ax + ((bx - ax) * (middle - ay)) / (by - ay));
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.max(0, Math.ceil(crossings[k]! - 0.5));
      const to = Math.min(width - 1, Math.floor(crossings[k + 1]! - 0.5));
      for (let x = from; x <= to; x++) call(row * width + x);
    }
  }
}

/** Whether a closed box and a segment have a point in common. */
function boxMeetsSegment(
  left: number,
  top: number,
  size: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): boolean {
  let [t0, t1] = [0, 1];
  for (const [start, length, low] of [
    [ax, bx - ax, left],
    [ay, by - ay, top],
  ] as const) {
    if (length === 0) {
      if (start < low || start > low + size) return false;
      continue;
    }
    const enter = (low - start) / length;
    const leave = (low + size - start) / length;
    t0 = Math.max(t0, Math.min(enter, leave));
    t1 = Math.min(t1, Math.max(enter, leave));
  }
  return t0 <= t1 + 1e-12;
}

interface Edge {
  readonly ends: readonly [number, number, number, number];
  readonly shape: NumberedShape;
}

/** The same number in all squares, as a feature's id is. */
type NumberedShape = Shape & { readonly number: number };

function edgesOf(plan: SeaPlan, width: number, height: number, left: number, top: number): Edge[] {
  const shapes = [...plan.shapes];
  if ((plan.beyond ?? 0) === 0) {
    const ring: Spot[] = [
      [0, 0],
      [width, 0],
      [width, height],
      [0, height],
    ];
    shapes.push({ ring, kind: 'no-data', depth: Number.NaN });
  }
  return shapes
    .map((shape, number): NumberedShape => ({ ...shape, number }))
    .filter(({ hasEdges }) => hasEdges !== false)
    .flatMap((shape) => {
      const count = shape.ring.length - (shape.open === true ? 1 : 0);
      return Array.from({ length: Math.max(1, count) }, (_, k): Edge => {
        const [ax, ay] = shape.ring[k]!;
        const [bx, by] = shape.ring[(k + 1) % shape.ring.length]!;
        return { ends: [left + ax, top + ay, left + bx, top + by], shape };
      });
    });
}

function hazardsIn(
  edges: readonly Edge[],
  left: number,
  top: number,
  size: number,
  isOwn: (ax: number, ay: number, bx: number, by: number) => boolean,
): Hazards {
  const here: Edge[] = [];
  for (const edge of edges) {
    for (const shift of [0, -WORLD, WORLD]) {
      const [ax, ay, bx, by] = edge.ends;
      if (!boxMeetsSegment(left, top, size, ax + shift, ay, bx + shift, by)) continue;
      if (isOwn(ax + shift, ay, bx + shift, by)) {
        here.push({ ends: [ax + shift, ay, bx + shift, by], shape: edge.shape });
      }
    }
  }
  const shapes = [...new Set(here.map(({ shape }) => shape))];
  return {
    count: here.length,
    ends: Float64Array.from(here.flatMap(({ ends }) => ends.map((at) => at / WORLD))),
    kind: Uint8Array.from(here, ({ shape }) => HAZARD_KINDS.indexOf(shape.kind)),
    depth: Float32Array.from(here, ({ shape }) => shape.depth ?? Number.POSITIVE_INFINITY),
    clearance: Float32Array.from(here, ({ shape }) => shape.clearance ?? Number.POSITIVE_INFINITY),
    radius: new Float32Array(here.length),
    feature: Uint32Array.from(here, ({ shape }) => shapes.indexOf(shape)),
    features: shapes.map(({ kind, number }) => ({
      id: `${number}`,
      objectClass: kind,
      objectName: '',
    })),
  };
}
