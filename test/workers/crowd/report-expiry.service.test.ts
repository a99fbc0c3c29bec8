// How long reports last: by kind, longer if votes confirm them, and by the settings of the deployment.
// Also the sweep, which stores expiries. The tests move the clock and do not wait.

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest';
import { LIFETIMES_MS, REPORT_KINDS, type ReportKind } from '../../../shared/reports/report.ts';
import { tidyUp } from '../../../workers/service/scheduled.ts';
import { HAZARD, REPORTS, type ReportBody } from '../../support/crowd-service.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { freshApp } from '../../support/direct-app.ts';
import { startService, tokenFor } from '../../support/service.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.now();

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await database?.stop();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
});
afterEach(() => vi.useRealTimers());

async function isolate(settings: Readonly<Record<string, string>> = {}) {
  const app = await freshApp(inject('demoCharts'), { ...database.bindings, ...settings });
  const caller = async (subject: string, more = {}) => {
    const token = await tokenFor(app.keys, {
      subject,
      scopes: ['styles', 'reports:write', 'bathymetry:write'],
      expiresInSeconds: 30 * 86_400,
      ...more,
    });
    return async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
      const headers = { authorization: `Bearer ${token}` };
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await app.fetch(path, { method, headers, ...init });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
      return { status: response.status, body: (await response.json()) as any };
    };
  };
  return { app, caller };
}

type Ask = Awaited<ReturnType<Awaited<ReturnType<typeof isolate>>['caller']>>;
const report = async (ask: Ask, reportType: ReportKind = 'hazard') =>
  (await ask(REPORTS, { ...HAZARD, reportType })).body as ReportBody;
const vote = (ask: Ask, { id }: ReportBody, value: string) =>
  ask(`${REPORTS}/${id}/votes`, { vote: value });
const later = (ms: number) => vi.setSystemTime(NOW + ms);
const rowOf = async ({ id }: ReportBody) =>
  (
    await database.query(
      'SELECT expires_at::float8, expired_at::float8 FROM user_report WHERE id = $1',
      [id],
    )
  ).rows[0];

describe('a report', () => {
  test.each([
    ['weather', 6],
    ['wildlife', 12],
    ['accident', 24],
    ['hazard', 168],
  ] as const)('of %s lasts %d hours, to the millisecond', async (kind, hours) => {
    const { caller } = await isolate();
    const ask = await caller('anna');
    const made = await report(ask, kind);
    later(hours * HOUR_MS - 1);
    expect((await ask(`${REPORTS}/${made.id}`)).status).toBe(200);
    expect((await vote(ask, made, 'invalid')).status).toBe(200);
    later(hours * HOUR_MS);
    expect((await ask(`${REPORTS}/${made.id}`)).status).toBe(410);
    expect((await vote(ask, made, 'valid')).status).toBe(410);
    expect((await ask(REPORTS)).body.reports.map(({ id }: ReportBody) => id)).not.toContain(
      made.id,
    );
  });

  test('lasts its full time again after each vote that confirms it, and not after a vote that denies it', async () => {
    const { caller } = await isolate();
    const [anna, ben] = [await caller('anna'), await caller('ben')];
    const made = await report(anna, 'weather');
    later(5 * HOUR_MS);
    await vote(ben, made, 'valid');
    later(8 * HOUR_MS);
    await vote(ben, made, 'invalid');
    later(11 * HOUR_MS - 1);
    expect((await anna(`${REPORTS}/${made.id}`)).status).toBe(200);
    later(11 * HOUR_MS);
    expect((await anna(`${REPORTS}/${made.id}`)).status).toBe(410);
    const deleted = (await anna(`${REPORTS}/${made.id}`, undefined, 'DELETE')).body;
    expect(deleted).toMatchObject({
      expiredAt: NOW + 11 * HOUR_MS,
      updatedAt: NOW + 8 * HOUR_MS,
      deletedAt: NOW + 11 * HOUR_MS,
    });
  });
});

