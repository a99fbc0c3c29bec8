// The caller's own tracks: lists, files and deletion. Tracks of other callers never appear.

import { describe, expect, test } from 'vitest';
import { BATHYMETRY, START, sendSoundings, soundingAfter } from '../../support/soundings.ts';
import { useTrackService } from '../../support/track-service.ts';

const { ask, json, keep, query, service } = useTrackService();
const refusal = async (response: Response) => {
  const { status, code } = (await response.json()) as { status: number; code: string };
  return [status, code];
};

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

test('lists tracks with all their data, the newest first', async () => {
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
      share: 'private',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    },
  ]);
});

test('pages of a list omit and repeat no track while tracks are added and deleted', async () => {
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

test('filters a list by platform or user', async () => {
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
  await query('ALTER TABLE track SET (autovacuum_enabled = off)');
  await query('ALTER TABLE track_about SET (autovacuum_enabled = off)');
  await query(`
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

test('a track is visible to its sender only, and only its sender can delete it', async () => {
  const id = await keep([soundingAfter(0)], { externalUserId: 'private' });
  for (const options of [{ subject: 'another' }, { account: 'another' }]) {
    const token = await service().token(options);
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
])('an unknown track is 404, and an invalid UUID is 400: %s %s', async (suffix, method) => {
  const missing = await ask(`/${NOBODY}${suffix}`, method);
  expect(await refusal(missing)).toEqual([404, 'track_not_found']);
  for (const id of ['x', '%00', `{${NOBODY}}`, NOBODY.replaceAll('-', '')]) {
    const response = await ask(`/${id}${suffix}`, method);
    expect(await refusal(response)).toEqual([400, 'bad_track_id']);
  }
});

test('finds a track by its id in capitals, and HEAD is like GET', async () => {
  const id = await keep([soundingAfter(0)]);
  expect((await json(`/${id.toUpperCase()}`)).id).toBe(id);
  const head = await ask(`/${id}.csv`, 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
});

describe('a file of several tracks', () => {
  const HOUR = 3600;
  const twoVoyages = () =>
    sendSoundings(service(), {
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

  test('is refused for an unknown or deleted track and for another sender’s track', async () => {
    const own = await keep([soundingAfter(0)]);
    const stranger = await service().token({ subject: 'another' });
    const other = await keep([soundingAfter(0)], {}, stranger);
    for (const id of [other, NOBODY]) {
      for (const kind of ['geojson', 'csv', 'gpx']) {
        expect(await refusal(await ask(`/${own},${id}.${kind}`))).toEqual([404, 'track_not_found']);
      }
    }
  });

  test('is refused for invalid ids, and for more than a hundred ids', async () => {
    const own = await keep([soundingAfter(0)]);
    const many = Array.from({ length: 101 }, (_, i) => NOBODY.slice(0, -3) + String(i + 100));
    for (const ids of [`${own},`, `,${own}`, `${own},x`, `${own} ,${own}`, many.join(',')]) {
      const answer = await service().get(`${BATHYMETRY}/${encodeURIComponent(ids)}.csv`);
      expect(await refusal(answer), ids.slice(0, 50)).toEqual([400, 'bad_track_id']);
    }
  });

  test('is refused as GeoJSON for two vessels, which the other formats can contain', async () => {
    const ids = [
      await keep([soundingAfter(0)], { platform: VESSEL }),
      await keep([soundingAfter(0)], { platform: { ...VESSEL, uniqueId: 'other' } }),
    ];
    expect(await refusal(await ask(`/${ids.join(',')}.geojson`))).toEqual([400, 'mixed_vessels']);
    expect((await fileOf(ids, 'csv')).trimEnd().split('\r\n')).toHaveLength(3);
  });
});

test('returns a platform with a key __proto__ unchanged', async () => {
  const text = '{"__proto__":{"a":1},"constructor":2,"name":"Lark"}';
  const sounding = JSON.stringify(soundingAfter(0));
  const sent = await service().get(BATHYMETRY, {
    method: 'POST',
    body: `{"platform":${text},"soundings":[${sounding}]}`,
  });
  expect(sent.status).toBe(201);
  const listed = (await (await service().get(BATHYMETRY)).text()).match(
    /"platform":({.*?"Lark"}|{.*?})/,
  );
  expect(listed?.[0]).toContain('"__proto__":{"a":1}');
});

test('a track needs a token with a bathymetry scope', async () => {
  const id = await keep([soundingAfter(0)]);
  const less = await service().token({ scopes: ['tiles', 'query', 'reports:write'] });
  for (const path of ['', `/${id}`, `/${id}.gpx`, '/soundings?bbox=0,0,1,1&zoom=3']) {
    expect((await fetch(`${service().address}${BATHYMETRY}${path}`)).status).toBe(401);
    expect((await ask(path, 'GET', less)).status).toBe(403);
  }
});

test('deletes a track with all data that belongs only to it', async () => {
  const platform = { uniqueId: 'two tracks' };
  const { body } = await sendSoundings(service(), {
    soundings: [soundingAfter(0), soundingAfter(999)],
    platform,
  });
  await keep([soundingAfter(1000)], { platform });
  const rows = async () =>
    (
      await query(`SELECT (SELECT count(*)::int FROM track) AS tracks,
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
