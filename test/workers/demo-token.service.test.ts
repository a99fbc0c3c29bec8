// GET /api/v1/demo-token: the setting DEMO_TOKEN, which every visitor of the landing page can read.

import { afterEach, expect, inject, test, vi } from 'vitest';
import { newKey, publicKeySet, type TokenRequest } from '../../workers/host/admin/keys.ts';
import { freshApp } from '../support/direct-app.ts';
import { tokenFor } from '../support/service.ts';

const READING: Partial<TokenRequest> = { scopes: ['tiles', 'styles', 'query'] };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A service with this setting: what it answers, and what it logs. */
async function serviceWith(settings: Readonly<Record<string, string>>, keys = newKeys()) {
  const app = await freshApp(inject('demoCharts'), {
    TOKEN_KEYS: JSON.stringify(publicKeySet(await keys)),
    ...settings,
  });
  const lines: string[] = [];
  app.onLogLine = (line) => lines.push(line);
  const response = await app.fetch('/api/v1/demo-token');
  expect(response.status).toBe(200);
  const { token } = (await response.json()) as { token: string | null };
  return { app, token, faults: lines.filter((line) => line.includes('DEMO_TOKEN')) };
}

const newKeys = async () => ({ keys: [await newKey()] });

test('answers null without the setting', async () => {
  expect(await serviceWith({})).toMatchObject({ token: null, faults: [] });
});

test('answers a public token, which a page of any origin can use', async () => {
  const keys = await newKeys();
  const DEMO_TOKEN = await tokenFor(keys, READING);
  const { app, token } = await serviceWith({ DEMO_TOKEN }, Promise.resolve(keys));
  expect(token).toBe(DEMO_TOKEN);
  const init = { headers: { origin: 'https://a.example' } };
  const tiles = await app.fetch(`/api/v2/tiles/enc-v2.json?token=${token}`, init);
  expect(tiles.status).toBe(200);
});

test.each<[string, Partial<TokenRequest>]>([
  ['a secret token', { scopes: ['tiles', 'routing'] }],
  ['a token that is restricted to origins', { ...READING, origins: ['https://a.example'] }],
  ['an expired token', { ...READING, expiresInSeconds: -600 }],
])('never answers %s, and logs why', async (_, request) => {
  const keys = await newKeys();
  const DEMO_TOKEN = await tokenFor(keys, request);
  const { token, faults } = await serviceWith({ DEMO_TOKEN }, Promise.resolve(keys));
  expect(token).toBeNull();
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.join()).not.toContain(DEMO_TOKEN);
});

test('reports a setting that is no token in /readyz, and never answers it', async () => {
  const { app, token } = await serviceWith({ DEMO_TOKEN: 'secret words' });
  expect(token).toBeNull();
  const ready = await app.fetch('/readyz');
  expect(await ready.json()).toMatchObject({ faultySettings: ['DEMO_TOKEN'] });
});
