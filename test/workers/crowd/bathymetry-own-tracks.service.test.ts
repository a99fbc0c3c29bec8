// One's own tracks: lists, maps, deletion; and that nobody else's are ever among them.

import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type ResponseCheck, responseCheck } from '../../support/openapi.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  BATHYMETRY,
  type SentSounding,
  START,
  sendSoundings,
  soundingAfter,
  voyage,
} from '../../support/soundings.ts';

let database: TestDatabase;
let service: Service;
let check: ResponseCheck;
beforeAll(async () => {
  database = await freshDatabase();
  service = await startService({
    charts: inject('demoCharts'),
    database: database.bindings,
  });
  check = responseCheck((await (await service.get('/openapi.json')).json()) as never);
});
afterAll(async () => {
  await service?.stop();
  await database?.stop();
});
afterEach(() =>
  database.query('DELETE FROM track; DELETE FROM track_about; DELETE FROM ingest_key'),
);

/** Ask below the address of bathymetry, and hold the answer against the OpenAPI document. */
async function ask(path: string, method = 'GET', token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await service.get(`${BATHYMETRY}${path}`, { method, headers });
  expect(await check(method, `${BATHYMETRY}${path}`, response)).toEqual([]);
  return response;
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
const json = async (path: string, token?: string): Promise<any> =>
  (await ask(path, 'GET', token)).json();
const refusal = async (response: Response) => {
  const { status, code } = (await response.json()) as { status: number; code: string };
  return [status, code];
};
/** Send soundings, and learn the id of the first track they are in. */
async function keep(soundings: readonly SentSounding[], about: object = {}, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, body } = await sendSoundings(service, { soundings, ...about }, headers);
  expect(status).toBe(201);
  return body.tracks[0].id as string;
}

const NOBODY = '01a1ff98-0007-76c2-b235-b191422b47d7';
const PROVIDER = { orgName: 'Sailors', logger: 'Box', loggerVersion: '1.2', email: 'a@b.org' };
const VESSEL = {
  uniqueId: 'HARBOUR-3f0c2b52-9f0e-4c43-8d2a-6b9b1f6f4a51',
  name: 'Lark & <Sons> "π"',
  type: 'fishing vessel',
  length: 11.6,
  IDType: 'MMSI',
  IDNumber: '123456789',
};

test('a list tells of tracks with all that came with them, the last made first', async () => {
  const first = await keep([soundingAfter(0), soundingAfter(9)], {
    platform: VESSEL,
    providerContactPoint: PROVIDER,
    timeUnits: 'ms',
    convention: 'CSB',
    externalUserId: 'me',
  });
  const second = await keep([{ ...soundingAfter(0), latitude: -3, longitude: 170 }]);
  const { tracks, nextCursor } = await json('');
  expect(nextCursor).toBeNull();
  expect(tracks).toEqual([
    expect.objectContaining({ id: second, platform: null, externalUserId: null }),
    {
      id: first,
      pointCount: 2,
      startTime: START,
      endTime: START + 9000,
      bbox: [
        [-151.25, 59.5],
        [-151.25, 59.5],
      ],
      platform: VESSEL,
      providerContactPoint: PROVIDER,
      timeUnits: 'ms',
      convention: 'CSB',
      externalUserId: 'me',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    },
  ]);
});

test('a list comes in pages that lose and repeat nothing, though tracks come and go', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) ids.unshift(await keep([soundingAfter(i)]));
  const page = await json('?limit=3');
  expect(page.tracks.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3));
  await keep([soundingAfter(50)]);
  await ask(`/${ids[2]}`, 'DELETE');
  const rest = await json(`?limit=3&cursor=${page.nextCursor}`);
  expect(rest.tracks.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3, 6));
  const last = await json(`?limit=3&cursor=${rest.nextCursor}`);
  expect([last.tracks.map(({ id }: { id: string }) => id), last.nextCursor]).toEqual([
    ids.slice(6),
    null,
  ]);
});

test('a list is of one platform or one user where that is asked', async () => {
  const a = await keep([soundingAfter(0)], { platform: { uniqueId: 'a' }, externalUserId: 'x' });
  const b = await keep([soundingAfter(0)], { platform: { uniqueId: 'b & c' } });
  const idsOf = async (query: string) =>
    (await json(query)).tracks.map(({ id }: { id: string }) => id);
  expect(await idsOf('?platform=a')).toEqual([a]);
  expect(await idsOf('?platform=b%20%26%20c')).toEqual([b]);
  expect(await idsOf('?externalUserId=x')).toEqual([a]);
  expect(await idsOf('?platform=b&externalUserId=x')).toEqual([]);
  expect(await idsOf('?platform=&limit=')).toEqual([b, a]);
});

