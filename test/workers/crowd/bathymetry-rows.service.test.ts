// Uploads of soundings: each row of the contract and of the decisions on it, with the real runtime and a
// real database.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../../support/database.ts';
import { type ResponseCheck, responseCheck } from '../../support/openapi.ts';
import { BATHYMETRY, START, soundingAfter, type Track } from '../../support/soundings.ts';

let service: ServiceWithDatabase;
let check: ResponseCheck;
beforeAll(async () => {
  service = await startServiceWithDatabase({
    isAlone: false,
    settings: { maxSoundingsPerRequest: '20' },
  });
  check = responseCheck((await (await service.get('/openapi.json')).json()) as never);
});
afterAll(() => service?.stop());
afterEach(() =>
  service.database.query('DELETE FROM track; DELETE FROM track_about; DELETE FROM ingest_key'),
);

interface Options {
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string | Uint8Array;
}

/** Sends a body, and checks the response against the OpenAPI document. */
async function send(body: unknown, { headers = {}, text }: Options = {}) {
  const sent = text ?? JSON.stringify(body);
  const init = { method: 'POST', headers, body: sent as string };
  const response = await service.get(BATHYMETRY, init);
  expect(await check('POST', BATHYMETRY, response)).toEqual([]);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  return { status: response.status, body: (await response.json()) as any };
}
const stored = async () =>
  (await service.database.query('SELECT coalesce(sum(point_count), 0)::int AS points FROM track'))
    .rows[0].points;
const one = soundingAfter(0);
const withFirst = (changes: object) => ({ soundings: [{ ...one, ...changes }, soundingAfter(1)] });

test('accepted soundings become a track with a version 7 ID, which the 201 response contains', async () => {
  const answer = await send({ soundings: [soundingAfter(5), one] });
  expect(answer).toEqual({
    status: 201,
    body: {
      tracks: [
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
          pointCount: 2,
          startTime: START,
          endTime: START + 5000,
          merged: false,
        },
      ],
      totalPoints: 2,
    },
  });
  expect(await stored()).toBe(2);
});

test.each([
  ['a number', START, START],
  ['a number with a fraction', START + 0.9, START],
  ['a numeric text', `${START}`, START],
  ['a numeric text with a fraction', `${START}.999`, START],
  ['four digits, which are milliseconds', '2024', 2024],
  ['ISO in UTC', '2020-09-13T12:26:40Z', START],
  ['ISO with a fraction', '2020-09-13T12:26:40.1239Z', START + 123],
  ['ISO in small letters', '2020-09-13t12:26:40z', START],
  ['ISO with a space', '2020-09-13 12:26:40', START],
  ['ISO without a zone, which is UTC', '2020-09-13T12:26:40', START],
  ['ISO without seconds', '2020-09-13T12:26Z', START - 40_000],
  ['ISO with an offset', '2020-09-13T22:26:40+10:00', START],
  ['ISO with the largest offset', '2020-09-14T02:26:40+14:00', START],
  ['ISO with an offset westward', '2020-09-13T08:56:40-03:30', START],
  ['ISO in its basic form', '20200913T122640Z', START],
  ['ISO with hours alone', '2020-09-13T12Z', START - 1_600_000],
  ['the end of a day', '1999-12-31T24:00:00Z', Date.UTC(2000, 0, 1)],
  ['a leap second', '2016-12-31T23:59:60Z', 1_483_228_799_999],
  ['the beginning', 0, 0],
])('a time is accepted as %s', async (_, time, expected) => {
  const { body } = await send({ soundings: [{ ...one, time }] });
  expect(body.tracks).toMatchObject([{ startTime: expected, endTime: expected }]);
});

test.each([
  [{ latitude: 90, longitude: 180 }],
  [{ latitude: -90, longitude: -180 }],
  [{ latitude: -0, longitude: 0 }],
  [{ depth: 0 }],
  [{ depth: -0.1 }],
  [{ depth: -20 }],
  [{ depth: 12_000 }],
  [{ depth: -0 }],
  [{ extra: 'ignored', nested: [[[[1]]]] }],
])('%j is accepted', async (changes) => {
  expect((await send(withFirst(changes))).status).toBe(201);
});

test('a time up to a day in the future is accepted', async () => {
  const ahead = Date.now() + 86_400_000;
  expect((await send(withFirst({ time: ahead - 5000 }))).status).toBe(201);
  expect((await send(withFirst({ time: ahead + 60_000 }))).status).toBe(400);
});

