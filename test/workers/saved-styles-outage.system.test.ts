// Saved styles while the database is dead or hangs. Documents and tiles are still served, also by
// isolates that started later. The portal returns 503.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { type MortalDatabase, mortalDatabase } from '../support/database.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { type Service, startService, tokenFor } from '../support/service.ts';
import { ASSETS_INDEX, INDEX_ONLY, memoryNamespace } from '../support/style-assets.ts';

const STYLES = '/api/portal/v1/styles';
const BASE = '/api/v1/styles/base.json';
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
const DEEP = JSON.stringify({ name: 'Deep', parameters: { settings: { depthLimit: 12 } } });

let database: MortalDatabase;
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function newDatabase() {
  database = await mortalDatabase();
  undo.push(() => database.stop());
}

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ code: 'database_unavailable' });
}

describe('isolates called directly', () => {
  const isolate = (KV: object) =>
    freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY, KV, ...database.bindings });
  const ask = (app: DirectApp, path: string, init: RequestInit = {}) =>
    app.fetch(path, { ...init, headers: { authorization: `Bearer ${app.token}` } });

  test('serve known and expired documents, or else the copy at the edge, when the database was killed', async () => {
    await newDatabase();
    const KV = memoryNamespace();
    const first = await isolate(KV);
    const made = await ask(first, STYLES, { method: 'POST', body: DEEP });
    const { id } = (await made.json()) as { id: string };
    const before = await (await ask(first, `${BASE}?styleId=${id}`)).text();
    expect(before).toContain('"leadline:depth-limit-meters":12');
    expect(await (await ask(first, `${BASE}?styleName=Deep`)).text()).toBe(before);
    database.kill();

    expect(await (await ask(first, `${BASE}?styleId=${id}`)).text()).toBe(before);
    const second = await isolate(KV);
    expect(await (await ask(second, `${BASE}?styleName=Deep`)).text()).toBe(before);
    // Without the database it is unknown whether this style exists.
    await expectUnavailable(await ask(second, `${BASE}?styleName=Shallow`));
    await expectUnavailable(await ask(second, STYLES));
    await expectUnavailable(await ask(second, STYLES, { method: 'POST', body: DEEP }));
    await expectUnavailable(await ask(second, `${STYLES}/${id}`, { method: 'DELETE' }));

    const bare = await isolate(memoryNamespace());
    await expectUnavailable(await ask(bare, `${BASE}?styleId=${id}`));
    expect((await ask(bare, BASE)).status).toBe(200);

    // An expired copy is better than none.
    vi.useFakeTimers({ now: Date.now() + 600_000, toFake: ['Date'] });
    try {
      expect((await ask(first, `${BASE}?styleName=Deep`)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test('return 404 for saved styles if no database is configured, also an hour later', async () => {
    const app = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY, KV: memoryNamespace() });
    for (const minutes of [0, 1, 60]) {
      vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ['Date'] });
      try {
        const token = await tokenFor(app.keys);
        const headers = { authorization: `Bearer ${token}` };
        expect((await app.fetch(`${BASE}?styleName=Deep`, { headers })).status).toBe(404);
        await expectUnavailable(await app.fetch(STYLES, { headers }));
      } finally {
        vi.useRealTimers();
      }
    }
  });

  test('serve documents and tiles while the database hangs', async () => {
    await newDatabase();
    const KV = memoryNamespace();
    const first = await isolate(KV);
    await ask(first, STYLES, { method: 'POST', body: DEEP });
    database.freeze();
    const second = await isolate(KV);
    const [document, portal, tile] = await Promise.all([
      ask(second, `${BASE}?styleName=Deep`),
      ask(second, STYLES),
      ask(second, TILE),
    ]);
    expect([document.status, tile.status]).toEqual([200, 200]);
    await expectUnavailable(portal);
    database.thaw();
    const third = await isolate(KV);
    expect((await ask(third, STYLES)).status).toBe(200);
  });
});

describe('in the real runtime', () => {
  let service: Service;

  test('a killed database makes only the portal unavailable', async () => {
    await newDatabase();
    const assetsDir = mkdtempSync(join(tmpdir(), 'leadline-assets-'));
    undo.push(() => rmSync(assetsDir, { recursive: true }));
    writeFileSync(join(assetsDir, 'assets.json'), JSON.stringify(ASSETS_INDEX));
    const { bindings } = database;
    service = await startService({ charts: inject('demoCharts'), assetsDir, database: bindings });
    undo.push(() => service.stop());
    const made = await service.get(STYLES, { method: 'POST', body: DEEP });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: string };
    const address = `${BASE}?styleId=${id}`;
    const etag = (await service.get(address)).headers.get('etag');
    expect(await (await service.get('/readyz')).json()).toMatchObject({ database: 'up' });

    database.kill();
    await expectUnavailable(await service.get(STYLES));
    for (let round = 0; round < 12; round++) {
      const answers = await Promise.all([address, TILE, STYLES].map((path) => service.get(path)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
      expect(answers[0]!.headers.get('etag')).toBe(etag);
    }
    expect((await service.get('/readyz')).status).toBe(200);
    const faults = service.log.filter((line) => line.includes('"kind":"fault"'));
    // The fault is logged, but not for every request.
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThan(10);
    expect(service.log.join('\n')).not.toContain('Deep');
  });
});
