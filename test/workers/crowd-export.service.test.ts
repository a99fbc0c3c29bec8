// A file of crowdsourced depths in the largest box: 256 tiles with a cell each.

import { parse } from 'csv-parse/sync';
import { fromArrayBuffer } from 'geotiff';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { latitudeAt, longitudeAt } from '../../shared/geo/mercator.ts';
import { binAt, publishCrowd } from '../support/crowd-archive.ts';
import { type Service, startService } from '../support/service.ts';

const SIDE = 16;
/** The first tile, of zoom 15. */
const [LEFT, TOP] = [14_565, 19_250];

const LIMIT = 5;

let service: Service;
beforeAll(async () => {
  service = await startService({
    ...{ charts: inject('demoCharts'), assetsDir: inject('assets') },
    settings: { RATE_LIMIT_HEAVY: `${LIMIT}` },
  });
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

function boxOfAll(): string {
  const [[west, north], [east, south]] = [centreOf(0), centreOf(SIDE ** 2 - 1)];
  return `${[west - 0.001, south - 0.001, east + 0.001, north + 0.001]}`;
}

const read = (suffix: string) => service.get(`/api/v1/crowd-depths.${suffix}?bbox=${boxOfAll()}`);

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

describe('GeoTIFF files', () => {
  const send = async (token: string, suffix = 'tif', box = '0,0,0.01,0.01') => {
    const path = `/api/v1/crowd-depths.${suffix}?bbox=${box}`;
    const answer = await service.get(path, { headers: { authorization: `Bearer ${token}` } });
    const text = answer.status === 200 ? '' : ((await answer.json()) as { code: string }).code;
    if (answer.status === 200) await answer.arrayBuffer();
    return `${answer.status} ${text}`.trim();
  };

  test('are limited for each token, and only large CSV files are', async () => {
    const [one, other] = [await service.token(), await service.token()];
    const answers: string[] = [];
    for (let i = 0; i < LIMIT + 1; i++) answers.push(await send(one));
    expect(answers).toEqual([...Array(LIMIT).fill('200'), '429 too_many_requests']);
    expect([await send(one, 'csv'), await send(other)]).toEqual(['200', '200']);
    const large: string[] = [];
    for (let i = 0; i < LIMIT + 1; i++) large.push(await send(one, 'csv', boxOfAll()));
    expect(large.at(-1)).toBe('429 too_many_requests');
    expect(await send(one, 'csv')).toBe('200');
  });

  test('are made two at once for a token, and eight wait', async () => {
    const token = await service.token();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => send(token, 'tif', boxOfAll())),
    );
    expect(answers.filter((one) => one === '200')).not.toEqual([]);
    expect(answers).toContain('429 too_many_at_once');
  });
});
