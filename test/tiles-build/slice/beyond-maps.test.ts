// Charts that reach beyond the latitudes of Web Mercator (85.05°): the part beyond is in no tile, but queries
// find it.

import { describe, expect, test } from 'vitest';
import { latitudeAt, mercatorY, unboundedMercatorY } from '../../../shared/geo/mercator.ts';
import { Bucket } from '../../../shared/query/bucket.ts';
import { readCell } from '../../../shared/s57/read/read-cell.ts';
import { CellBuilder, type Course, type Position } from '../../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../../shared/s57/write/encode-file.ts';
import { sliceQuery } from '../../../tiles-build/slice/slice-query.ts';
import { DataTiles } from '../../support/data-tiles.ts';
import { WrittenChart } from '../../support/written-chart.ts';

const NAME = 'ZZ3POLAR';
const WITHIN = 101;
const BEYOND = 102;
const CABLE = 103;

/** A chart from 84° to 87° of a hemisphere, with wrecks, soundings and a cable on both sides of 85.05°. */
function polarCell(hemisphere: 1 | -1) {
  const at = (longitude: number, latitude: number): Position => [
    Math.round(longitude * 1e7),
    Math.round(hemisphere * latitude * 1e7),
  ];
  const corners = [at(10, 84), at(12, 84), at(12, 87), at(10, 87), at(10, 84)];
  const limit: Course = { positions: corners };
  const builder = new CellBuilder({
    name: NAME,
    usageBand: 3,
    scaleDenominator: 200_000,
    edition: 1,
    update: 0,
    issueDate: '20260101',
    agency: 65_534,
  });
  builder.area(1, 'M_COVR', [[{ course: limit, atLimit: true }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course: limit, atLimit: true }]], { DRVAL1: 5, DRVAL2: 10 });
  builder.point(WITHIN, 'WRECKS', at(11, 84.5), { VALSOU: 3, WATLEV: 3 });
  builder.point(BEYOND, 'WRECKS', at(11.1, 86), { VALSOU: 3, WATLEV: 3 });
  builder.soundings(110, [
    { position: at(11.2, 84.6), depth: 7 },
    { position: at(11.3, 86.2), depth: 6 },
  ]);
  // Turns at the end of the map.
  builder.line(CABLE, 'CBLSUB', [
    { course: { positions: [at(10.5, 84.5), at(10.5, 86), at(11.5, 86), at(11.5, 86.5)] } },
  ]);
  const base = { name: `${NAME}.000`, bytes: encodeFile(builder.contents()) };
  return readCell({ name: NAME, base, updates: [] }).cell!;
}

test('mercatorY continues beyond the square, to the poles', () => {
  for (const latitude of [-85, -40.5, 0, 3, 85.05]) {
    expect(unboundedMercatorY(latitude)).toBe(mercatorY(latitude));
  }
  expect(latitudeAt(unboundedMercatorY(87))).toBeCloseTo(87, 9);
  expect(latitudeAt(unboundedMercatorY(-87))).toBeCloseTo(-87, 9);
  expect(unboundedMercatorY(90)).toBeLessThan(-1);
  expect(unboundedMercatorY(-90)).toBeLessThan(3);
});

describe.each([
  ['north', 1],
  ['south', -1],
] as const)('in the %s', (_, hemisphere) => {
  const cell = polarCell(hemisphere);

  /** Features of a layer in all tiles of a zoom at the chart's end of the map. */
  function drawn(chart: WrittenChart, layer: string, z: number) {
    const size = 2 ** z;
    const columns = [Math.floor((0.5 + 10 / 360) * size), Math.floor((0.5 + 12 / 360) * size)];
    return [...new Set(columns)].flatMap((x) =>
      Array.from({ length: Math.ceil(size / 8) }, (_row, i) =>
        chart.tile(layer, { z, x, y: hemisphere > 0 ? i : size - 1 - i }),
      ).flat(),
    );
  }

  test('draws the part of a chart within the map, and nothing along its end', async () => {
    const chart = await WrittenChart.of([cell]);
    for (const zoom of [6, 8]) {
      expect(drawn(chart, 'DEPARE', zoom).length).toBeGreaterThan(0);
      expect(drawn(chart, 'WRECKS', zoom)).toHaveLength(1);
      expect(drawn(chart, 'SOUNDG', zoom)).toHaveLength(1);
      const cable = drawn(chart, 'CBLSUB', zoom).flatMap(({ paths }) => paths);
      expect(cable.length).toBeGreaterThan(0);
      for (const path of cable) {
        const columns = path.filter((_value, i) => i % 2 === 0);
        expect(Math.max(...columns) - Math.min(...columns)).toBe(0);
      }
    }
  });

  test('has data tiles of the part within the map', async () => {
    const tiles = await DataTiles.raw([cell]);
    const found = new Set<string>();
    for (let y = 0; y < 60; y++) {
      const row = hemisphere > 0 ? y : 1023 - y;
      for (const x of [541, 542, 543, 544]) {
        for (const { properties, geometry } of tiles.read({ z: 10, x, y: row })?.features ?? []) {
          const { layerId } = properties as { layerId: string };
          if (layerId !== 'WRECKS') continue;
          found.add(JSON.stringify((geometry as { coordinates: unknown }).coordinates));
        }
      }
    }
    expect([...found]).toEqual([`[11,${hemisphere * 84.5}]`]);
  });

  test('finds objects beyond 85.05° by a query, with all their vertices', async () => {
    const chart = await WrittenChart.of([cell]);
    const found = new Set<string>();
    const corners: string[] = [];
    for (const { bytes } of sliceQuery(cell, chart.ownershipOf(cell), chart.clipper)) {
      const bucket = new Bucket(bytes);
      for (let i = 0; i < bucket.count; i++) {
        found.add(bucket.identity(i));
        const { shape } = bucket.record(i);
        if (shape.type === 'line') corners.push(JSON.stringify(shape.lines));
      }
    }
    for (const number of [WITHIN, BEYOND, CABLE]) {
      expect([...found].some((identity) => identity.includes(`.${number}.`))).toBe(true);
    }
    expect(
      corners.some((lines) => lines.includes(`${115_000_000},${hemisphere * 860_000_000}`)),
    ).toBe(true);
  });
});
