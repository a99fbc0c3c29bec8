// A file of depths from the crowd in the largest box: 256 tiles with a cell each.

import { parse } from 'csv-parse/sync';
import { fromArrayBuffer } from 'geotiff';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { latitudeAt, longitudeAt } from '../../shared/geo/mercator.ts';
import { binAt, publishCrowd } from '../support/crowd-archive.ts';
import { type Service, startService } from '../support/service.ts';

const SIDE = 16;
/** The first tile, of zoom 15. */
const [LEFT, TOP] = [14_565, 19_250];

let service: Service;
beforeAll(async () => {
  service = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
  const bins = Array.from({ length: SIDE ** 2 }, (_, index) => binAt(...centreOf(index)));
  await publishCrowd(service, bins, [-20.2, -30.4, -19.6, -29.8]);
});
afterAll(() => service?.stop());

/** Centre of a tile, degrees. */
const centreOf = (index: number) =>
  [
    longitudeAt((LEFT + (index % SIDE) + 0.5) / 2 ** 15),
    latitudeAt((TOP + Math.floor(index / SIDE) + 0.5) / 2 ** 15),
  ] as const;

function read(suffix: string) {
  const [[west, north], [east, south]] = [centreOf(0), centreOf(SIDE ** 2 - 1)];
  const box = [west - 0.001, south - 0.001, east + 0.001, north + 0.001];
  return service.get(`/api/v1/crowd-depths.${suffix}?bbox=${box}`);
}

test('a CSV file is sent while its tiles are read, eight at a time', async () => {
  const csv = await read('csv');
  const reads = Number(/desc="(\d+) reads"/.exec(csv.headers.get('server-timing')!)![1]);
  const rows = parse(await csv.text(), { columns: true }) as Record<string, string>[];
  expect(new Set(rows.map(({ LON, LAT }) => `${LON} ${LAT}`)).size).toBe(SIDE ** 2);
  expect(reads).toBeLessThan(30);
});

test('a GeoTIFF file has the cells of all tiles', async () => {
  const image = await (await fromArrayBuffer(await (await read('tif')).arrayBuffer())).getImage();
  const [depths] = (await image.readRasters()) as unknown as [Float32Array];
  expect([...depths].filter((depth) => depth !== -9999)).toHaveLength(SIDE ** 2);
});
