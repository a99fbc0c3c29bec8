// The coastal zone: all ground within 12 nautical miles of land, in cells of 1.2 km at the equator.
// Where there is no chart, its depths are unknown. Rounding always makes the zone too wide.

import { PbfReader } from 'pbf';
import { IntegerWriter } from '../../shared/bytes/integer-writer.ts';
import type { Flat } from '../../shared/geo/clip-box.ts';
import { latitudeAt, mercatorY } from '../../shared/geo/mercator.ts';
import { HAZARD_GRID } from '../../shared/route/hazard-codec.ts';
import { SHEETS } from './over-sheets.ts';

/** Twelve nautical miles: the assumed range of a coast's dangers, and the territorial sea. */
export const COAST_METERS = 22_224;

/** Binary logarithm of the number of zone cells across the world. */
export const COAST_DETAIL = 15;
/** Cells of the zone along a sheet. */
export const COAST_CELLS = 2 ** COAST_DETAIL / SHEETS;
const COAST_BITS = Math.log2(COAST_CELLS);
/** Cells of the zone across the world. */
const ACROSS = 2 ** COAST_DETAIL;
/** Units of the hazard grid in such a cell. */
export const COAST_UNIT = HAZARD_GRID / 2 ** COAST_DETAIL;

/**
 * One sheet's part of the zone: 1 for each cell that contains any of it, by rows from the north.
 */
export interface SheetCoast {
  readonly x: number;
  readonly y: number;
  readonly cells: Uint8Array;
}

/** Resolution of shores: cells of 153 to 306 m, and larger cells farther north and south. */
const SHORE_DETAIL = 17;
const SHORE_UNIT = HAZARD_GRID / 2 ** SHORE_DETAIL;
/** Maximum metres from the centre of such a cell to its corners. */
const SHORE_REACH_METERS = 217;
/** Maximum metres between neighbouring places along a shore. */
const STEP_METERS = 2000;
/** Maximum loss of width between two discs one step apart: step² / (8 · radius), and rounding. */
const BETWEEN_METERS = 30;
const REACH_METERS = COAST_METERS + SHORE_REACH_METERS + BETWEEN_METERS;

const RADIANS = Math.PI / 180;
const SEMI_MAJOR_METERS = 6_378_137;
const ECCENTRICITY_SQUARED = 0.00669437999014;

/** Collects shores, then generates their zone sheet by sheet. */
export class CoastZone {
  /** The columns with shore, by row: centres of cells of `SHORE_DETAIL` or of similar size. */
  readonly #shore = new Map<number, Set<number>>();

  /** A line, ring or single place of a shore, on the hazard grid; x may exceed the world's ends. */
  add(path: Flat, isRing: boolean): void {
    const last = path.length - 2;
    if (last < 0) return;
    this.#put(path[last]!, path[last + 1]!);
    if (isRing) this.#walk(path[last]!, path[last + 1]!, path[0]!, path[1]!);
    for (let i = 0; i < last; i += 2) {
      this.#walk(path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!);
    }
  }

  #walk(ax: number, ay: number, bx: number, by: number): void {
    const middle = cosineAt((ay + by) / 2 / HAZARD_GRID);
    const step = (STEP_METERS * HAZARD_GRID) / (2 * Math.PI * SEMI_MAJOR_METERS * middle);
    const pieces = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / step));
    for (let k = 0; k < pieces; k++) {
      this.#put(ax + ((bx - ax) * k) / pieces, ay + ((by - ay) * k) / pieces);
    }
  }

  #put(x: number, y: number): void {
    const size = SHORE_UNIT * 2 ** Math.floor(Math.log2(1 / cosineAt(y / HAZARD_GRID)));
    const row = Math.floor(y / size) * size + size / 2;
    const column = Math.floor(x / size) * size + size / 2;
    let places = this.#shore.get(row);
    if (places === undefined) {
      places = new Set();
      this.#shore.set(row, places);
    }
    places.add(((column % HAZARD_GRID) + HAZARD_GRID) % HAZARD_GRID);
  }

  /** The sheets that the zone reaches, from north to south, and from west to east in each row. */
  *sheets(): Generator<SheetCoast, void, undefined> {
    const discs = [...this.#shore]
      .map(([row, places]) => ({
        ...discAt(row / HAZARD_GRID),
        runs: runsOf(places),
      }))
      .sort((a, b) => a.top - b.top);
    let open: typeof discs = [];
    let next = 0;
    const row = new CoveredRow();
    for (let y = 0; y < SHEETS; y++) {
      const end = (y + 1) * COAST_CELLS;
      if (open.length === 0 && (discs[next]?.top ?? Infinity) >= end) continue;
      const columns: (Uint8Array | undefined)[] = new Array(SHEETS).fill(undefined);
      for (let at = y * COAST_CELLS; at < end; at++) {
        while (next < discs.length && discs[next]!.top <= at) open.push(discs[next++]!);
        if (at % 8 === 0) open = open.filter(({ top, halves }) => top + halves.length > at);
        if (open.length === 0) continue;
        for (const { top, halves, runs } of open) row.add(halves[at - top] ?? -1, runs);
        row.moveTo(columns, at % COAST_CELLS);
      }
      for (const [x, cells] of columns.entries()) if (cells !== undefined) yield { x, y, cells };
    }
  }
}