test('a list is of one user among very many requests that the database has not counted yet', async () => {
  const mine = await keep([soundingAfter(0)], { externalUserId: 'me' });
  await keep([soundingAfter(1)], { externalUserId: 'another' });
  // No plan is kept from when there were few.
  for (let round = 0; round < 8; round++) {
    await Promise.all(Array.from({ length: 8 }, () => json('?externalUserId=me')));
  }
  await database.query('ALTER TABLE track SET (autovacuum_enabled = off)');
  await database.query('ALTER TABLE track_about SET (autovacuum_enabled = off)');
  await database.query(`
      WITH made AS (
        INSERT INTO track_about
        SELECT gen_random_uuid(), account_id, subject, external_user_id, platform_uid
        FROM track_about, generate_series(1, 8000) RETURNING *)
      INSERT INTO track SELECT made.account_id, made.subject, gen_random_uuid(), made.id, NULL,
        start_time, end_time, point_count, byte_size, west, south, east, north, points, created_at,
        updated_at
      FROM made JOIN track ON track.id = '${mine}'`);
  for (const [user, count] of [
    ['me', 3],
    ['nobody', 0],
  ] as const) {
    const { tracks } = await json(`?externalUserId=${user}&limit=3`);
    expect(tracks).toHaveLength(count);
    for (const track of tracks) expect(track.externalUserId).toBe(user);
  }
});

test.each([
  ['?limit=0', 'limit'],
  ['?limit=501', 'limit'],
  ['?limit=1e2', 'limit'],
  ['?cursor=next', 'cursor'],
  ['?platform=%00', 'platform'],
  ['?externalUserId=a%00', 'externalUserId'],
])('a list refuses %s', async (query, path) => {
  const response = await ask(query);
  const body = (await response.json()) as { code: string; errors: { path: string }[] };
  expect([response.status, body.code, body.errors[0]?.path]).toEqual([400, 'bad_query', path]);
});

test('a track is there for its sender alone, and to be deleted by nobody else', async () => {
  const id = await keep([soundingAfter(0)], { externalUserId: 'private' });
  for (const options of [{ subject: 'another' }, { account: 'another' }]) {
    const token = await service.token(options);
    for (const suffix of ['', '.geojson', '.csv', '.gpx']) {
      const response = await ask(`/${id}${suffix}`, 'GET', token);
      expect(await refusal(response)).toEqual([404, 'track_not_found']);
    }
    expect(await refusal(await ask(`/${id}`, 'DELETE', token))).toEqual([404, 'track_not_found']);
    expect((await json('', token)).tracks).toEqual([]);
    expect((await json('/soundings?bbox=-180,-90,180,90&zoom=3', token)).features).toEqual([]);
  }
  expect((await json(`/${id}`)).points).toHaveLength(1);
});

test.each([
  ['', 'GET'],
  ['', 'DELETE'],
  ['.geojson', 'GET'],
  ['.csv', 'GET'],
  ['.gpx', 'GET'],
])('a track that is not there is 404, and what is no UUID 400: %s %s', async (suffix, method) => {
  const missing = await ask(`/${NOBODY}${suffix}`, method);
  expect(await refusal(missing)).toEqual([404, 'track_not_found']);
  for (const id of ['x', '%00', `{${NOBODY}}`, NOBODY.replaceAll('-', '')]) {
    const response = await ask(`/${id}${suffix}`, method);
    expect(await refusal(response)).toEqual([400, 'bad_track_id']);
  }
});

