// Soundings during many concurrent writes, and while the database is killed, frozen, slow or loses
// its responses. A request is stored completely or not at all, no acknowledged request is lost, and
// failures are 503 in time.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { DATABASE_LIMIT_MS } from '../../../workers/service/db/ask-database.ts';
import { limitFor } from '../../../workers/service/db/track-ingest.ts';
import { freshDatabase, mortalDatabase, type TestDatabase } from '../../support/database.ts';
import { databaseBehindProxy, type FaultyProxy } from '../../support/faulty-proxy.ts';
import { isLong } from '../../support/long-run.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  START,
  sendSoundings,
  soundingAfter,
  type Track,
  voyage,
} from '../../support/soundings.ts';

const ROUNDS = isLong ? 5 : 2;
const APPENDS = isLong ? 40 : 12;
const LIMIT_MS = isLong ? 3_600_000 : 900_000;
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function serviceOver(
  bindings: TestDatabase['bindings'],
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const service = await startService({
    isAlone: false,
    charts: inject('demoCharts'),
    database: bindings,
    settings,
  });
  undo.push(() => service.stop());
  return service;
}

/** Numbers of points and tracks, and of tracks with a wrong number of stored points. */
async function kept(database: TestDatabase) {
  const { rows } = await database.query(`
    SELECT coalesce(sum(point_count), 0)::int AS points, count(*)::int AS tracks,
      (count(*) FILTER (WHERE point_count <> (length(points) + coalesce((
        SELECT sum(length(c.points)) FROM track_chunk c WHERE c.track_id = track.id), 0)) / 32))::int
        AS wrong, coalesce(max(byte_size), 0)::int AS largest
    FROM track`);
  return rows[0] as { points: number; tracks: number; wrong: number; largest: number };
}