const cosineAt = (y: number): number => 1 / Math.cosh(2 * Math.PI * (0.5 - y));

/**
 * Places at one height as pairs of first and last, as parts of the world's width, ascending. Places
 * at most one zone cell apart form one run: their discs leave no cell out between them.
 */
function runsOf(places: Iterable<number>): Float64Array {
  const sorted = Float64Array.from(places).sort();
  const runs: number[] = [];
  for (const place of sorted) {
    if (place - runs.at(-1)! <= COAST_UNIT) runs[runs.length - 1] = place;
    else runs.push(place, place);
  }
  return Float64Array.from(runs, (place) => place / HAZARD_GRID);
}

/** The area within reach of a place at one height: its width in each row of cells. */
interface Disc {
  /** The first row. */
  readonly top: number;
  /** Half the width in each row, in parts of the world's; negative if the disc is not there. */
  readonly halves: Float64Array;
}

/** @param y part of the height of the plane */
function discAt(y: number): Disc {
  const degrees = latitudeAt(y);
  const latitude = degrees * RADIANS;
  const angle = REACH_METERS / leastRadius(Math.max(0, Math.abs(degrees) - 0.3) * RADIANS);
  const top = rowAt(degrees + angle / RADIANS);
  const bottom = rowAt(degrees - angle / RADIANS);
  const reach = Math.sin(angle / 2) ** 2;
  // The disc is widest at a latitude slightly nearer to the pole.
  const widest = Math.asin(Math.max(-1, Math.min(1, Math.sin(latitude) / Math.cos(angle))));
  const halves = Float64Array.from({ length: bottom - top + 1 }, (_, i) => {
    const at = Math.max(borderAt(top + i + 1), Math.min(borderAt(top + i), widest));
    const left = reach - Math.sin((at - latitude) / 2) ** 2;
    if (left < 0) return -1;
    const part = left / (Math.cos(at) * Math.cos(latitude));
    return part >= 1 ? 0.5 : Math.asin(Math.sqrt(part)) / Math.PI;
  });
  return { top, halves };
}

/** Cache: discs of a hundred thousand heights use the same few thousand borders. */
const borders = new Float64Array(2 ** COAST_DETAIL + 1).fill(Number.NaN);

/** Latitude of the border above a row of the zone's cells, radians. */
function borderAt(row: number): number {
  const known = borders[row]!;
  if (!Number.isNaN(known)) return known;
  const latitude = latitudeAt(row / 2 ** COAST_DETAIL) * RADIANS;
  borders[row] = latitude;
  return latitude;
}

/**
 * Radius of curvature along the meridian. No length near the latitude is less than on this sphere.
 */
function leastRadius(latitude: number): number {
  const sine = Math.sin(latitude);
  return (
    (SEMI_MAJOR_METERS * (1 - ECCENTRICITY_SQUARED)) / (1 - ECCENTRICITY_SQUARED * sine ** 2) ** 1.5
  );
}