describe('settings', () => {
  test('EXPIRY_JSON sets lifetimes by kind and leaves the others', async () => {
    const { caller } = await isolate({ EXPIRY_JSON: '{"weather":1000}' });
    const ask = await caller('anna');
    const weather = await report(ask, 'weather');
    const hazard = await report(ask, 'hazard');
    later(1000);
    expect((await ask(`${REPORTS}/${weather.id}`)).status).toBe(410);
    expect((await ask(`${REPORTS}/${hazard.id}`)).status).toBe(200);
  });

  test.each(['{', '[]', '{"storm":1}', '{"hazard":0}', '{"hazard":"1"}', '{"hazard":1.5}'])(
    'EXPIRY_JSON with the value %s is ignored and logged',
    async (EXPIRY_JSON) => {
      const { app, caller } = await isolate({ EXPIRY_JSON });
      const ask = await caller('anna');
      const made = await report(ask);
      expect((await rowOf(made)).expires_at).toBe(NOW + LIFETIMES_MS.hazard);
      expect(await (await app.fetch('/readyz')).json()).toMatchObject({
        faultySettings: ['EXPIRY_JSON'],
      });
    },
  );

  test('EXPIRE_NET_INVALID ends a report after this majority of denials', async () => {
    const { caller } = await isolate({ EXPIRE_NET_INVALID: '2' });
    const [anna, ben, cleo, dora] = await Promise.all(
      ['anna', 'ben', 'cleo', 'dora'].map((name) => caller(name)),
    );
    const made = await report(anna!);
    expect((await vote(anna!, made, 'valid')).body.expiredAt).toBeNull();
    expect((await vote(ben!, made, 'invalid')).body.expiredAt).toBeNull();
    expect((await vote(cleo!, made, 'invalid')).body.expiredAt).toBeNull();
    expect((await vote(dora!, made, 'invalid')).body).toMatchObject({
      downvoteCount: 3,
      expiredAt: NOW,
    });
    expect((await vote(anna!, made, 'valid')).status).toBe(410);
  });

  test('no number of denials ends a report by default', async () => {
    const { caller } = await isolate();
    const made = await report(await caller('anna'));
    for (let at = 0; at < 8; at++) {
      expect((await vote(await caller(`v${at}`), made, 'invalid')).status).toBe(200);
    }
  });

  test('ALLOW_SELF_VOTE=off refuses votes on the voter’s own reports, also for end users', async () => {
    const { caller } = await isolate({ ALLOW_SELF_VOTE: 'off' });
    const [anna, ben] = [await caller('anna'), await caller('ben')];
    const made = await report(anna);
    expect(await vote(anna, made, 'valid')).toMatchObject({
      status: 403,
      body: { code: 'own_report' },
    });
    expect((await vote(ben, made, 'valid')).status).toBe(200);
    const server = await caller('server', { votesForUsers: true });
    const theirs = (await server(REPORTS, { ...HAZARD, externalUserId: 'u1' })).body as ReportBody;
    const by = (externalUserId: string) =>
      server(`${REPORTS}/${theirs.id}/votes`, { vote: 'valid', externalUserId });
    expect((await by('u1')).status).toBe(403);
    expect((await by('u2')).status).toBe(200);
    // The visitors of a page share its public token.
    const page = await caller('page', { scopes: ['styles', 'reports:write'] });
    const { id } = (await page(REPORTS, HAZARD)).body as ReportBody;
    expect((await page(`${REPORTS}/${id}/votes`, { vote: 'valid' })).status).toBe(200);
  });

  test('EXPOSE_EXTERNAL_USER_ID determines who sees it', async () => {
    const seen: Record<string, unknown[]> = {};
    for (const exposure of ['account', 'owner', 'always']) {
      const { caller } = await isolate({ EXPOSE_EXTERNAL_USER_ID: exposure });
      const anna = await caller('anna');
      const { id } = (await anna(REPORTS, { ...HAZARD, externalUserId: 'x' })).body as ReportBody;
      const viewers = [anna, await caller('ben'), await caller('anna', { account: 'others' })];
      seen[exposure] = [];
      for (const ask of viewers)
        seen[exposure].push((await ask(`${REPORTS}/${id}`)).body.externalUserId ?? 'absent');
    }
    expect(seen).toEqual({
      account: ['x', 'x', 'absent'],
      owner: ['x', 'absent', 'absent'],
      always: ['x', 'x', 'x'],
    });
  });

  test('REPORTS_LISTING=off disables lists', async () => {
    const { caller } = await isolate({ REPORTS_LISTING: 'off' });
    const ask = await caller('anna');
    expect((await ask(REPORTS)).status).toBe(404);
    const made = await report(ask);
    expect((await ask(`${REPORTS}/${made.id}`)).status).toBe(200);
  });

  test('REPORT_MAX_BODY_BYTES and REPORT_MAX_PROPERTIES_BYTES limit requests', async () => {
    const { caller } = await isolate({
      REPORT_MAX_BODY_BYTES: '2048',
      REPORT_MAX_PROPERTIES_BYTES: '1024',
    });
    const ask = await caller('anna');
    const withText = (length: number) =>
      ask(REPORTS, { ...HAZARD, properties: { note: 'x'.repeat(length) } });
    expect((await withText(1000)).status).toBe(201);
    expect((await withText(1100)).status).toBe(400);
    expect((await withText(2100)).status).toBe(413);
  });
});

