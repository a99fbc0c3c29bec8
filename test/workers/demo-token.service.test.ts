// GET /api/v1/demo-token: the setting DEMO_TOKEN, which every visitor of the landing page can read.

import { afterEach, expect, inject, test } from 'vitest';
import { newKey, type TokenRequest } from '../../workers/host/admin/keys.ts';
import { type Service, startService, tokenFor } from '../support/service.ts';

const READING: Partial<TokenRequest> = { scopes: ['tiles', 'styles', 'query'] };

let service: Service | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

/** What a service with this setting answers, and what it logs. */
async function answerWith(
  settings: Readonly<Record<string, string>>,
  keys = newKeys(),
): Promise<{ token: string | null; faults: string[] }> {
  service = await startService({ charts: inject('demoCharts'), keys: await keys, settings });
  const response = await fetch(`${service.address}/api/v1/demo-token`);
  expect(response.status).toBe(200);
  const { token } = (await response.json()) as { token: string | null };
  return { token, faults: service.log.filter((line) => line.includes('DEMO_TOKEN')) };
}

const newKeys = async () => ({ keys: [await newKey()] });

test('answers null without the setting', async () => {
  expect(await answerWith({})).toEqual({ token: null, faults: [] });
});

test('answers a public token, which a page of any origin can use', async () => {
  const keys = await newKeys();
  const DEMO_TOKEN = await tokenFor(keys, READING);
  const { token } = await answerWith({ DEMO_TOKEN }, Promise.resolve(keys));
  expect(token).toBe(DEMO_TOKEN);
  const tiles = await fetch(`${service!.address}/api/v2/tiles/enc-v2.json?token=${token}`);
  expect(tiles.status).toBe(200);
});

test.each<[string, Partial<TokenRequest>]>([
  ['a secret token', { scopes: ['tiles', 'routing'] }],
  ['a token that is restricted to origins', { ...READING, origins: ['https://a.example'] }],
  ['an expired token', { ...READING, expiresInSeconds: -600 }],
])('never answers %s, and logs why', async (_, request) => {
  const keys = await newKeys();
  const DEMO_TOKEN = await tokenFor(keys, request);
  const { token, faults } = await answerWith({ DEMO_TOKEN }, Promise.resolve(keys));
  expect(token).toBeNull();
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.join()).not.toContain(DEMO_TOKEN);
});

test('reports a setting that is no token in /readyz, and never answers it', async () => {
  const { token } = await answerWith({ DEMO_TOKEN: 'secret words' });
  expect(token).toBeNull();
  const ready = await fetch(`${service!.address}/readyz`);
  expect(await ready.json()).toMatchObject({ faultySettings: ['DEMO_TOKEN'] });
});