/** Row of zone cells at a latitude, limited to the plane. */
function rowAt(latitude: number): number {
  const rows = 2 ** COAST_DETAIL;
  if (latitude >= 90) return 0;
  if (latitude <= -90) return rows - 1;
  return Math.max(0, Math.min(rows - 1, Math.floor(mercatorY(latitude) * rows)));
}

/** The cells of one row that discs touch, as the changes of their number from cell to cell. */
class CoveredRow {
  readonly #changes = new Int32Array(ACROSS + 1);
  /** 1 for each sheet with changes. */
  readonly #isChanged = new Uint8Array(SHEETS + 1);

  /**
   * @param half the discs' width in this row
   * @param runs of the discs' centres, see `runsOf`
   */
  add(half: number, runs: Float64Array): void {
    if (half < 0) return;
    if (half >= 0.5) {
      this.#cover(0, ACROSS - 1);
      return;
    }
    const [changes, isChanged] = [this.#changes, this.#isChanged];
    for (let i = 0; i < runs.length; i += 2) {
      let first = Math.floor((runs[i]! - half) * ACROSS);
      let end = Math.floor((runs[i + 1]! + half) * ACROSS) + 1;
      // Discs may exceed the world's ends.
      if (first < 0) {
        this.#cover(first + ACROSS, ACROSS - 1);
        first = 0;
      }
      if (end > ACROSS) {
        this.#cover(0, end - 1 - ACROSS);
        end = ACROSS;
      }
      changes[first]!++;
      changes[end]!--;
      isChanged[first >> COAST_BITS] = 1;
      isChanged[end >> COAST_BITS] = 1;
    }
  }

  #cover(first: number, last: number): void {
    this.#changes[first]!++;
    this.#changes[last + 1]!--;
    this.#isChanged[first >> COAST_BITS] = 1;
    this.#isChanged[(last + 1) >> COAST_BITS] = 1;
  }

  /** Marks the cells in a row of sheets, and begins an empty row. */
  moveTo(columns: (Uint8Array | undefined)[], within: number): void {
    const changes = this.#changes;
    const row = within * COAST_CELLS;
    let count = 0;
    for (let x = 0; x < SHEETS; x++) {
      if (this.#isChanged[x] === 0) {
        if (count > 0) cellsAt(columns, x).fill(1, row, row + COAST_CELLS);
        continue;
      }
      let cells = columns[x];
      for (let i = 0, at = x * COAST_CELLS; i < COAST_CELLS; i++, at++) {
        count += changes[at]!;
        changes[at] = 0;
        if (count === 0) continue;
        cells ??= cellsAt(columns, x);
        cells[row + i] = 1;
      }
    }
    changes[ACROSS] = 0;
    this.#isChanged.fill(0);
  }
}

function cellsAt(columns: (Uint8Array | undefined)[], x: number): Uint8Array {
  columns[x] ??= new Uint8Array(COAST_CELLS * COAST_CELLS);
  return columns[x];
}

/** Encodes runs of cells, alternately outside and inside the zone. */
export function encodeCoast({ x, y, cells }: SheetCoast): Uint8Array {
  const out = new IntegerWriter();
  out.writeVarint(x);
  out.writeVarint(y);
  for (let at = 0, value = 0; at < cells.length; value ^= 1) {
    const next = cells.indexOf(value ^ 1, at);
    const end = next < 0 ? cells.length : next;
    out.writeVarint(end - at);
    at = end;
  }
  return out.finish();
}

export function decodeCoast(bytes: Uint8Array): SheetCoast {
  const reader = new PbfReader(bytes);
  const x = reader.readVarint();
  const y = reader.readVarint();
  const cells = new Uint8Array(COAST_CELLS * COAST_CELLS);
  for (let at = 0, value = 0; reader.pos < reader.length; value ^= 1) {
    const end = at + reader.readVarint();
    cells.fill(value, at, end);
    at = end;
  }
  return { x, y, cells };
}

/** The zone of a sheet from the zones of all owners; `undefined` if there is no zone. */
export function joinedCoasts(coasts: readonly SheetCoast[]): Uint8Array | undefined {
  const [first, ...others] = coasts;
  if (first === undefined) return undefined;
  const cells = first.cells.slice();
  for (const other of others) {
    for (let i = 0; i < cells.length; i++) if (other.cells[i] === 1) cells[i] = 1;
  }
  return cells;
}