describe('the sweep', () => {
  const envOf = () => ({ TILES: {} as never, ...database.bindings });
  beforeEach(() => database.query('TRUNCATE user_report CASCADE'));

  test('stores each expiry with its time, and checks renewed reports again', async () => {
    const { caller } = await isolate();
    const ask = await caller('anna');
    const [over, renewed, running] = [
      await report(ask, 'weather'),
      await report(ask, 'weather'),
      await report(ask, 'hazard'),
    ];
    later(5 * HOUR_MS);
    await vote(ask, renewed!, 'valid');
    later(7 * HOUR_MS);
    expect(await tidyUp(envOf(), Date.now())).toBe(2);
    expect((await rowOf(over!)).expired_at).toBe(NOW + 6 * HOUR_MS);
    expect((await rowOf(renewed!)).expired_at).toBeNull();
    expect((await rowOf(running!)).expired_at).toBeNull();
    expect(await tidyUp(envOf(), Date.now())).toBe(0);
    later(11 * HOUR_MS);
    expect(await tidyUp(envOf(), Date.now())).toBe(1);
    expect((await rowOf(renewed!)).expired_at).toBe(NOW + 11 * HOUR_MS);
  });

  test('runs as many rounds as it needs', async () => {
    await database.query(
      `INSERT INTO user_report (id, account_id, owner_subject, report_type, latitude, longitude, place,
         properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request)
       SELECT gen_random_uuid(), 'a', 'b', 'hazard', 0, 0, 0, '{}', 1, 1, 1, 2, 2, gen_random_uuid()
       FROM generate_series(1, 22000)`,
    );
    expect(await tidyUp(envOf(), NOW)).toBe(22_000);
    const { rows } = await database.query('SELECT DISTINCT expired_at::int FROM user_report');
    expect(rows).toEqual([{ expired_at: 2 }]);
  });

  test('deletes expired links that set a password', async () => {
    await database.query(`INSERT INTO account (id, plan) VALUES ('mailed', 'standard')`);
    for (const [id, expires] of Object.entries({ over: NOW - 1, valid: NOW + 1 })) {
      await database.query(
        `INSERT INTO portal_user (id, account_id, role, email) VALUES ($1, 'mailed', 'member', $1 || '@a.example')`,
        [id],
      );
      await database.query('INSERT INTO portal_reset VALUES ($1, $1, $1, $2, 0, 0)', [id, expires]);
    }
    await tidyUp(envOf(), NOW);
    const { rows } = await database.query('SELECT id FROM portal_reset');
    expect(rows).toEqual([{ id: 'valid' }]);
  });

  test('deletes expired sessions also if reports cannot be swept', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await database.query(
      `INSERT INTO portal_challenge (id, identifier, value, expires_at, created_at, updated_at)
       VALUES ('c', 'i', 'v', 1, 0, 0)`,
    );
    await database.query('ALTER FUNCTION sweep_reports RENAME TO lost');
    try {
      expect(await tidyUp(envOf(), NOW)).toBe(0);
    } finally {
      await database.query('ALTER FUNCTION lost RENAME TO sweep_reports');
    }
    expect((await database.query('SELECT FROM portal_challenge')).rowCount).toBe(0);
    expect(log.mock.calls.join()).toContain('"where":"sweep"');
    log.mockRestore();
  });

  test('does nothing and logs nothing if there is no database', async () => {
    expect(await tidyUp({ TILES: {} as never }, NOW)).toBe(0);
  });

  test('is started by the scheduler of the platform, in the real runtime', async () => {
    vi.useRealTimers();
    const service = await startService({
      charts: inject('demoCharts'),
      database: database.bindings,
    });
    try {
      const made = await service.get(REPORTS, { method: 'POST', body: JSON.stringify(HAZARD) });
      const body = (await made.json()) as ReportBody;
      await database.query('UPDATE user_report SET expires_at = created_at, sweep_at = created_at');
      const worker = await service.runtime.getWorker();
      await worker.scheduled({ cron: '* * * * *' });
      await vi.waitUntil(async () => (await rowOf(body)).expired_at !== null, { timeout: 20_000 });
      expect((await rowOf(body)).expired_at).toBe(body.createdAt);
    } finally {
      await service.stop();
    }
  });
});

test('every kind has a lifetime', () => {
  expect(Object.keys(LIFETIMES_MS).sort()).toEqual([...REPORT_KINDS].sort());
});