test('every field, null for each field, and unknown fields are accepted', async () => {
  const soundings = [one];
  const full = {
    soundings,
    platform: { uniqueId: 'LL-1', name: 'Grebe', type: 'sailing', length: 11 },
    providerContactPoint: { orgName: 'Us', logger: 'NMEA', loggerVersion: '2', email: 'a@b.org' },
    depthUnits: 'meters',
    timeUnits: 'epoch ms',
    convention: 'CSB 3.1',
    externalUserId: 'sailor 9',
    namespace: 'private',
  };
  expect((await send(full)).status).toBe(201);
  const { rows } = await service.database.query(
    'SELECT external_user_id, platform_uid, platform, provider, time_units, convention FROM track_about',
  );
  expect(rows).toEqual([
    {
      external_user_id: 'sailor 9',
      platform_uid: 'LL-1',
      platform: full.platform,
      provider: full.providerContactPoint,
      time_units: 'epoch ms',
      convention: 'CSB 3.1',
    },
  ]);
  const nothing = { platform: null, providerContactPoint: null, depthUnits: null };
  const labels = { timeUnits: null, convention: null, externalUserId: null };
  expect((await send({ soundings, ...nothing, ...labels })).status).toBe(201);
  expect((await send({ soundings, platform: { uniqueId: null, name: null } })).status).toBe(201);
});

test('duplicates are stored and counted', async () => {
  const { body } = await send({ soundings: [one, one, one] });
  expect(body).toMatchObject({ tracks: [{ pointCount: 3 }], totalPoints: 3 });
});

test('exactly the maximum number of soundings is accepted', async () => {
  const soundings = Array.from({ length: 20 }, (_, i) => soundingAfter(i));
  expect((await send({ soundings })).body).toMatchObject({ totalPoints: 20 });
});

