// What `npm run deploy` finds before it makes anything: mistakes that would otherwise show halfway.

import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { domain } from '../../../workers/host/deploy/account-steps.ts';
import { charts, database, keys } from '../../../workers/host/deploy/service-steps.ts';
import { smokeTest } from '../../../workers/host/deploy/smoke-test.ts';
import type { Deployment } from '../../../workers/host/deploy/step.ts';
import { currentVersions, rollBack } from '../../../workers/host/deploy/versions.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const home = scratchFolder();

/** A port on which no program listens, and which browsers and `fetch` accept. */
const CLOSED = '127.0.0.1:65001';

/** What wrangler answers to the commands that begin so; it fails at all others. */
type Answers = Readonly<Record<string, { readonly code: number; readonly output: string }>>;

const NO_OBJECT = { 'r2 object get': { code: 1, output: 'The specified key does not exist.' } };
const NEVER_DEPLOYED = {
  'deployments list': {
    code: 1,
    output: 'This Worker does not exist on your account. [code: 10007]',
  },
};
const DEPLOYED = {
  'deployments list': {
    code: 0,
    output: JSON.stringify([
      { created_on: '2030-01-01', versions: [{ version_id: 'version-7', percentage: 100 }] },
    ]),
  },
};

const deployment = (answers: Answers, changed: Partial<Deployment> = {}): Deployment => ({
  root: ROOT,
  config: join(ROOT, 'wrangler.toml'),
  heavyConfig: join(ROOT, 'workers/host/deploy/heavy-worker.toml'),
  name: 'production',
  domain: undefined,
  charts: undefined,
  data: join(home, 'none'),
  databaseOwnerUrl: undefined,
  databaseUrl: undefined,
  wrangler: async (...words) => {
    const known = Object.entries(answers).find(([start]) => words.join(' ').startsWith(start));
    const { code, output } = known?.[1] ?? { code: 1, output: 'fetch failed' };
    return { code, output, stdout: output };
  },
  ...changed,
});

const missing = (what: RegExp) => ({ state: 'missing', what: expect.stringMatching(what) });

test.each([
  'https://charts.example/',
  'charts.example:8787',
  'localhost',
  '192.0.2.1',
  'a_b.example',
])('a deployment to %s is refused: it is not the name of a host in a zone', async (name) => {
  const found = await domain.look(deployment({}, { domain: name }));
  expect(found).toEqual(missing(/is not a host name/));
});

test('a deployment to the name of a host is not refused', async () => {
  const found = await domain.look(deployment({}, { domain: 'charts-2.harbour.example' }));
  expect(found.state).toBe('to make');
});

test('reports a folder without a build before it creates the bucket', async () => {
  const found = await charts.look(deployment(NO_OBJECT, { charts: home }));
  expect(found).toEqual(missing(/no manifest\.json.*charts -- build/));
});

test('a bucket that cannot be read is not taken for one without charts', async () => {
  await expect(charts.look(deployment({}, { charts: home }))).rejects.toThrow(/fetch failed/);
});

test('reports a database that rejects the login before it creates anything', async () => {
  const databaseUrl = `postgresql://leadline_worker:wrong@${CLOSED}/leadline`;
  expect(await database.look(deployment({}, { databaseUrl }))).toEqual(
    missing(/the database at DATABASE_URL: .*ECONNREFUSED/),
  );
});

test.each([
  [NEVER_DEPLOYED, 'there'],
  [{ ...DEPLOYED, 'secret list': { code: 0, output: '[{ "name": "TOKEN_KEYS" }]' } }, 'there'],
  [{ ...DEPLOYED, 'secret list': { code: 0, output: '[{ "name": "DATABASE_URL" }]' } }, 'missing'],
])('requires the database that the deployed version keeps (%j)', async (answers, state) => {
  expect((await database.look(deployment(answers))).state).toBe(state);
});

test('reports why it rolls back if the rollback fails', async () => {
  const before = { service: 'version-7', heavyWorker: undefined };
  await expect(rollBack(deployment({}), before, 'no tiles')).rejects.toThrow(/no tiles.*\n.*fetch/);
});

test('creates keys only before the first deployment, because new keys invalidate all tokens', async () => {
  const data = join(home, 'other');
  expect((await keys.look(deployment(NEVER_DEPLOYED, { data }))).state).toBe('to make');
  expect(await keys.look(deployment(DEPLOYED, { data }))).toEqual(
    missing(/signing-keys\.json and user-tokens\.json .*version-7 .*--data/),
  );
  await expect(keys.look(deployment({}, { data }))).rejects.toThrow(/listing deployments/);
});

test('stops during a gradual deployment, because it has no single version to keep or to roll back to', async () => {
  const created_on = '2030-01-02';
  const versions = [30, 70].map((percentage) => ({ version_id: `v${percentage}`, percentage }));
  const output = JSON.stringify([{ created_on, versions }]);
  const split = { 'deployments list': { code: 0, output } };
  await expect(currentVersions(deployment(split))).rejects.toThrow(
    /Several versions .*production\. .*versions deploy/,
  );
});

test('users’ tokens outlive a deployment by a workflow that was handed the signing keys alone', async () => {
  const own = join(home, 'own');
  await keys.make?.(deployment(NEVER_DEPLOYED, { data: own }));
  expect((await keys.look(deployment(DEPLOYED, { data: own }))).state).toBe('there');
  const half = join(home, 'half');
  mkdirSync(join(half, 'keys'), { recursive: true });
  copyFileSync(join(own, 'keys/signing-keys.json'), join(half, 'keys/signing-keys.json'));
  expect(await keys.look(deployment(DEPLOYED, { data: half }))).toEqual(
    missing(/^user-tokens\.json/),
  );
});

const trial = (origin: string) =>
  smokeTest({
    origin,
    publicOrigin: 'https://charts.example',
    token: '',
    hasDatabase: false,
    attempts: 1,
    pauseMs: 0,
  });

test('the address of the smoke test may end with a slash', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not sent'));
  await trial('https://trial.example/');
  expect(fetched.mock.calls[0]![0]).toBe('https://trial.example/healthz');
  fetched.mockRestore();
});

test('a deployment that does not answer is reported with the reason', async () => {
  const tried = await trial(`http://${CLOSED}`);
  expect(tried).toEqual([
    {
      name: 'it is up',
      problem: `http://${CLOSED} does not answer: fetch failed: connect ECONNREFUSED ${CLOSED}`,
    },
  ]);
});
