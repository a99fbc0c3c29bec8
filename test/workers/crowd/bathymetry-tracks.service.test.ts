// How soundings of many requests become tracks: the real database is compared with a simple model of
// splitting and merging, and the stored soundings equal the sent ones.

import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../../support/database.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  BATHYMETRY,
  type SentSounding,
  START,
  sendSoundings,
  soundingAfter,
  type Track,
  voyage,
} from '../../support/soundings.ts';
import { ingestSlowly, type OracleTrack, sortSlowly } from '../../support/track-oracle.ts';

const SEED = 20_261_124;
const REQUESTS = isLong ? 3000 : 60;
const LIMIT_MS = isLong ? 3_600_000 : 900_000;
/** The bytes of ten soundings of `soundingAfter` in a track. */
const TEN = 2 + 10 * (JSON.stringify(soundingAfter(0)).length + 1);

let service: ServiceWithDatabase;
beforeAll(async () => {
  service = await startServiceWithDatabase({
    isAlone: false,
    settings: { TRACK_GAP_MS: '60000', maxTrackBytes: `${TEN}`, MAX_TRACK_BYTES: '1' },
  });
});
afterAll(() => service?.stop());
afterEach(() =>
  service.database.query('DELETE FROM track; DELETE FROM track_about; DELETE FROM ingest_key'),
);

const GREBE = { uniqueId: 'grebe' };

/** Sends soundings at the given seconds after the start. */
async function sound(
  seconds: readonly number[],
  about: object = { platform: GREBE },
  token?: string,
) {
  const soundings = seconds.map((second) => soundingAfter(second));
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, body } = await sendSoundings(service, { soundings, ...about }, headers);
  expect(status).toBe(201);
  expect(body.totalPoints).toBe(seconds.length);
  return body.tracks as Track[];
}
/** The points, the seconds from the start to both ends, and whether the track existed before. */
const shape = (tracks: readonly Track[]) =>
  tracks.map(({ pointCount, startTime, endTime, merged }) => [
    pointCount,
    (startTime - START) / 1000,
    (endTime - START) / 1000,
    merged,
  ]);
const read = async (id: string) =>
  (await (await service.get(`${BATHYMETRY}/${id}`)).json()) as {
    readonly points: readonly SentSounding[];
    readonly pointCount: number;
  };
const secondsOf = async (id: string) =>
  (await read(id)).points.map(({ time }) => (Number(time) - START) / 1000);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test('a request is sorted by time before it is split', async () => {
  expect(shape(await sound([70, 0, 60, 10]))).toEqual([[4, 0, 70, false]]);
});

test('a request is split at a time gap longer than the limit', async () => {
  expect(shape(await sound([0, 60, 121]))).toEqual([
    [2, 0, 60, false],
    [1, 121, 121, false],
  ]);
});

test('a request is split if a track would be too large', async () => {
  expect(shape(await sound(range(0, 21)))).toEqual([
    [10, 0, 9, false],
    [10, 10, 19, false],
    [1, 20, 20, false],
  ]);
});

test('the open track of a platform accepts soundings within the gap, and reports all its points', async () => {
  const [first] = await sound([0, 1]);
  const [second] = await sound([61]);
  expect(second).toEqual({ ...first, pointCount: 3, endTime: START + 61_000, merged: true });
  expect(await secondsOf(first!.id)).toEqual([0, 1, 61]);
});

test('the open track of a platform does not accept soundings after the gap', async () => {
  await sound([0, 1]);
  expect(shape(await sound([62]))).toEqual([[1, 62, 62, false]]);
});

test('the open track of a platform accepts late soundings before and between its points', async () => {
  const [track] = await sound([100, 150]);
  expect(shape(await sound([40]))).toEqual([[3, 40, 150, true]]);
  expect(shape(await sound([120, 110]))).toEqual([[5, 40, 150, true]]);
  expect(await secondsOf(track!.id)).toEqual([40, 100, 110, 120, 150]);
});

test('the open track of a platform does not accept soundings that end too long before it', async () => {
  await sound([100]);
  expect(shape(await sound([39]))).toEqual([[1, 39, 39, false]]);
});

test('the open track of a platform accepts only the soundings before the first gap', async () => {
  await sound([0]);
  expect(shape(await sound([10, 20, 100, 130]))).toEqual([
    [3, 0, 20, true],
    [2, 100, 130, false],
  ]);
});

