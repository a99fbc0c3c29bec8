// The skin of a cell: depth areas, land and structures from the terrain, with the coastline,
// contours and quays along their boundaries, and soundings.

import type {
  AttributeWords,
  CellBuilder,
  Course,
  Position,
  Sounding,
} from '../../../shared/s57/write/cell-builder.ts';
import { cutToBands, type Grid } from '../terrain/isobands.ts';
import { noise } from '../terrain/noise.ts';
import { type Boundary, type Partition, partition } from '../terrain/partition.ts';
import { at, heightAt, ORIGIN } from '../terrain/sea-bed.ts';
import type { DemoCell } from './cells.ts';
import { SHOALING } from './changes.ts';
import { HIGH_WATER, type Structure, structuresOnGrid } from './ground.ts';
import { numberOf } from './identity.ts';

const UNITS_PER_DEGREE = 10_000_000;
const SOUNDINGS_PER_FEATURE = 120;
const KILOMETERS_PER_DEGREE = 105;

/** Add the ground; answers the cell's limit as a ring. */
export function addGround(
  builder: CellBuilder,
  cell: DemoCell,
  update: number,
): Partition['limit'] {
  const grid = gridOf(cell);
  const detail = cell.step * KILOMETERS_PER_DEGREE;
  const height = (position: Position) => heightAt(position, detail);
  // From the depths up: contours, and where the drying foreshore ends and land begins.
  const levels = [...cell.contours.map((depth) => -depth), HIGH_WATER];
  const structures = structuresOf(cell, grid);
  const pieces = [...cutToBands(grid, height, levels)].map(({ ring, band, column, row }) => ({
    ring,
    label: labelOf(cell, band, structures.get(row * grid.columns + column)),
  }));
  const ground = partition(pieces, qualityOf);
  ground.regions.forEach(({ label, rings }) => {
    const { acronym, words } = skinOf(label);
    const first = rings[0]![0]!;
    const start = first.course.positions.at(first.reversed ? -1 : 0);
    builder.area(numberOf(`${cell.name} ${label} ${start}`), acronym, rings, words);
  });
  for (const boundary of ground.boundaries) addBoundary(builder, cell, boundary);
  addSoundings(builder, { cell, update, grid, structures, height });
  return ground.limit;
}

function gridOf(cell: DemoCell): Grid {
  const step = Math.round(cell.step * UNITS_PER_DEGREE);
  const toUnits = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE);
  return {
    west: toUnits(ORIGIN.longitude + cell.west),
    south: toUnits(ORIGIN.latitude + cell.south),
    columns: Math.round((cell.east - cell.west) / cell.step),
    rows: Math.round((cell.north - cell.south) / cell.step),
    step,
  };
}

function structuresOf(cell: DemoCell, grid: Grid): ReadonlyMap<number, Structure> {
  return structuresOnGrid(
    cell.structures,
    grid,
    (east) => Math.round((at(east, 0)[0] - grid.west) / grid.step),
    (north) => Math.round((at(0, north)[1] - grid.south) / grid.step),
  );
}

function labelOf(cell: DemoCell, band: number, structure: Structure | undefined): string {
  const { contours } = cell;
  const isLand = band > contours.length;
  if (structure !== undefined && !(structure.onlyInWater && isLand)) return structure.label;
  if (isLand) return 'land';
  const deeper = contours[band - 1] ?? deepestOf(cell);
  const shoaler = contours[band] ?? -HIGH_WATER;
  return `depth:${shoaler}:${deeper}`;
}

/** Where the deepest depth area of a cell ends: nothing in it is deeper. */
const deepestOf = ({ usageBand }: DemoCell) => (usageBand < 3 ? 6000 : 4000);

function skinOf(label: string): { acronym: string; words: AttributeWords } {
  const [kind, from, to] = label.split(':');
  switch (kind) {
    case 'depth':
      return { acronym: 'DEPARE', words: { DRVAL1: Number(from), DRVAL2: Number(to) } };
    case 'dredged':
      return { acronym: 'DRGARE', words: { DRVAL1: Number(from), QUASOU: 10, RESTRN: '1' } };
    case 'pontoon':
      return { acronym: 'PONTON', words: {} };
    case 'floating dock':
      return { acronym: 'FLODOC', words: {} };
    case 'hulk':
      return { acronym: 'HULKES', words: { CATHLK: '4' } };
    case 'unsurveyed':
      return { acronym: 'UNSARE', words: {} };
    default:
      return { acronym: 'LNDARE', words: {} };
  }
}

