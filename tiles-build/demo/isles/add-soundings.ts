// Soundings like those of real surveys: along lines at an angle, scattered as by a drifting boat,
// denser inshore, with the head of every shoal.

import type { CellBuilder, Position, Sounding } from '../../../shared/s57/write/cell-builder.ts';
import { type HeightGrid, heightOn } from '../terrain/height-grid.ts';
import { noise } from '../terrain/noise.ts';
import { at } from '../terrain/sea-bed.ts';
import { type DemoCell, paperMillimeter } from './cells.ts';
import { SHOALING } from './changes.ts';
import { HIGH_WATER } from './ground.ts';
import { type Ground, structureAt } from './ground-of-cell.ts';
import { numberOf } from './identity.ts';
import { shoalHeads } from './shoal-heads.ts';
import { Spaces } from './spaces.ts';

const SOUNDINGS_PER_FEATURE = 120;

/** Survey lines for one range of depths. */
interface Survey {
  /** Metres. */
  readonly from: number;
  readonly to: number;
  /** Degrees counterclockwise from east. */
  readonly angle: number;
  /** Millimetres on paper between lines, and between soundings. */
  readonly apart: number;
  readonly along: number;
}

const SURVEYS: readonly Survey[] = [
  { from: -HIGH_WATER, to: 0, angle: 71, apart: 21, along: 17 },
  { from: 0, to: 6, angle: 62, apart: 14, along: 11 },
  { from: 6, to: 20, angle: 28, apart: 18, along: 14 },
  { from: 20, to: Number.POSITIVE_INFINITY, angle: -17, apart: 26, along: 20 },
];

/** Adds the soundings after an update, in features of a realistic size. */
export function addSoundings(
  builder: CellBuilder,
  cell: DemoCell,
  update: number,
  sounded: readonly Sounding[],
): void {
  const soundings = sounded.map(({ position, depth }): Sounding => {
    const shoaled = Math.max(depth - shoaling(cell, update, position), shoalest(cell, depth));
    return { position, depth: noDeeper(shoaled) };
  });
  for (let i = 0; i < soundings.length; i += SOUNDINGS_PER_FEATURE) {
    const part = soundings.slice(i, i + SOUNDINGS_PER_FEATURE);
    builder.soundings(numberOf(`${cell.name} soundings ${i}`), part, { QUASOU: 1 });
  }
}

/** Decimetres in shallow water, whole metres in deeper water (S-4, clause B-412). */
const noDeeper = (depth: number) =>
  depth < 31 ? Math.floor(depth * 10 + 1e-6) / 10 : Math.floor(depth);

/** Positions at which a cell is sounded, and the depths there in metres. */
export function soundedPositions(
  cell: DemoCell,
  ground: Ground,
  rocks: readonly Sounding[],
): Sounding[] {
  const millimeter = paperMillimeter(cell) * cell.soundingSpace;
  const taken = new Spaces(3 * millimeter);
  const isWet = ({ position, depth }: Sounding) =>
    depth > -HIGH_WATER &&
    structureAt(ground.outlines, position) === undefined &&
    isClearOfContours(cell, ground.heights, position, depth);
  for (const { position } of rocks) taken.take(position, 4 * millimeter);
  const kept: Sounding[] = [];
  const keep = (sounding: Sounding, space: number) => {
    if (!isWet(sounding) || !taken.take(sounding.position, space)) return;
    kept.push(sounding);
  };
  for (const head of shoalHeads(ground.heights)) keep(head, 12 * millimeter);
  for (const survey of SURVEYS) {
    for (const sounding of sailed(survey, ground.heights, millimeter)) {
      keep(sounding, 0.62 * survey.along * millimeter);
    }
  }
  return kept;
}

/**
 * Minimum distance from a contour: closer soundings could be on the wrong side of its simplified
 * line.
 */
function isClearOfContours(
  { contours }: DemoCell,
  grid: HeightGrid,
  [x, y]: Position,
  depth: number,
): boolean {
  const [reach, last] = [0.7 * grid.step, grid.step];
  const isInGrid =
    x > grid.west + last &&
    y > grid.south + last &&
    x < grid.west + (grid.columns - 1) * grid.step &&
    y < grid.south + (grid.rows - 1) * grid.step;
  if (!isInGrid) return false;
  const bandOf = (d: number) => contours.filter((contour) => contour > d).length;
  const around = [
    [-reach, 0],
    [reach, 0],
    [0, -reach],
    [0, reach],
  ].map(([dx, dy]) => -heightOn(grid, [x + dx!, y + dy!]));
  return around.every((d) => d > -HIGH_WATER && bandOf(d) === bandOf(depth));
}

/** The shoalest depth that the depth area of a depth may contain. */
const shoalest = ({ contours }: DemoCell, depth: number) =>
  Math.max(-HIGH_WATER, ...contours.filter((contour) => contour <= depth));

/** Soundings along the lines of a survey. */
function sailed(survey: Survey, grid: HeightGrid, millimeter: number): Sounding[] {
  const { west, south, columns, rows, step } = grid;
  const [cos, sin] = [
    Math.cos((survey.angle * Math.PI) / 180),
    Math.sin((survey.angle * Math.PI) / 180),
  ];
  const [middleX, middleY] = [west + (columns * step) / 2, south + (rows * step) / 2];
  const reach = Math.hypot(columns, rows) * (step / 2);
  const [apart, along] = [survey.apart * millimeter, survey.along * millimeter];
  const soundings: Sounding[] = [];
  for (let line = Math.ceil(-reach / apart); line * apart < reach; line++) {
    for (let stop = Math.ceil(-reach / along); stop * along < reach; stop++) {
      // A boat drifts slowly off its line, and its soundings are not evenly spaced.
      const drift = 0.32 * noise(stop / 7 + survey.angle, line * 3.7 + 0.5);
      const pace = 0.42 * noise(stop * 1.37 + 0.3, line * 2.11 + survey.angle);
      const [u, v] = [(stop + pace) * along, (line + drift) * apart];
      const position: Position = [
        Math.round(middleX + u * cos - v * sin),
        Math.round(middleY + u * sin + v * cos),
      ];
      const isInside =
        position[0] > west &&
        position[1] > south &&
        position[0] < west + columns * step &&
        position[1] < south + rows * step;
      if (!isInside) continue;
      const depth = -heightOn(grid, position);
      if (depth >= survey.from && depth < survey.to) soundings.push({ position, depth });
    }
  }
  return soundings;
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