test('the open track of a platform is filled, and the other soundings become new tracks', async () => {
  await sound(range(0, 4));
  expect(shape(await sound([...range(4, 21), 200]))).toEqual([
    [10, 0, 9, true],
    [10, 10, 19, false],
    [1, 20, 20, false],
    [1, 200, 200, false],
  ]);
});

test('the open track of a platform is a new one if the last is full', async () => {
  await sound(range(0, 10));
  expect(shape(await sound([10]))).toEqual([[1, 10, 10, false]]);
  expect(shape(await sound([11]))).toEqual([[2, 10, 11, true]]);
});

test('the open track of a platform does not accept depths with another reference', async () => {
  const keel = { uniqueId: 'b', depthReference: 'keel', draft: 2 };
  const send = (second: number, platform: object) => sound([second], { platform });
  const [first] = await send(0, keel);
  expect(shape(await send(1, { uniqueId: 'b' }))).toEqual([[2, 0, 1, true]]);
  expect(shape(await send(2, keel))).toEqual([[3, 0, 2, true]]);
  // Null is the same as absent.
  const unknown = { uniqueId: 'b', depthReference: null, draft: null, transducerDepth: null };
  expect(shape(await send(2.5, unknown))).toEqual([[4, 0, 2.5, true]]);
  for (const [at, change] of [{ draft: 2.1 }, { depthReference: 'waterline' }].entries()) {
    const [other] = await send(3 + at, { ...keel, ...change });
    expect(other).toMatchObject({ merged: false, pointCount: 1 });
  }
  expect(await secondsOf(first!.id)).toEqual([0, 1, 2, 2.5]);
});

test('the open track of a platform accepts depths whose reference does not need a changed field', async () => {
  const [first] = await sound([0], { platform: { uniqueId: 'b' } });
  // The draft matters below the keel only.
  for (const [at, platform] of [{ draft: 1.8 }, { depthReference: 'Transducer' }].entries()) {
    const sent = await sound([at + 1], { platform: { uniqueId: 'b', ...platform } });
    expect(shape(sent)).toEqual([[at + 2, 0, at + 1, true]]);
  }
  const [other] = await sound([3], { platform: { uniqueId: 'b', transducerDepth: 0.5 } });
  expect(other).toMatchObject({ merged: false, pointCount: 1 });
  expect(await secondsOf(first!.id)).toEqual([0, 1, 2]);
});

test('the open track of a platform is the one with the latest end', async () => {
  const [early] = await sound([0]);
  const [late] = await sound([100]);
  const [merged] = await sound([50]);
  expect(merged!.id).toBe(late!.id);
  expect(await secondsOf(early!.id)).toEqual([0]);
});

test('the open track of a platform is never joined with another track', async () => {
  await sound([0]);
  await sound([100]);
  await sound([50]);
  const { rows } = await service.database.query('SELECT count(*)::int AS n FROM track');
  expect(rows).toEqual([{ n: 2 }]);
});

test('the open track of a platform gets no hole longer than the gap if only some points fit', async () => {
  await sound(range(200, 205));
  // It has space for five points, and the first five end too long before it.
  const seconds = [0, 30, 60, 90, 100, 140, 180, 210];
  expect(shape(await sound(seconds))).toEqual([[8, 0, 210, false]]);
});

test.each([
  ['no platform', {}, {}],
  ['a platform without a name', { platform: {} }, { platform: {} }],
  ['an empty name', { platform: { uniqueId: '' } }, { platform: { uniqueId: '' } }],
  ['another name', { platform: GREBE }, { platform: { uniqueId: 'Grebe' } }],
  [
    'another user',
    { platform: GREBE, externalUserId: 'a' },
    { platform: GREBE, externalUserId: 'b' },
  ],
  ['no user', { platform: GREBE, externalUserId: 'a' }, { platform: GREBE }],
  [
    'parts with the same concatenation',
    { platform: { uniqueId: 'b' }, externalUserId: 'a\u001f' },
    { platform: { uniqueId: '\u001fb' }, externalUserId: 'a' },
  ],
])('the open track of a platform does not accept soundings of %s', async (_, before, after) => {
  await sound([0], before);
  expect(shape(await sound([1], after))).toEqual([[1, 1, 1, false]]);
});

test('the open track of a platform accepts soundings of the same user with other platform details', async () => {
  await sound([0], { platform: GREBE, externalUserId: 'a' });
  const renamed = { platform: { ...GREBE, name: 'Other' }, externalUserId: 'a' };
  expect(shape(await sound([1], renamed))).toEqual([[2, 0, 1, true]]);
});