test('a track is found by its id in capitals, and HEAD is as GET', async () => {
  const id = await keep([soundingAfter(0)]);
  expect((await json(`/${id.toUpperCase()}`)).id).toBe(id);
  const head = await ask(`/${id}.csv`, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

describe('a file of several tracks', () => {
  const HOUR = 3600;
  const twoVoyages = () =>
    sendSoundings(service, {
      soundings: [soundingAfter(0), soundingAfter(1), soundingAfter(20 * HOUR)],
      platform: VESSEL,
      providerContactPoint: PROVIDER,
    });
  const fileOf = async (ids: readonly string[], kind: string) =>
    (await ask(`/${ids.join(',')}.${kind}`)).text();

  test('has every sounding of an upload, in every format, the earliest track first', async () => {
    const { body } = await twoVoyages();
    const ids = (body.tracks as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    for (const asked of [ids, [...ids].reverse(), [...ids, ids[0]!.toUpperCase()]]) {
      const geojson = JSON.parse(await fileOf(asked, 'geojson'));
      expect(geojson.features).toHaveLength(3);
      expect(geojson.properties.leadline).toEqual({ trackIds: ids });
      expect((await fileOf(asked, 'csv')).trimEnd().split('\r\n')).toHaveLength(4);
      expect((await fileOf(asked, 'gpx')).match(/<trk>/g)).toHaveLength(2);
    }
  });

  test('is refused for a track that is another sender’s, unknown or deleted', async () => {
    const own = await keep([soundingAfter(0)]);
    const stranger = await service.token({ subject: 'another' });
    const other = await keep([soundingAfter(0)], {}, stranger);
    for (const id of [other, NOBODY]) {
      for (const kind of ['geojson', 'csv', 'gpx']) {
        expect(await refusal(await ask(`/${own},${id}.${kind}`))).toEqual([404, 'track_not_found']);
      }
    }
  });

  test('is refused for ids that are none, and for more than a hundred', async () => {
    const own = await keep([soundingAfter(0)]);
    const many = Array.from({ length: 101 }, (_, i) => NOBODY.slice(0, -3) + String(i + 100));
    for (const ids of [`${own},`, `,${own}`, `${own},x`, `${own} ,${own}`, many.join(',')]) {
      const answer = await service.get(`${BATHYMETRY}/${encodeURIComponent(ids)}.csv`);
      expect(await refusal(answer), ids.slice(0, 50)).toEqual([400, 'bad_track_id']);
    }
  });

  test('is refused as GeoJSON for two vessels, which the other formats have room for', async () => {
    const ids = [
      await keep([soundingAfter(0)], { platform: VESSEL }),
      await keep([soundingAfter(0)], { platform: { ...VESSEL, uniqueId: 'other' } }),
    ];
    expect(await refusal(await ask(`/${ids.join(',')}.geojson`))).toEqual([400, 'mixed_vessels']);
    expect((await fileOf(ids, 'csv')).trimEnd().split('\r\n')).toHaveLength(3);
  });
});

test('a platform comes back with a key __proto__ as it was sent', async () => {
  const text = '{"__proto__":{"a":1},"constructor":2,"name":"Lark"}';
  const sounding = JSON.stringify(soundingAfter(0));
  const sent = await service.get(BATHYMETRY, {
    method: 'POST',
    body: `{"platform":${text},"soundings":[${sounding}]}`,
  });
  expect(sent.status).toBe(201);
  const listed = (await (await service.get(BATHYMETRY)).text()).match(
    /"platform":({.*?"Lark"}|{.*?})/,
  );
  expect(listed?.[0]).toContain('"__proto__":{"a":1}');
});

test('a track needs a token, and one for bathymetry', async () => {
  const id = await keep([soundingAfter(0)]);
  const less = await service.token({ scopes: ['tiles', 'query', 'reports:write'] });
  for (const path of ['', `/${id}`, `/${id}.gpx`, '/soundings?bbox=0,0,1,1&zoom=3']) {
    expect((await fetch(`${service.address}${BATHYMETRY}${path}`)).status).toBe(401);
    expect((await ask(path, 'GET', less)).status).toBe(403);
  }
});

test('a track is gone after it was deleted, with all that only it had', async () => {
  const platform = { uniqueId: 'two tracks' };
  const { body } = await sendSoundings(service, {
    soundings: [soundingAfter(0), soundingAfter(999)],
    platform,
  });
  await keep([soundingAfter(1000)], { platform });
  const rows = async () =>
    (
      await database.query(`SELECT (SELECT count(*)::int FROM track) AS tracks,
          (SELECT count(*)::int FROM track_chunk) AS chunks,
          (SELECT count(*)::int FROM track_about) AS abouts`)
    ).rows[0];
  expect(await rows()).toEqual({ tracks: 2, chunks: 1, abouts: 1 });
  expect((await ask(`/${body.tracks[1].id}`, 'DELETE')).status).toBe(204);
  expect(await rows()).toEqual({ tracks: 1, chunks: 0, abouts: 1 });
  expect((await ask(`/${body.tracks[0].id}`, 'DELETE')).status).toBe(204);
  expect(await rows()).toEqual({ tracks: 0, chunks: 0, abouts: 0 });
  expect((await ask(`/${body.tracks[0].id}`, 'DELETE')).status).toBe(404);
});

describe('soundings for a map', () => {
  const at = (longitude: number, latitude: number, depth: number, seconds = 0) => ({
    ...soundingAfter(seconds, depth),
    longitude,
    latitude,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const near = async (bbox: string, zoom: number): Promise<any[]> =>
    (await json(`/soundings?bbox=${bbox}&zoom=${zoom}`)).features;

  test('soundings for a map are one point where they are close together, with their number and the shallowest', async () => {
    await keep([at(10, 50, 4.5), at(10.0001, 50.0001, 3, 1), at(10.5, 50, 20, 2)]);
    const features = await near('9,49,11,51', 8);
    expect(features).toEqual([
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [10.00005, 50.00005] },
        properties: { count: 2, depth: 3, meanDepth: 3.75 },
      },
      expect.objectContaining({ properties: { count: 1, depth: 20, meanDepth: 20 } }),
    ]);
    expect(await near('9,49,11,51', 22)).toHaveLength(3);
    expect(await near('9,49,11,51', 0)).toHaveLength(1);
  });

  test('soundings for a map are those within the box, also of tracks that were appended to', async () => {
    const platform = { uniqueId: 'm' };
    await keep([at(10, 50, 1)], { platform });
    await keep([at(12, 50, 2, 1)], { platform });
    const counts = async (bbox: string) =>
      (await near(bbox, 10)).map((f) => f.properties.depth).sort();
    expect(await counts('9,49,13,51')).toEqual([1, 2]);
    expect(await counts('11.5,49,13,51')).toEqual([2]);
    expect(await counts('10.5,49,11.5,51')).toEqual([]);
    expect(await counts('9,50.1,13,51')).toEqual([]);
  });

  test('soundings for a map are found on both sides of 180°', async () => {
    await keep([at(179.9, 0, 1), at(-179.9, 0, 2, 1), at(0, 0, 3, 2)]);
    const depths = (await near('179,-1,-179,1', 12)).map((f) => f.properties.depth);
    expect(depths.sort()).toEqual([1, 2]);
  });

  test('soundings for a map add up to all, for any zoom', async () => {
    const soundings = voyage(5000, 3);
    await keep(soundings);
    for (const zoom of [0, 7.9, 12, 15, 18, 22]) {
      const features = await near('-180,-90,180,90', zoom);
      const total = features.reduce((sum, { properties }) => sum + properties.count, 0);
      expect(total).toBe(5000);
      const least = Math.min(...features.map(({ properties }) => properties.depth));
      expect(least).toBe(Math.min(...soundings.map(({ depth }) => depth)));
    }
  });

  test('soundings for a map say when there are more than are looked at, and show the newest', async () => {
    const batch = (seed: number) => sendSoundings(service, { soundings: voyage(45_000, seed) });
    await batch(1);
    await batch(2);
    const answer = await json('/soundings?bbox=-180,-90,180,90&zoom=10');
    expect(answer.truncation).toEqual({ found: 90_000, returned: 75_000 });
    const total = answer.features.reduce(
      (sum: number, { properties }: { properties: { count: number } }) => sum + properties.count,
      0,
    );
    expect(total).toBe(answer.truncation.returned);
  });

  test('soundings for a map are the first of a track that has more than are looked at', async () => {
    await keep([at(10, 50, 1)]);
    await keep([at(10, 50, 2)]);
    await database.query(`
      UPDATE track SET point_count = 80000,
        points = decode(repeat(encode(points, 'hex'), 80000), 'hex')`);
    const { features, truncation } = await json('/soundings?bbox=9,49,11,51&zoom=10');
    expect(features).toMatchObject([{ properties: { count: 75_000, depth: 2 } }]);
    expect(truncation).toEqual({ found: 160_000, returned: 75_000 });
  });

  test('soundings for a map are found among very many tracks that the database has not counted yet', async () => {
    await keep([at(10, 50, 1)]);
    await database.query('ALTER TABLE track SET (autovacuum_enabled = off)');
    await database.query(`
      INSERT INTO track SELECT account_id, subject, gen_random_uuid(), about_id, NULL, start_time,
        end_time, point_count, byte_size, -170, -80, 170, 80, points, created_at, updated_at
      FROM track, generate_series(1, 20000)`);
    await database.query(`
      INSERT INTO track_chunk SELECT account_id, subject, id, 1, points FROM track LIMIT 10000`);
    const features = await near('9,49,11,51', 10);
    expect(features).toMatchObject([{ properties: { count: 30_001, depth: 1 } }]);
  });

  test.each([
    ['', 'bbox'],
    ['?bbox=1,2,3&zoom=3', 'bbox'],
    ['?bbox=1,2,3,x&zoom=3', 'bbox'],
    ['?bbox=1,5,3,2&zoom=3', 'bbox'],
    ['?bbox=1,2,3,4', 'zoom'],
    ['?bbox=1,2,3,4&zoom=-1', 'zoom'],
    ['?bbox=1,2,3,4&zoom=23', 'zoom'],
    ['?bbox=1,2,3,4&zoom=x', 'zoom'],
  ])('soundings for a map refuse %s', async (query, path) => {
    const response = await ask(`/soundings${query}`);
    const body = (await response.json()) as { code: string; errors: { path: string }[] };
    expect([response.status, body.code, body.errors[0]?.path]).toEqual([400, 'bad_query', path]);
  });
});
