// Basins drawn at random and written as S-57 cells: walls of land, shallow water or ground without a
// chart, with gaps and islands between the western and the eastern part.

import type { Position } from '../../../shared/route/trip.ts';
import { CellBuilder } from '../../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';

/** Metres east and north of the south-western corner of the basin. */
export type Place = readonly [east: number, north: number];

/** Width and height of a basin, in metres. */
export const BASIN_METERS = 900;
export const BASIN_NAME = 'ZZ5BASIN';
export const DEEP_METERS = 5;
const SHALLOW_METERS = 1;
const [WEST, SOUTH] = [-70, 42] as const;
const DEGREE_METERS = 111_195;
const EAST_METERS = DEGREE_METERS * Math.cos((SOUTH * Math.PI) / 180);

export const positionOf = ([east, north]: Place): Position => [
  WEST + east / EAST_METERS,
  SOUTH + north / DEGREE_METERS,
];

export const placeOf = ([x, y]: Position): Place => [
  (x - WEST) * EAST_METERS,
  (y - SOUTH) * DEGREE_METERS,
];

interface Area {
  readonly acronym: 'LNDARE' | 'DEPARE';
  readonly ring: readonly Place[];
}

/** @returns the base file of a cell */
export function randomBasin(random: () => number): Uint8Array {
  const between = (least: number, most: number) => least + random() * (most - least);
  const limit: Place[][] = [
    [[0, 0]],
    [[BASIN_METERS, 0]],
    [[BASIN_METERS, BASIN_METERS]],
    [[0, BASIN_METERS]],
  ];
  const areas: Area[] = [];
  const kind = () => (random() < 0.5 ? 'LNDARE' : 'DEPARE');
  const middles = random() < 0.5 ? [450] : [between(330, 370), between(530, 570)];
  for (const middle of middles) {
    const [lower, upper] = gapsOf(between);
    const south = wedge(between, middle, 0, lower.from);
    const north = wedge(between, middle, BASIN_METERS, upper.to);
    // A wall of ground without a chart is a notch in the limit of the chart.
    if (random() < 0.3) limit[0]!.push(...south);
    else areas.push({ acronym: kind(), ring: south });
    if (random() < 0.3) limit[2]!.push(...north);
    else areas.push({ acronym: kind(), ring: north });
    if (lower !== upper) areas.push({ acronym: kind(), ring: islet(middle, lower.to, upper.from) });
  }
  const islands = Math.floor(between(0, 4));
  for (let i = 0; i < islands; i++) areas.push({ acronym: kind(), ring: island(between) });
  return cellOf(limit.flat(), areas);
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** One or two gaps of a wall, the southern one first; one in six is closed. */
function gapsOf(between: (least: number, most: number) => number): readonly [Gap, Gap] {
  const gap = (middle: number): Gap => {
    const half = between(0, 6) < 1 ? -2 : between(11, 40);
    return { from: middle - half, to: middle + half };
  };
  if (between(0, 1) < 0.5) {
    const only = gap(between(200, 700));
    return [only, only];
  }
  return [gap(between(180, 350)), gap(between(520, 720))];
}

/** Half of a wall, from the limit of the chart to a blunt tip. */
function wedge(
  between: (least: number, most: number) => number,
  middle: number,
  base: number,
  tip: number,
): Place[] {
  const back = base + (tip - base) * between(0.5, 0.9);
  const ring: Place[] = [
    [middle - between(20, 60), base],
    [middle - between(12, 40), back],
    [middle - between(4, 10), tip],
    [middle + between(4, 10), tip],
    [middle + between(12, 40), back],
    [middle + between(20, 60), base],
  ];
  return base === 0 ? ring : ring.reverse();
}

function islet(middle: number, south: number, north: number): Place[] {
  const half = (south + north) / 2;
  return [
    [middle - 6, south],
    [middle + 6, south],
    [middle + 50, half],
    [middle + 6, north],
    [middle - 6, north],
    [middle - 50, half],
  ];
}

function island(between: (least: number, most: number) => number): Place[] {
  const [east, north] = [between(100, 800), between(100, 800)];
  const count = Math.floor(between(5, 10));
  return Array.from({ length: count }, (_, i): Place => {
    const [turn, radius] = [(2 * Math.PI * i) / count, between(12, 45)];
    return [east + radius * Math.cos(turn), north + radius * Math.sin(turn)];
  });
}

function cellOf(limit: readonly Place[], areas: readonly Area[]): Uint8Array {
  const header = { edition: 1, update: 0, issueDate: '20260101', agency: 65_534 };
  const scale = { usageBand: 5, scaleDenominator: 12_000 };
  const builder = new CellBuilder({ name: BASIN_NAME, ...scale, ...header });
  const rings = (ring: readonly Place[]) => {
    const positions = [...ring, ring[0]!].map(positionOf);
    const written = positions.map(([x, y]) => [Math.round(x * 1e7), Math.round(y * 1e7)] as const);
    return [[{ course: { positions: written } }]];
  };
  builder.area(1, 'M_COVR', rings(limit), { CATCOV: 1 });
  builder.area(2, 'DEPARE', rings(limit), { DRVAL1: DEEP_METERS, DRVAL2: 10 });
  for (const [i, { acronym, ring }] of areas.entries()) {
    const words = acronym === 'DEPARE' ? { DRVAL1: SHALLOW_METERS, DRVAL2: 2 } : {};
    builder.area(3 + i, acronym, rings(ring), words);
  }
  return encodeFile(builder.contents());
}
