// The ground of one cell: heights on a grid, the areas between contours, shores and structures, and
// the relief of the land. It is the same after every update.

import { clipRing } from '../../../shared/geo/clip-box.ts';
import { isPointInRing } from '../../../shared/geo/ring.ts';
import type { AttributeValues, Position } from '../../../shared/s57/write/cell-builder.ts';
import { facesBetween } from '../terrain/faces.ts';
import { type HeightGrid, heightOn, sampleHeights } from '../terrain/height-grid.ts';
import { type LineFit, levelLines } from '../terrain/level-lines.ts';
import { type Partition, partition } from '../terrain/partition.ts';
import { at, heightAtPosition, ORIGIN } from '../terrain/sea-bed.ts';
import { type PartingLine, splitLines } from '../terrain/split-lines.ts';
import { type DemoCell, paperMillimeter } from './cells.ts';
import { HIGH_WATER, type Structure } from './ground.ts';

const UNITS_PER_DEGREE = 10_000_000;
const KILOMETERS_PER_DEGREE = 105;

/** A structure's outline within a cell. */
interface Outline {
  readonly structure: Structure;
  readonly ring: readonly Position[];
  /** The same as alternating longitudes and latitudes. */
  readonly flat: readonly number[];
}

export interface Ground {
  readonly heights: HeightGrid;
  readonly outlines: readonly Outline[];
  readonly parts: Partition;
  /** Elevations of land contours. */
  readonly relief: readonly { readonly height: number; readonly positions: readonly Position[] }[];
}

/** The ground of a cell, in the detail of its scale. */
export function groundOf(cell: DemoCell): Ground {
  const heights = heightsOf(cell);
  const outlines = outlinesOf(cell, heights);
  // In ascending order: depth contours, the upper limit of the drying foreshore, land contours.
  const levels = [...cell.contours.map((depth) => -depth), HIGH_WATER];
  const fit = fitTo(cell);
  const lines: PartingLine[] = [
    { positions: limitOf(heights) },
    ...levels.flatMap((height, level) =>
      levelLines(heights, height, fit).map(({ positions }) => ({ positions, level })),
    ),
    ...outlines.map(({ ring }) => ({ positions: [...ring, ring[0]!] })),
  ];
  const pieces = facesBetween(splitLines(lines)).map(({ rings, band, inside }) => {
    const height = heightOn(heights, inside);
    const known = band ?? levels.filter((level) => level < height).length;
    return { rings, label: labelOf(cell, known, structureAt(outlines, inside)) };
  });
  const parts = partition(pieces, qualityOf);
  const relief = cell.relief.flatMap((height) =>
    levelLines(heights, height, fit).map(({ positions }) => ({ height, positions })),
  );
  return { heights, outlines, parts, relief };
}

/** The last structure that contains a position. */
export function structureAt(outlines: readonly Outline[], [x, y]: Position): Structure | undefined {
  return outlines.findLast(({ flat }) => isPointInRing(x, y, flat))?.structure;
}

function heightsOf(cell: DemoCell): HeightGrid {
  const step = Math.round(cell.step * UNITS_PER_DEGREE);
  const toUnits = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE);
  const grid = {
    west: toUnits(ORIGIN.longitude + cell.west),
    south: toUnits(ORIGIN.latitude + cell.south),
    columns: Math.round((cell.east - cell.west) / cell.step),
    rows: Math.round((cell.north - cell.south) / cell.step),
    step,
  };
  const detail = cell.step * KILOMETERS_PER_DEGREE;
  return sampleHeights(grid, (x, y) => heightAtPosition(x, y, detail));
}

/**
 * Tolerance of lines: a tenth of a millimetre on paper. An omitted hollow is drawn shoaler than it
 * is. An omitted rise would be drawn deeper, so it must be much smaller, and its sounding must show
 * it.
 */
function fitTo(cell: DemoCell): LineFit {
  const millimeter = paperMillimeter(cell);
  return {
    tolerance: 0.12 * millimeter,
    leastRise: 1.2 * millimeter ** 2,
    leastHollow: 16 * millimeter ** 2,
  };
}

function limitOf({ west, south, columns, rows, step }: HeightGrid): Position[] {
  const [east, north] = [west + columns * step, south + rows * step];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function outlinesOf(cell: DemoCell, grid: HeightGrid): Outline[] {
  const [west, south] = [grid.west, grid.south];
  const [east, north] = [west + grid.columns * grid.step, south + grid.rows * grid.step];
  const box = { left: west, right: east, top: south, bottom: north };
  return cell.structures.flatMap((structure) => {
    const flat = clipRing(
      structure.ring.flatMap(([x, y]) => [...at(x, y)]),
      box,
    );
    const ring = Array.from({ length: flat.length / 2 }, (_, i): Position => {
      return [Math.round(flat[2 * i]!), Math.round(flat[2 * i + 1]!)];
    });
    return ring.length < 3 ? [] : [{ structure, ring, flat: ring.flat() }];
  });
}

function labelOf(cell: DemoCell, band: number, structure: Structure | undefined): string {
  const { contours } = cell;
  const isLand = band > contours.length;
  if (structure !== undefined && !(structure.onlyInWater && isLand)) return structure.label;
  if (isLand) return 'land';
  const deeper = contours[band - 1] ?? deepestOf(cell);
  // Small scales show no drying ground: drying areas are shown as shallow water from 0 m.
  const shoaler = contours[band] ?? (contours.at(-1) === 0 ? -HIGH_WATER : 0);
  return `depth:${shoaler}:${deeper}`;
}

/** The deep end of the deepest depth area of a cell: nothing in it is deeper. */
const deepestOf = ({ usageBand }: DemoCell) => (usageBand < 3 ? 6000 : 4000);

/** West of this longitude the survey is old, and positions are approximate (QUAPOS 4). */
function qualityOf(positions: readonly Position[]): AttributeValues {
  const oldSurvey = at(-14, 0)[0];
  const isOld = positions.every(([x]) => x < oldSurvey);
  return isOld ? { QUAPOS: 4 } : {};
}
