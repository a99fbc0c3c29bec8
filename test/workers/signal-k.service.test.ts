// The configuration of the Signal K charts plugin in the guide: each URL in it returns the stated format
// over the stated zooms.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type StyleSpecification, validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { filledIn } from '../support/examples.ts';
import { type Service, startService } from '../support/service.ts';

const GUIDE = readFileSync(
  resolve(import.meta.dirname, '../../workers/web/docs/guides/signal-k.md'),
  'utf8',
);

interface Provider {
  readonly serverType: string;
  readonly format: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly url: string;
  readonly headers?: readonly string[];
}

let service: Service;
let providers: readonly Provider[];
beforeAll(async () => {
  service = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
  const place = { address: service.address, token: await service.token() };
  const text = /```json\n([\s\S]*?)```/.exec(GUIDE)![1]!;
  const { configuration } = JSON.parse(filledIn(text, place)) as {
    configuration: { onlineChartProviders: readonly Provider[] };
  };
  providers = configuration.onlineChartProviders;
});
afterAll(async () => {
  await service?.stop();
});

const ofType = (type: string): Provider => {
  const found = providers.find(({ serverType }) => serverType === type);
  if (found === undefined) throw new Error(`The guide has no provider of the type ${type}.`);
  return found;
};

/** Column and row of the demo port at a zoom. */
const [X_14, Y_14] = [7282, 9623];
const tileAt = (zoom: number) =>
  [X_14, Y_14].map((place) => Math.floor(place * 2 ** (zoom - 14))) as [number, number];

test('the raster tiles of the Signal K entry exist from the lowest to the highest zoom', async () => {
  const { url, headers, minzoom, maxzoom, format } = ofType('tilelayer');
  const asked = Object.fromEntries(
    (headers ?? []).map((line) => line.split(': ') as [string, string]),
  );
  for (const zoom of [minzoom, 14, maxzoom]) {
    const [x, y] = tileAt(zoom);
    const address = url.replace('{z}', `${zoom}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
    const answer = await fetch(address, { headers: asked });
    expect([zoom, answer.status, answer.headers.get('content-type')]).toEqual([
      zoom,
      200,
      `image/${format}`,
    ]);
    expect(PNG.sync.read(Buffer.from(await answer.arrayBuffer())).width).toBe(256);
  }
});

test('the style of the Signal K entry is valid, and its tiles exist', async () => {
  const { url, format } = ofType('mapstyleJSON');
  const style = (await (await fetch(url)).json()) as StyleSpecification;
  expect(validateStyleMin(style)).toEqual([]);
  const { tiles } = Object.values(style.sources).find(({ type }) => type === 'vector') as {
    tiles: readonly string[];
  };
  const [x, y] = tileAt(14);
  const address = tiles[0]!.replace('{z}', '14').replace('{x}', `${x}`).replace('{y}', `${y}`);
  const answer = await fetch(address);
  expect([format, answer.status, answer.headers.get('content-type')]).toEqual([
    'pbf',
    200,
    'application/x-protobuf',
  ]);
});