describe('an invalid upload', () => {
  afterEach(async () => expect(await stored()).toBe(0));

  const lone = '\ud800';
  test.each([
    ['soundings missing', {}, ['soundings']],
    ['soundings null', { soundings: null }, ['soundings']],
    ['soundings not a list', { soundings: { 0: one } }, ['soundings']],
    ['soundings empty', { soundings: [] }, ['soundings']],
    ['a sounding that is null', { soundings: [one, null] }, ['soundings.1']],
    ['a sounding that is a list', { soundings: [[1, 2, 3, 4]] }, ['soundings.0']],
    ['a sounding that is a number', { soundings: [5] }, ['soundings.0']],
    ['latitude missing', withFirst({ latitude: undefined }), ['soundings.0.latitude']],
    ['latitude null', withFirst({ latitude: null }), ['soundings.0.latitude']],
    ['latitude a text', withFirst({ latitude: '59.5' }), ['soundings.0.latitude']],
    ['latitude too far north', withFirst({ latitude: 90.0000001 }), ['soundings.0.latitude']],
    ['latitude too far south', withFirst({ latitude: -91 }), ['soundings.0.latitude']],
    ['longitude missing', withFirst({ longitude: undefined }), ['soundings.0.longitude']],
    ['longitude too far east', withFirst({ longitude: 180.5 }), ['soundings.0.longitude']],
    ['longitude too far west', withFirst({ longitude: -181 }), ['soundings.0.longitude']],
    ['longitude a boolean', withFirst({ longitude: true }), ['soundings.0.longitude']],
    ['depth missing', withFirst({ depth: undefined }), ['soundings.0.depth']],
    ['depth a text', withFirst({ depth: '5' }), ['soundings.0.depth']],
    ['a drying height above the limit', withFirst({ depth: -20.01 }), ['soundings.0.depth']],
    ['a depth below any sea floor', withFirst({ depth: 12_000.1 }), ['soundings.0.depth']],
    ['depth a list', withFirst({ depth: [5] }), ['soundings.0.depth']],
    ['time missing', withFirst({ time: undefined }), ['soundings.0.time']],
    ['time empty', withFirst({ time: '' }), ['soundings.0.time']],
    ['time a word with a number', withFirst({ time: 'foo 5' }), ['soundings.0.time']],
    ['time on 30 February', withFirst({ time: '2024-02-30T00:00:00Z' }), ['soundings.0.time']],
    ['time in a week date', withFirst({ time: '2024-W07-1T00:00:00Z' }), ['soundings.0.time']],
    ['time without a time of day', withFirst({ time: '2024-02-03' }), ['soundings.0.time']],
    ['time after 24:00', withFirst({ time: '2024-02-03T24:00:01Z' }), ['soundings.0.time']],
    ['time at second 61', withFirst({ time: '2024-02-03T00:00:61Z' }), ['soundings.0.time']],
    ['offset too large', withFirst({ time: '2024-02-03T00:00:00+14:01' }), ['soundings.0.time']],
    ['time before 1970', withFirst({ time: -1 }), ['soundings.0.time']],
    ['time before 1970 in ISO', withFirst({ time: '1969-12-31T23:59:59Z' }), ['soundings.0.time']],
    ['time as seconds of a far year', withFirst({ time: 9e15 }), ['soundings.0.time']],
    ['time a boolean', withFirst({ time: true }), ['soundings.0.time']],
    [
      'one invalid sounding among valid ones',
      { soundings: [one, { ...one, depth: NaN }, one] },
      ['soundings.1.depth'],
    ],
    ['another unit', { soundings: [one], depthUnits: 'feet' }, ['depthUnits']],
    ['a synonym of the unit', { soundings: [one], depthUnits: 'metres' }, ['depthUnits']],
    ['the unit in capitals', { soundings: [one], depthUnits: 'Meters' }, ['depthUnits']],
    ['platform a text', { soundings: [one], platform: 'Grebe' }, ['platform']],
    ['platform a list', { soundings: [one], platform: [] }, ['platform']],
    ['uniqueId a number', { soundings: [one], platform: { uniqueId: 7 } }, ['platform.uniqueId']],
    [
      'uniqueId too long',
      { soundings: [one], platform: { uniqueId: 'x'.repeat(129) } },
      ['platform.uniqueId'],
    ],
    ['name a number', { soundings: [one], platform: { name: 7 } }, ['platform.name']],
    ['platform too large', { soundings: [one], platform: { a: 'x'.repeat(4100) } }, ['platform']],
    [
      'provider too deep',
      {
        soundings: [one],
        providerContactPoint: JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`),
      },
      ['providerContactPoint'],
    ],
    [
      'logger a list',
      { soundings: [one], providerContactPoint: { logger: [] } },
      ['providerContactPoint.logger'],
    ],
    ['NUL in a name', { soundings: [one], platform: { name: 'a\0' } }, ['platform']],
    ['half a character', { soundings: [one], externalUserId: lone }, ['externalUserId']],
    ['externalUserId a number', { soundings: [one], externalUserId: 5 }, ['externalUserId']],
    [
      'externalUserId too long',
      { soundings: [one], externalUserId: 'x'.repeat(257) },
      ['externalUserId'],
    ],
    ['timeUnits a number', { soundings: [one], timeUnits: 5 }, ['timeUnits']],
    ['convention a list', { soundings: [one], convention: [] }, ['convention']],
  ])('%s is 400 and named', async (_, body, paths) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_bathymetry']);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test('is refused as a whole with at most ten errors, which repeat no value', async () => {
    const soundings = Array.from({ length: 20 }, () => ({ latitude: 'secret', depth: 'secret' }));
    const { status, body } = await send({ soundings });
    expect([status, body.errors.length]).toEqual([400, 10]);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(JSON.stringify(body).length).toBeLessThan(4096);
  });

  test.each([
    ['one too many', Array(21).fill(one)],
    ['too many invalid soundings', Array(21).fill(null)],
  ])('with %s is 413 before any other check', async (_, soundings) => {
    const { status, body } = await send({ soundings, depthUnits: 'feet' });
    expect([status, body.code]).toEqual([413, 'too_many_soundings']);
  });

  test.each([
    ['no JSON', '{"soundings":[', 400, 'bad_json'],
    ['text after the JSON', '{} x', 400, 'bad_json'],
    ['nothing', '', 400, 'bad_json'],
    ['a list', '[]', 400, 'bad_json'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400, 'bad_json'],
    ['UTF-16', new Uint8Array(Buffer.from('{"soundings":[]}', 'utf16le')), 400, 'bad_json'],
    [
      'a number beyond the range',
      JSON.stringify(withFirst({})).replace('7.5', '1e400'),
      400,
      'bad_bathymetry',
    ],
  ])('%s is %#', async (_, text, status, code) => {
    const answer = await send(undefined, { text });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test.each([
    [{ 'content-encoding': 'gzip' }],
    [{ 'content-type': 'multipart/form-data; boundary=x' }],
  ])('of %j is 415', async (headers) => {
    expect((await send({ soundings: [one] }, { headers })).status).toBe(415);
  });

  test('of more than 16 MiB is 413, announced or streamed', async () => {
    const text = `{"soundings":[],"x":"${'x'.repeat(16 << 20)}"}`;
    const announced = await send(undefined, { text });
    expect([announced.status, announced.body.code]).toEqual([413, 'body_too_large']);
    const streamed = await service.get(BATHYMETRY, {
      method: 'POST',
      body: new Blob([text]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    await streamed.arrayBuffer();
  });

  test('is 401 without a token or with another scheme, and 403 without the scope', async () => {
    const body = JSON.stringify({ soundings: [one] });
    const init = { method: 'POST', body };
    const statusFor = async (headers: Record<string, string>) => {
      const response = await fetch(service.address + BATHYMETRY, { ...init, headers });
      expect(await check('POST', BATHYMETRY, response)).toEqual([]);
      return response.status;
    };
    expect(await statusFor({})).toBe(401);
    expect(await statusFor({ authorization: 'Basic dTpw' })).toBe(401);
    const less = await service.token({ scopes: ['tiles', 'reports:write'] });
    expect(await statusFor({ authorization: `Bearer ${less}` })).toBe(403);
    const enough = await service.token({ scopes: ['bathymetry:write'] });
    const byQuery = await fetch(`${service.address}${BATHYMETRY}?token=${enough}`, init);
    expect(byQuery.status).toBe(201);
    await service.database.query('DELETE FROM track');
  });

  test('is 401 with a token of a suspended account, even if the edge still accepts the token', async () => {
    const token = await service.token({ account: 'suspended' });
    const headers = { authorization: `Bearer ${token}` };
    const kept = await send({ soundings: [one] }, { headers });
    expect(kept.status).toBe(201);
    const path = `${BATHYMETRY}/${kept.body.tracks[0].id}`;
    await service.database.query(
      `INSERT INTO account (id, plan, suspended_at) VALUES ('suspended', 'standard', 1)`,
    );
    const refused = await send({ soundings: [one] }, { headers });
    expect([refused.status, refused.body.code]).toEqual([401, 'token_invalid']);
    expect((await service.get(path, { method: 'DELETE', headers })).status).toBe(401);
    expect(await stored()).toBe(1);
    await service.database.query('DELETE FROM track');
  });

  test('is 405 with another method', async () => {
    const response = await service.get(BATHYMETRY, { method: 'PATCH' });
    expect([response.status, response.headers.get('allow')]).toEqual([
      405,
      expect.stringContaining('POST'),
    ]);
  });
});

describe('a request with an Idempotency-Key', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  const body = { soundings: [one, soundingAfter(400)], platform: { uniqueId: 'keyed' } };

  test('returns the first response again, and adds nothing', async () => {
    const first = await send(body, keyed('trip-1'));
    expect(first.body.tracks).toHaveLength(2);
    // The last track grows in the meantime, but the stored answer stays the same.
    const grown = await send({ ...body, soundings: [soundingAfter(401)] });
    expect(grown.body.tracks).toMatchObject([{ pointCount: 2, merged: true }]);
    expect(await send(body, keyed('trip-1'))).toEqual(first);
    expect(await stored()).toBe(3);
  });

  test('returns the first response again if it appended to a track', async () => {
    await send(body);
    const more = { ...body, soundings: [soundingAfter(401), soundingAfter(900)] };
    const first = await send(more, keyed('more'));
    expect(first.body.tracks.map((track: Track) => track.merged)).toEqual([true, false]);
    expect(await send(more, keyed('more'))).toEqual(first);
    expect(await stored()).toBe(4);
  });

  test('is 409 with a different body, and adds nothing', async () => {
    await send(body, keyed('k'));
    const other = await send({ soundings: [soundingAfter(1)] }, keyed('k'));
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await stored()).toBe(2);
  });

  test('is independent of another sender’s request with the same key', async () => {
    await send(body, keyed('k'));
    const authorization = `Bearer ${await service.token({ subject: 'another-user' })}`;
    const headers = { ...keyed('k').headers, authorization };
    expect((await send({ soundings: [one] }, { headers })).status).toBe(201);
  });

  test('is new after a day, and expired keys are deleted', async () => {
    await send(body, keyed('old'));
    await send({ soundings: [one] }, keyed('older'));
    await service.database.query('UPDATE ingest_key SET created_at = created_at - 86400001');
    expect((await send({ soundings: [one] }, keyed('old'))).status).toBe(201);
    const { rows } = await service.database.query('SELECT key FROM ingest_key');
    expect(rows).toEqual([{ key: 'old' }]);
    expect(await stored()).toBe(4);
  });

  test.each([['x'.repeat(256)], ['two words'], ['']])('is 400 for the key %j', async (key) => {
    const answer = await send(body, keyed(key));
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_idempotency_key']);
    const many = { soundings: Array.from({ length: 21 }, () => one) };
    expect((await send(many, keyed(key))).status).toBe(413);
  });

  test('does not store the answer if it is a refusal', async () => {
    expect((await send({ soundings: [] }, keyed('again'))).status).toBe(400);
    expect((await send(body, keyed('again'))).status).toBe(201);
  });
});