test('the open track of a platform belongs to one sender', async () => {
  await sound([0]);
  const about = { platform: GREBE };
  for (const options of [{ subject: 'another' }, { account: 'another' }]) {
    const token = await service.token(options);
    expect(shape(await sound([1], about, token))).toEqual([[1, 1, 1, false]]);
  }
});

test(
  `${REQUESTS} requests of three boats give the tracks of the simple model, seed ${SEED}`,
  async () => {
    const random = seededRandom(SEED);
    const whole = (most: number) => Math.floor(random() * (most + 1));
    const limits = { gapMs: 60_000, maxBytes: TEN };
    const model: OracleTrack[] = [];
    const ids: string[] = [];
    for (let request = 0; request < REQUESTS; request++) {
      const uniqueId = ['', 'tern', 'auk'][whole(2)]!;
      const from = whole(120) * 20;
      const soundings = Array.from({ length: 1 + whole(random() < 0.2 ? 30 : 5) }, () => ({
        ...soundingAfter(from + whole(20) * whole(20), whole(99) / 10),
        time: START + (from + whole(20) * whole(20)) * 1000,
      }));
      const sent = await sendSoundings(service, { soundings, platform: { uniqueId } });
      const expected = ingestSlowly(model, uniqueId, soundings, limits);
      const answered = sent.body.tracks.map(({ id: _, ...rest }: Track) => rest);
      expect(answered, `request ${request}`).toEqual(expected);
      ids.push(...sent.body.tracks.filter((t: Track) => !t.merged).map((t: Track) => t.id));
    }
    expect(ids).toHaveLength(model.length);
    for (const [i, { points }] of model.entries()) {
      const track = await read(ids[i]!);
      expect(track.points, `track ${i}`).toEqual(sortSlowly(points));
      expect(track.pointCount).toBe(points.length);
    }
    const { rows } = await service.database.query(
      `SELECT t.byte_size, t.point_count, (length(t.points) + coalesce((SELECT sum(length(points))
       FROM track_chunk c WHERE c.track_id = t.id), 0)) / 32 AS kept FROM track t`,
    );
    expect(rows.every(({ point_count, kept }) => point_count === Number(kept))).toBe(true);
    expect(rows.every(({ byte_size }) => byte_size <= TEN)).toBe(true);
    expect(rows.some(({ byte_size }) => byte_size > TEN - 90)).toBe(true);
  },
  LIMIT_MS,
);

describe('large uploads', () => {
  let wide: Service;
  beforeAll(async () => {
    wide = await startService({
      isAlone: false,
      charts: inject('demoCharts'),
      database: service.database.bindings,
    });
  });
  afterAll(() => wide?.stop());

  test('accept 50,000 soundings and return them unchanged, and refuse one more with 413', async () => {
    const soundings = voyage(50_000, SEED);
    const { status, body } = await sendSoundings(wide, { soundings, platform: GREBE });
    expect([status, body.totalPoints]).toEqual([201, 50_000]);
    const tracks = body.tracks as Track[];
    // The number of soundings in 256 KiB depends on their JSON. Every track but the last is full.
    expect(tracks.length).toBe(Math.ceil(JSON.stringify(soundings).length / 262_144));
    const back: unknown[] = [];
    for (const { id } of tracks) {
      const response = await wide.get(`${BATHYMETRY}/${id}`);
      const { points } = (await response.json()) as { points: unknown[] };
      expect(JSON.stringify(points).length + 1).toBeLessThanOrEqual(262_144);
      back.push(...points);
    }
    expect(back).toEqual(soundings);
    const one = await sendSoundings(wide, { soundings: [...soundings, soundings[0]] });
    expect([one.status, one.body.code]).toEqual([413, 'too_many_soundings']);
  });

  test('create 10,000 tracks from 10,000 soundings that are far apart', async () => {
    const soundings = voyage(10_000, SEED, 300_001, 1_000_000);
    const { status, body } = await sendSoundings(wide, {
      soundings,
      platform: { uniqueId: 'far' },
    });
    expect([status, body.tracks.length, body.totalPoints]).toEqual([201, 10_000, 10_000]);
    const times = (body.tracks as Track[]).map(({ startTime }) => startTime);
    expect(times).toEqual(soundings.map(({ time }) => time));
    expect(new Set((body.tracks as Track[]).map(({ id }) => id)).size).toBe(10_000);
  });
});
