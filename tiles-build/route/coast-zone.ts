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
  readonly #shore = new Map<number, number[]>();

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
      places = [];
      this.#shore.set(row, places);
    }
    const place = ((column % HAZARD_GRID) + HAZARD_GRID) % HAZARD_GRID;
    if (places.at(-1) !== place) places.push(place);
  }

  /** The sheets that the zone reaches, from north to south, and from west to east in each row. */
  *sheets(): Generator<SheetCoast, void, undefined> {
    // From north to south, so that each disc is made when the rows reach it.
    const rows = [...this.#shore.keys()].sort((a, b) => b - a);
    const nextDisc = (): Disc | undefined => {
      const row = rows.pop();
      return row === undefined ? undefined : discAt(row / HAZARD_GRID, this.#shore.get(row)!);
    };
    let open: Disc[] = [];
    let next = nextDisc();
    const row = new CoveredRow();
    for (let y = 0; y < SHEETS; y++) {
      const end = (y + 1) * COAST_CELLS;
      if (open.length === 0 && (next?.top ?? Infinity) >= end) continue;
      const columns: (Uint8Array | undefined)[] = new Array(SHEETS).fill(undefined);
      for (let at = y * COAST_CELLS; at < end; at++) {
        for (; next !== undefined && next.top <= at; next = nextDisc()) open.push(next);
        if (at % 8 === 0) open = open.filter(({ top, halves }) => top + halves.length > at);
        if (open.length === 0) continue;
        for (const { top, halves, wide, runs, wideRuns } of open) {
          const half = halves[at - top] ?? -1;
          row.add(half, half < wide ? runs : wideRuns);
        }
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
function runsOf(places: Iterable<number>): readonly number[] {
  const runs: number[] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const place of Float64Array.from(places).sort()) {
    if (place - before <= COAST_UNIT) runs[runs.length - 1] = place / HAZARD_GRID;
    else runs.push(place / HAZARD_GRID, place / HAZARD_GRID);
    before = place;
  }
  return runs;
}

/** Joins runs at most `gap` apart. Discs at least half as wide leave no cell out between them. */
function joinedRuns(runs: readonly number[], gap: number): readonly number[] {
  const joined: number[] = [];
  for (let i = 0; i < runs.length; i += 2) {
    if (i > 0 && runs[i]! - runs[i - 1]! <= gap) joined[joined.length - 1] = runs[i + 1]!;
    else joined.push(runs[i]!, runs[i + 1]!);
  }
  return joined;
}

/** The area within reach of places at one height. */
interface Disc {
  /** The first row. */
  readonly top: number;
  /** Half the width in each row, in parts of the world's; negative if the disc is not there. */
  readonly halves: readonly number[];
  /** The centres, see `runsOf`. */
  readonly runs: readonly number[];
  /** Half the largest of the halves, and the runs for rows at least as wide: there are fewer. */
  readonly wide: number;
  readonly wideRuns: readonly number[];
}

/** @param y part of the height of the plane */
function discAt(y: number, places: Iterable<number>): Disc {
  const degrees = latitudeAt(y);
  const latitude = degrees * RADIANS;
  const angle = REACH_METERS / leastRadius(Math.max(0, Math.abs(degrees) - 0.3) * RADIANS);
  const top = rowAt(degrees + angle / RADIANS);
  const bottom = rowAt(degrees - angle / RADIANS);
  const reach = Math.sin(angle / 2) ** 2;
  // The disc is widest at a latitude slightly nearer to the pole.
  const widest = Math.asin(Math.max(-1, Math.min(1, Math.sin(latitude) / Math.cos(angle))));
  const halves: number[] = [];
  for (let row = top; row <= bottom; row++) {
    const at = Math.max(borderAt(row + 1), Math.min(borderAt(row), widest));
    const left = reach - Math.sin((at - latitude) / 2) ** 2;
    const part = left / (Math.cos(at) * Math.cos(latitude));
    halves.push(left < 0 ? -1 : part >= 1 ? 0.5 : Math.asin(Math.sqrt(part)) / Math.PI);
  }
  const wide = Math.max(...halves) / 2;
  const runs = runsOf(places);
  return { top, halves, runs, wide, wideRuns: joinedRuns(runs, 2 * wide) };
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
  /** A bit for each cell with a change. */
  readonly #changed = new Int32Array((ACROSS >> 5) + 1);

  /**
   * @param half the discs' width in this row
   * @param runs of the discs' centres, see `runsOf`
   */
  add(half: number, runs: readonly number[]): void {
    if (half < 0) return;
    if (half >= 0.5) {
      this.#cover(0, ACROSS);
      return;
    }
    for (let i = 0; i < runs.length; i += 2) {
      const first = Math.floor((runs[i]! - half) * ACROSS);
      const end = Math.floor((runs[i + 1]! + half) * ACROSS) + 1;
      // Discs may exceed the world's ends.
      if (first < 0) this.#cover(first + ACROSS, ACROSS);
      if (end > ACROSS) this.#cover(0, end - ACROSS);
      this.#cover(Math.max(first, 0), Math.min(end, ACROSS));
    }
  }

  #cover(first: number, end: number): void {
    const [changes, changed] = [this.#changes, this.#changed];
    changes[first]!++;
    changes[end]!--;
    changed[first >> 5]! |= 1 << first;
    changed[end >> 5]! |= 1 << end;
  }

  /** Marks the cells in a row of sheets, and begins an empty row. */
  moveTo(columns: (Uint8Array | undefined)[], within: number): void {
    const [changes, changed] = [this.#changes, this.#changed];
    let count = 0;
    let first = 0;
    for (let word = 0; word < changed.length; word++) {
      for (let bits = changed[word]!; bits !== 0; bits &= bits - 1) {
        const at = (word << 5) + 31 - Math.clz32(bits & -bits);
        if (count === 0) first = at;
        count += changes[at]!;
        changes[at] = 0;
        if (count === 0) mark(columns, within, first, at);
      }
      changed[word] = 0;
    }
  }
}

/** Marks the cells from `first` up to `end` of a row of sheets. */
function mark(
  columns: (Uint8Array | undefined)[],
  within: number,
  first: number,
  end: number,
): void {
  for (let at = first; at < end; ) {
    const x = at >> COAST_BITS;
    const next = Math.min(end, (x + 1) << COAST_BITS);
    const start = (within - x) * COAST_CELLS;
    cellsAt(columns, x).fill(1, start + at, start + next);
    at = next;
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