function addBoundary(
  builder: CellBuilder,
  cell: DemoCell,
  { course, left, right }: Boundary,
): void {
  if (left === undefined || right === undefined) return;
  const kinds = [left, right].map((label) => label.split(':'));
  const has = (kind: string) => kinds.some(([word]) => word === kind);
  const isSolid = (kind: string | undefined) => kind === 'land' || kind === 'quay';
  const add = (acronym: string, words: AttributeWords) =>
    builder.line(lineNumber(cell, acronym, course), acronym, [{ course }], words);
  const solids = kinds.filter(([kind]) => isSolid(kind)).length;
  if (solids === 2) return;
  if (solids === 1 && has('quay')) add('SLCONS', { CATSLC: 6, CONDTN: 2 });
  else if (solids === 1) add('COALNE', { CATCOA: shoreOf(course) });
  else if (kinds.every(([kind]) => kind === 'depth')) {
    add('DEPCNT', { VALDCO: Math.max(...kinds.map(([, shoaler]) => Number(shoaler))) });
  }
}

const lineNumber = (cell: DemoCell, acronym: string, { positions }: Course) =>
  numberOf(`${cell.name} ${acronym} ${positions[0]} ${positions[1]} ${positions.length}`);

/** CATCOA by place: steep, flat, sandy, stony, shingle. */
function shoreOf({ positions }: Course): number {
  const [x, y] = positions[Math.floor(positions.length / 2)]!;
  return 1 + Math.floor(2.5 * (1 + noise(x / 300_000, y / 300_000)));
}

/** West of here the survey is old, and positions are approximate (QUAPOS 4). */
function qualityOf(positions: readonly Position[]): AttributeWords {
  const oldSurvey = at(-14, 0)[0];
  const isOld = positions.every(([x]) => x < oldSurvey);
  return isOld ? { QUAPOS: 4 } : {};
}

interface SoundedGround {
  readonly cell: DemoCell;
  readonly update: number;
  readonly grid: Grid;
  readonly structures: ReadonlyMap<number, Structure>;
  readonly height: (position: Position) => number;
}

function addSoundings(
  builder: CellBuilder,
  { cell, update, grid, structures, height }: SoundedGround,
): void {
  const soundings: Sounding[] = [];
  const every = cell.soundingEvery;
  for (let row = Math.ceil(every / 2); row < grid.rows; row += every) {
    // Rows are set off against each other, as a survey's lines would be.
    const first = Math.ceil(every / 2) + (row % 2) * Math.floor(every / 3);
    for (let column = first; column < grid.columns; column += every) {
      const squares = [0, 1].flatMap((up) =>
        [0, 1].map((left) => (row - up) * grid.columns + column - left),
      );
      if (squares.some((square) => structures.has(square))) continue;
      const position = [grid.west + column * grid.step, grid.south + row * grid.step] as const;
      const depth = -height(position) - shoaling(cell, update, position);
      if (depth > -HIGH_WATER) soundings.push({ position, depth: Math.floor(depth * 10) / 10 });
    }
  }
  for (let i = 0; i < soundings.length; i += SOUNDINGS_PER_FEATURE) {
    const part = soundings.slice(i, i + SOUNDINGS_PER_FEATURE);
    builder.soundings(numberOf(`${cell.name} soundings ${i}`), part, { QUASOU: 1 });
  }
}

function shoaling(cell: DemoCell, update: number, [x, y]: Position): number {
  const { at: place, reach, by } = SHOALING;
  if (cell.name !== SHOALING.cell || update < SHOALING.update) return 0;
  const [centreX, centreY] = at(...place);
  const [limitX, limitY] = at(place[0] + reach, place[1] + reach);
  const distance = Math.hypot(
    (x - centreX) / (limitX - centreX),
    (y - centreY) / (limitY - centreY),
  );
  return distance < 1 ? by : 0;
}
