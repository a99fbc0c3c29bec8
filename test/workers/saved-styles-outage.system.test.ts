// Saved styles while the database is dead or hangs: documents go on being served, also by isolates
// that never saw it alive; the portal says 503; tiles notice nothing. In the real runtime too.

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

  test('isolates called directly serve what they know, and one that knows nothing serves the copy at the edge', async () => {
    await newDatabase();
    const KV = memoryNamespace();
    const first = await isolate(KV);
    const made = await ask(first, STYLES, { method: 'POST', body: DEEP });
    const { id } = (await made.json()) as { id: string };
    const before = await (await ask(first, `${BASE}?styleId=${id}`)).text();
    expect(before).toContain('"leadline:depth-limit-meters":12');
    await database.kill();

    expect(await (await ask(first, `${BASE}?styleId=${id}`)).text()).toBe(before);
    const second = await isolate(KV);
    expect(await (await ask(second, `${BASE}?styleName=Deep`)).text()).toBe(before);
    // Whether this one was saved meanwhile nobody can say now.
    await expectUnavailable(await ask(second, `${BASE}?styleName=Shallow`));
    await expectUnavailable(await ask(second, STYLES));
    await expectUnavailable(await ask(second, STYLES, { method: 'POST', body: DEEP }));
    await expectUnavailable(await ask(second, `${STYLES}/${id}`, { method: 'DELETE' }));

    const bare = await isolate(memoryNamespace());
    await expectUnavailable(await ask(bare, `${BASE}?styleId=${id}`));
    expect((await ask(bare, BASE)).status).toBe(200);
  });

  test('isolates called directly serve an old copy after its time rather than nothing', async () => {
    await newDatabase();
    const app = await isolate(memoryNamespace());
    await ask(app, STYLES, { method: 'POST', body: DEEP });
    expect((await ask(app, `${BASE}?styleName=Deep`)).status).toBe(200);
    await database.kill();
    vi.useFakeTimers({ now: Date.now() + 600_000, toFake: ['Date'] });
    try {
      expect((await ask(app, `${BASE}?styleName=Deep`)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });

  test('isolates called directly know of no style where there never was a database, now and later', async () => {
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

  test('answer while the database hangs', async () => {
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

  test('a killed database costs the portal, and neither styles nor tiles nor readiness', async () => {
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

    await database.kill();
    await expectUnavailable(await service.get(STYLES));
    for (let round = 0; round < 12; round++) {
      const answers = await Promise.all([address, TILE, STYLES].map((path) => service.get(path)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
      expect(answers[0]!.headers.get('etag')).toBe(etag);
    }
    expect((await service.get('/readyz')).status).toBe(200);
    const faults = service.log.filter((line) => line.includes('"kind":"fault"'));
    // A database that is away is written down, and not by every request.
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThan(10);
    expect(service.log.join('\n')).not.toContain('Deep');
  });
});
