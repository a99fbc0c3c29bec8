// Depth profiles over the demo charts through the real runtime: each sample is compared with enc_query
// at its position, and every response with the service's own OpenAPI document.

import { afterEach, describe, expect, inject, vi } from 'vitest';
import { POINTER_KEY } from '../../shared/chart/manifest.ts';
import type { DepthProfile } from '../../shared/contract/depth-profile.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { demoTest as test } from '../support/fixtures.ts';
import { manifestOf } from '../support/manifest-of.ts';
import type { ResponseCheck } from '../support/openapi.ts';
import type { Service } from '../support/service.ts';

const PATH = '/api/v1/depth-profile';
const lineOf = (...coordinates: unknown[]) => ({ type: 'LineString', coordinates });
/** Around the demo's port of Wick. */
const COAST = lineOf([-20.03, -30.03], [-19.985, -29.985], [-19.94, -30.02]);
/** From the chart of the port over those of all bands, and beyond them. */
const FAR = lineOf([-20.3, -30.1], [-19.95, -29.99], [-19.95, -21.6]);

let service: Service;
let check: ResponseCheck;
test.beforeAll(({ service: sharedService, check: sharedCheck }) => {
  service = sharedService;
  check = sharedCheck;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function post(body: unknown, init: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await service.get(PATH, { method: 'POST', body: text, ...init });
  expect(await check('POST', PATH, response)).toEqual([]);
  return response;
}

async function profile(body: object): Promise<DepthProfile> {
  const response = await post(body);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return (await response.json()) as DepthProfile;
}

type Sample = DepthProfile['samples'][number];

interface Near {
  readonly layerId: string;
  readonly parentId: string;
  readonly geometry: { readonly type: string };
  readonly rawAttributes: Readonly<Record<string, number>>;
}

async function featuresNear({ longitude, latitude }: Sample, radius: number): Promise<Near[]> {
  const body = JSON.stringify({ position: { longitude, latitude }, radius, zoom: 16 });
  const answer = await service.get('/api/v1/enc_query', { method: 'POST', body });
  return ((await answer.json()) as { results: Near[] }).results;
}

const GROUND = 'DEPARE DRGARE UNSARE LNDARE FLODOC HULKES PONTON'.split(' ');
const isGround = ({ layerId, geometry }: Near) =>
  GROUND.includes(layerId) && geometry.type.endsWith('Polygon');
const scales = new Map(
  manifestOf(inject('demoCharts')).cells.map((cell) => [cell.name, cell.scaleDenominator]),
);

/** A sample as enc_query describes its position. On a border, one of the areas must fit. */
function fits(sample: Sample, near: readonly Near[]): boolean {
  const grounds = near.filter(isGround);
  if (sample.surface === 'uncharted') {
    const { layerId, minDepth, maxDepth, source } = sample;
    return (
      grounds.length === 0 && [layerId, minDepth, maxDepth, source].every((one) => one === null)
    );
  }
  return grounds.some(({ layerId, parentId, rawAttributes }) => {
    const { cellName, edition, scale } = sample.source!;
    return (
      layerId === sample.layerId &&
      parentId === `${cellName}.${edition}` &&
      scale === scales.get(cellName) &&
      (sample.surface === 'water'
        ? sample.minDepth === (rawAttributes['drval1'] ?? null) &&
          sample.maxDepth === (rawAttributes['drval2'] ?? null)
        : sample.minDepth === null && sample.maxDepth === null)
    );
  });
}

describe('a depth profile', () => {
  test.each([
    ['a coast', COAST, 150],
    ['five usage bands and open ocean', FAR, 120],
  ])('agrees with enc_query at every sample: %s', async (_, geometry, numSamples) => {
    const { samples } = await profile({ geometry, numSamples });
    expect(samples).toHaveLength(numSamples);
    for (const sample of samples) {
      const near = await featuresNear(sample, 0.1);
      expect(fits(sample, near), JSON.stringify([sample, near.filter(isGround)])).toBe(true);
    }
    const surfaces = new Set(samples.map(({ surface }) => surface));
    expect(surfaces).toContain('water');
    expect(surfaces).toContain(geometry === FAR ? 'uncharted' : 'land');
    const bands = new Set(samples.flatMap(({ source }) => source?.cellName[2] ?? []));
    expect(bands.size).toBeGreaterThan(geometry === FAR ? 2 : 0);
  });

  test('has the contours that enc_query finds where the line crosses them', async () => {
    const { samples } = await profile({ geometry: COAST, sampleInterval: 25 });
    const crossed = samples.filter(({ contours }) => contours.length > 0);
    expect(crossed.length).toBeGreaterThan(5);
    for (const sample of crossed) {
      const before = samples[samples.indexOf(sample) - 1]!;
      const near = await featuresNear(sample, 26);
      const depths = near
        .filter(({ layerId }) => layerId === 'DEPCNT')
        .map(({ rawAttributes }) => rawAttributes['valdco']);
      for (const { depth, distance } of sample.contours) {
        expect(depths).toContain(depth);
        expect(distance).toBeGreaterThanOrEqual(before.distance);
        expect(distance).toBeLessThanOrEqual(sample.distance);
      }
    }
  });

  test('crosses a contour wherever neighbouring depth areas of one chart differ', async () => {
    const { samples } = await profile({ geometry: COAST, numSamples: 1000 });
    let changes = 0;
    samples.forEach((sample, i) => {
      const before = samples[i - 1] ?? sample;
      const isWater = [sample, before].every(
        ({ layerId, minDepth }) => layerId === 'DEPARE' && minDepth !== null && minDepth >= 0,
      );
      const isOneChart = sample.source?.cellName === before.source?.cellName;
      if (!isWater || !isOneChart || sample.minDepth === before.minDepth) return;
      changes++;
      const between = Math.max(sample.minDepth!, before.minDepth!);
      // A sample is rounded to a centimetre and can lie on the other side of the contour.
      const near = samples
        .slice(i - 1, i + 2)
        .flatMap(({ contours }) => contours)
        .filter(({ distance }) => distance > before.distance - 0.05)
        .filter(({ distance }) => distance < sample.distance + 0.05);
      expect(near.map(({ depth }) => depth)).toContain(between);
    });
    expect(changes).toBeGreaterThan(3);
  });

  test('does not depend on the number of samples, except for their places', async () => {
    const all = async (numSamples: number) => {
      const { length, samples } = await profile({ geometry: FAR, numSamples });
      return { length, contours: samples.flatMap(({ contours }) => contours) };
    };
    expect(await all(2)).toEqual(await all(1000));
    expect((await all(2)).contours.length).toBeGreaterThan(10);
  });

  test('is uncharted, never deep or 0, at a place without a chart', async () => {
    const { samples } = await profile({ geometry: lineOf([-100, -50], [-101, -51]) });
    expect(samples).toHaveLength(100);
    for (const sample of samples) {
      expect(sample).toMatchObject({
        surface: 'uncharted',
        layerId: null,
        minDepth: null,
        maxDepth: null,
        contours: [],
        source: null,
      });
    }
  });

  test.each([
    ['eastward', lineOf([179.9, 10], [-179.9, 10.1])],
    ['beyond 180', lineOf([179.9, 10], [180.1, 10.1])],
    ['westward', lineOf([-179.9, -84], [179.9, -85])],
  ])('crosses the antimeridian: %s', async (_, geometry) => {
    const { length, samples } = await profile({ geometry, numSamples: 11 });
    expect(length).toBeLessThan(120_000);
    for (const { longitude } of samples) expect(Math.abs(longitude)).toBeGreaterThan(179.8);
    expect(new Set(samples.map(({ longitude }) => Math.sign(longitude))).size).toBe(2);
  });

  test('is the same for longitudes of another turn', async () => {
    const turned = lineOf(
      ...COAST.coordinates.map((one) => [(one as number[])[0]! + 360, (one as number[])[1]]),
    );
    const { samples } = await profile({ geometry: turned, numSamples: 50 });
    expect(samples.map(({ surface, minDepth }) => [surface, minDepth])).toEqual(
      (await profile({ geometry: COAST, numSamples: 50 })).samples.map(({ surface, minDepth }) => [
        surface,
        minDepth,
      ]),
    );
  });
});

describe('a depth profile is refused', () => {
  test.each([
    ['without a line', {}, 400, 'bad_query'],
    ['with a pole', { geometry: lineOf([0, 80], [0, 90]) }, 400, 'bad_query'],
    [
      'with an infinite number',
      '{"geometry":{"type":"LineString","coordinates":[[0,0],[1e999,1]]}}',
      400,
      'bad_query',
    ],
    ['with a line of 2,000 km', { geometry: lineOf([0, 0], [18, 0]) }, 400, 'bad_query'],
    ['with both options', { geometry: COAST, numSamples: 2, sampleInterval: 9 }, 400, 'bad_query'],
    ['with a list', '[]', 400, 'bad_json'],
    ['with half a body', '{"geometry":', 400, 'bad_json'],
    ['with deep nesting', `{"geometry":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, 'bad_json'],
    ['with 64 KiB', { geometry: COAST, more: 'x'.repeat(65_536) }, 413, 'body_too_large'],
  ])('%s', async (_, body, status, code) => {
    const response = await post(body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      status,
      code,
    ]);
  });

  test('without a token, or without the scope of enc_query', async () => {
    const bare = await fetch(service.address + PATH, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(401);
    const token = await service.token({ scopes: ['tiles'] });
    const unscoped = await post({}, { headers: { authorization: `Bearer ${token}` } });
    expect([unscoped.status, ((await unscoped.json()) as { code: string }).code]).toEqual([
      403,
      'scope_required',
    ]);
    const queryToken = await service.token({ scopes: ['query'] });
    const body = { geometry: COAST };
    expect((await post(body, { headers: { authorization: `Bearer ${queryToken}` } })).status).toBe(
      200,
    );
  });
});

describe('storage', () => {
  const ask = (app: DirectApp, body: object = { geometry: COAST }) =>
    app.fetch(PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.token}` },
      body: JSON.stringify(body),
    });

  test.each([
    ['is gone', () => undefined],
    ['is cut off', (bytes: Uint8Array) => bytes.slice(0, bytes.length / 2)],
    [
      'is damaged',
      (bytes: Uint8Array) =>
        bytes.map((byte, i) => (i > 16_384 && i % 97 === 0 ? byte ^ 64 : byte)),
    ],
  ])('that %s gives 503, never an uncharted sample', async (_, spoil) => {
    const app = await freshApp(inject('demoCharts'));
    app.spoil = (key, bytes) => (key === POINTER_KEY ? bytes : spoil(bytes));
    const response = await ask(app);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ code: 'charts_unavailable' });
  });

  test('is read a few times for a new line, and not again for a known one', async () => {
    const app = await freshApp(inject('demoCharts'));
    expect((await ask(app, { geometry: COAST, numSamples: 1000 })).status).toBe(200);
    const readsOfFirst = app.reads.length;
    expect(readsOfFirst).toBeLessThan(12);
    expect((await ask(app)).status).toBe(200);
    expect(app.reads.length).toBe(readsOfFirst);
  });
});
