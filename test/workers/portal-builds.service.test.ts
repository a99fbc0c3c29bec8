// Builds of the charts in the portal: the current one, earlier ones, and the command of a rollback.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HISTORY_KEY, type Manifest, manifestKey } from '../../shared/chart/manifest.ts';
import { withSum } from '../../shared/chart/read-manifest.ts';
import type { ChartBuild } from '../../shared/contract/builds.ts';
import { type PortalService, startPortal } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

const digest = async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bucket = () => portal.crowd.service.runtime.getR2Bucket('TILES');
const read = async () => {
  const headers = await portal.sessionOf('administrator');
  return portal.send('GET', '/admin/builds', { headers });
};
const list = async () => (await read()).json as unknown as ChartBuild[];
const current = async () =>
  JSON.parse(await (await (await bucket()).get('current.json'))!.text()) as Manifest;
const setHistory = async (text: string) => (await bucket()).put(HISTORY_KEY, text);
const history = (buildIds: readonly string[]) => JSON.stringify({ format: 1, buildIds });

test('a service without a list shows the current build', async () => {
  await (await bucket()).delete(HISTORY_KEY);
  const { buildId, cells, datasets } = await current();
  expect(await list()).toEqual([
    {
      id: buildId,
      isCurrent: true,
      builtAt: Math.max(...datasets.map((one) => one.dataProcessedAt)),
      sourcedAt: Math.max(...datasets.map((one) => one.dataSourcedAt)),
      cells: cells.length,
      rollback: null,
    },
  ]);
});

test('earlier builds are listed once, newest first, with the command of a rollback', async () => {
  const { sum: _, ...manifest } = await current();
  const older = { ...manifest, buildId: 'older-build', cells: manifest.cells.slice(0, 1) };
  const text = JSON.stringify(await withSum(older, digest));
  await (await bucket()).put(manifestKey('older-build'), text);
  await (await bucket()).put(manifestKey('damaged-build'), text.replace('older', 'other'));
  const ids = [
    'older-build',
    'damaged-build',
    'missing-build',
    'older-build',
    manifest.buildId,
    'next-build',
  ];
  await setHistory(history(ids));
  const [first, ...earlier] = await list();
  expect(first).toMatchObject({ id: manifest.buildId, isCurrent: true });
  const unreadable = { isCurrent: false, builtAt: null, sourcedAt: null, cells: null };
  expect(earlier).toEqual([
    {
      id: 'older-build',
      isCurrent: false,
      builtAt: expect.any(Number),
      sourcedAt: expect.any(Number),
      cells: 1,
      rollback: 'npm run charts -- rollback --to older-build --remote',
    },
    { id: 'missing-build', ...unreadable, rollback: expect.stringContaining('missing-build') },
    { id: 'damaged-build', ...unreadable, rollback: expect.stringContaining('damaged-build') },
  ]);
});

test('at most ten builds are listed', async () => {
  await setHistory(history(Array.from({ length: 40 }, (_, at) => `build-${at + 10}`)));
  const ids = (await list()).map(({ id }) => id);
  expect(ids).toHaveLength(10);
  expect(ids[1]).toBe('build-49');
});

test('a damaged list is unavailable, and texts that are not ids are omitted', async () => {
  await setHistory(history(['older-build; rm -rf /', '../older-build', '<b>bold</b>']));
  expect(await list()).toHaveLength(1);
  for (const text of ['{', '{"format":2}', '{"format":1,"buildIds":[7]}']) {
    await setHistory(text);
    expect((await read()).json).toMatchObject({ status: 503, code: 'charts_unavailable' });
  }
});