test(
  'many clients that sound for one boat at once lose no point',
  async () => {
    const database = await freshDatabase();
    undo.push(() => database.stop());
    const maxTrackBytes = 8192;
    const service = await serviceOver(database.bindings, { maxTrackBytes: `${maxTrackBytes}` });
    const clients = 48;
    const requests = isLong ? 50 : 2;
    let sent = 0;
    let size = 0;
    const statuses = new Map<number, number>();
    const client = async (number: number) => {
      for (let i = 0; i < requests; i++) {
        const at = (i * clients + number) * 5;
        const soundings = Array.from({ length: 5 }, (_, n) => soundingAfter((at + n) % 900));
        const body = { soundings, platform: { uniqueId: 'one boat' } };
        let { status, body: answer } = await sendSoundings(service, body);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const key = answer['idempotencyKey'] as string | undefined;
        // If the outcome is unknown, the request is sent again with its key.
        while (key !== undefined && status !== 201) {
          const again = { 'idempotency-key': key };
          ({ status, body: answer } = await sendSoundings(service, body, again));
        }
        if (status !== 201) continue;
        sent += soundings.length;
        size += JSON.stringify(soundings).length - 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
    expect([...statuses.keys()].filter((status) => ![201, 503].includes(status))).toEqual([]);
    const { points, tracks, wrong, largest } = await kept(database);
    // Requests that were rejected after a long wait are not stored.
    expect(points).toBe(sent);
    expect(service.log.filter((line) => line.includes('"where":"heavy work"'))).toEqual([]);
    expect([wrong, largest <= maxTrackBytes]).toEqual([0, true]);
    expect(tracks).toBeLessThanOrEqual(Math.ceil((1.5 * size * points) / sent / maxTrackBytes));
  },
  LIMIT_MS,
);

test('executes a request once if many clients send it at the same time', async () => {
  const database = await freshDatabase();
  undo.push(() => database.stop());
  const service = await serviceOver(database.bindings);
  const body = { soundings: voyage(20, 1), platform: { uniqueId: 'eager' } };
  for (let round = 0; round < ROUNDS; round++) {
    const headers = { 'idempotency-key': `round-${round}` };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sendSoundings(service, body, headers)),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => [201, 503].includes(status))).toBe(true);
    expect(new Set(taken.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect((await kept(database)).points).toBe(20 * (round + 1));
  }
});

test('many clients that delete tracks while others append to them never break a request', async () => {
  const database = await freshDatabase();
  undo.push(() => database.stop());
  const service = await serviceOver(database.bindings);
  const statuses = new Set<number>();
  let isDone = false;
  const remover = (async () => {
    while (!isDone) {
      const { rows } = await database.query('SELECT id FROM track');
      for (const { id } of rows) {
        const path = `/api/v1/user-reports/bathymetry/${id}`;
        statuses.add((await service.get(path, { method: 'DELETE' })).status);
      }
    }
  })();
  const writer = async () => {
    for (let i = 0; i < APPENDS; i++) {
      const body = { soundings: [soundingAfter(i)], platform: { uniqueId: 'contested' } };
      const { status } = await sendSoundings(service, body);
      expect([201, 503]).toContain(status);
    }
  };
  await Promise.all([writer(), writer(), writer(), writer()]);
  isDone = true;
  await remover;
  expect([...statuses].filter((status) => ![204, 404, 503].includes(status))).toEqual([]);
  const { rows } = await database.query(`
      SELECT (SELECT count(*)::int FROM track WHERE NOT EXISTS
          (SELECT FROM track_about a WHERE a.id = about_id)) AS bare,
        (SELECT count(*)::int FROM track_about a WHERE NOT EXISTS
          (SELECT FROM track WHERE about_id = a.id)) AS left_over`);
  expect(rows).toEqual([{ bare: 0, left_over: 0 }]);
  expect((await kept(database)).wrong).toBe(0);
});

describe('a database whose responses are lost', () => {
  /** A service over a database behind a proxy with configurable faults. */
  let database: TestDatabase;
  let proxy: FaultyProxy;
  let service: Service;
  beforeAll(async () => {
    ({ database, proxy } = await databaseBehindProxy());
    service = await startService({
      isAlone: false,
      charts: inject('demoCharts'),
      database: database.bindings,
    });
  });
  beforeEach(async () => {
    proxy.decide = () => 'none';
    // A successful write resets the count of failures. Its soundings are deleted.
    const { status } = await sendSoundings(service, { soundings: voyage(1, 1) });
    expect(status).toBe(201);
    await database.query('TRUNCATE track, track_about CASCADE');
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  test('after it has written: the second attempt finds the result of the first', async () => {
    let asked = 0;
    proxy.decide = () => (asked++ % 2 === 0 ? 'lose-answer' : 'none');
    for (let i = 0; i < 10; i++) {
      // Without a key of the client's, and merging from the second on.
      const body = { soundings: [soundingAfter(i)], platform: { uniqueId: 'lossy' } };
      const sent = await sendSoundings(service, body);
      expect(sent.status).toBe(201);
      expect(sent.body.tracks).toMatchObject([{ pointCount: i + 1, merged: i > 0 }]);
    }
    expect(proxy.lost).toBe(10);
    expect((await kept(database)).points).toBe(10);
  });

  test('every time: the outcome is unknown, and the same request with its key is answered later, once', async () => {
    proxy.decide = () => 'lose-answer';
    const body = { soundings: voyage(100, 2), platform: { uniqueId: 'patient' } };
    const headers = { 'idempotency-key': 'voyage' };
    const first = await sendSoundings(service, body, headers);
    expect([first.status, first.body.code]).toEqual([503, 'outcome_unknown']);
    expect([Number(first.retryAfter) > 0, first.body.idempotencyKey]).toEqual([true, 'voyage']);
    proxy.decide = () => 'none';
    const second = await sendSoundings(service, body, headers);
    expect(second.body).toMatchObject({ tracks: [{ pointCount: 100, merged: false }] });
    expect((await kept(database)).points).toBe(100);
  });

  test('every time, without a key: the refusal contains a key for asking about the outcome', async () => {
    proxy.decide = () => 'lose-answer';
    const body = { soundings: voyage(100, 2), platform: { uniqueId: 'keyless' } };
    const first = await sendSoundings(service, body);
    expect(first.body.code).toBe('outcome_unknown');
    proxy.decide = () => 'none';
    const headers = { 'idempotency-key': first.body.idempotencyKey as string };
    const second = await sendSoundings(service, body, headers);
    expect(second.body).toMatchObject({ tracks: [{ pointCount: 100, merged: false }] });
    expect((await kept(database)).points).toBe(100);
  });

  test('before the query, or as connection errors: 503, and nothing is stored', async () => {
    for (const fault of ['reset', 'broken'] as const) {
      proxy.decide = () => fault;
      const sent = await sendSoundings(service, { soundings: voyage(100, 2) });
      expect([sent.status, Number(sent.retryAfter) > 0]).toEqual([503, true]);
    }
    expect((await kept(database)).points).toBe(0);
  });

  test('or arrive slowly: 201', async () => {
    proxy.decide = () => 'slow';
    expect((await sendSoundings(service, { soundings: voyage(100, 2) })).status).toBe(201);
  });

  test('or never arrive: 503 within the time limit for this number of soundings', async () => {
    proxy.decide = () => 'hang';
    const sent = await sendSoundings(service, { soundings: voyage(100, 3) });
    expect([sent.status, Number(sent.retryAfter) > 0]).toEqual([503, true]);
    expect([limitFor(100), limitFor(50_000)]).toEqual([DATABASE_LIMIT_MS + 10, 7500]);
  });
});

test('a database that is killed or frozen while boats sound loses no acknowledged request, contains no partial request, and tiles are served', async () => {
  const database = await mortalDatabase();
  undo.push(() => database.stop());
  const service = await serviceOver(database.bindings);
  const perRequest = 50;
  const acknowledged: Track[] = [];
  const statuses = new Map<number, number>();
  const refusals = new Set<string>();
  const tiles = new Map<number, number>();
  const count = (map: Map<number, number>, status: number) =>
    map.set(status, (map.get(status) ?? 0) + 1);
  let isDone = false;
  const boat = async (number: number) => {
    for (let i = 0; !isDone; i++) {
      const from = START + (number * 20_000 + i) * 1_000_000;
      const soundings = voyage(perRequest, number * 1000 + i, 1000, from);
      const sent = await sendSoundings(service, { soundings });
      count(statuses, sent.status);
      if (sent.status === 201) acknowledged.push(...sent.body.tracks);
      else refusals.add(`${sent.status} ${sent.body.code} ${Number(sent.retryAfter) > 0}`);
    }
  };
  const watcher = async () => {
    while (!isDone) {
      const response = await service.get(TILE);
      await response.arrayBuffer();
      count(tiles, response.status);
    }
  };
  const all = Promise.all([...Array.from({ length: 6 }, (_, n) => boat(n)), watcher()]);
  const until = async (what: () => boolean) => {
    while (!what()) await new Promise((done) => setTimeout(done, 20));
  };
  await until(() => acknowledged.length >= 20);
  database.freeze();
  await until(() => (statuses.get(503) ?? 0) > 0);
  database.thaw();
  const before = acknowledged.length;
  await until(() => acknowledged.length > before + 10);
  database.kill();
  const refused = statuses.get(503)!;
  await until(() => statuses.get(503)! > refused + 20);
  isDone = true;
  await all;
  expect([...statuses.keys()].sort()).toEqual([201, 503]);
  const honest = ['503 database_unavailable true', '503 outcome_unknown true'];
  expect([...refusals].filter((refusal) => !honest.includes(refusal))).toEqual([]);
  expect([...tiles.keys()]).toEqual([200]);
  await database.restart();
  const ids = acknowledged.map(({ id }) => id);
  const known = 'SELECT count(*)::int AS n FROM track WHERE id = ANY($1::uuid[])';
  expect((await database.query(known, [ids])).rows).toEqual([{ n: ids.length }]);
  const { rows: points } = await database.query('SELECT point_count FROM track');
  expect(points.every(({ point_count }) => point_count === perRequest)).toBe(true);
  // An answer may be lost after the write, a write never after its answer.
  expect(points.length).toBeGreaterThanOrEqual(acknowledged.length);
});
