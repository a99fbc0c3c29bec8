// Lists of reports: boxes, kinds, times and pages, compared with a plain filter over all reports. Also
// the reports of maps with showUserReports.

import { beforeEach, describe, expect } from 'vitest';
import { REPORT_KINDS } from '../../../shared/reports/report.ts';
import {
  type Caller,
  type CrowdService,
  faultPaths,
  REPORTS,
  type ReportBody,
  refusalOf,
} from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { jsonOf } from '../../support/http-client.ts';
import { insertReports, NOW, type ReportRow, reportRow } from '../../support/report-rows.ts';
import { seededRandom } from '../../support/seeded-random.ts';

let crowd: CrowdService;
let anna: Caller;
let ben: Caller;
let admin: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna' });
  ben = await crowd.caller({ subject: 'ben', account: 'others' });
  admin = await crowd.caller({ scopes: ['reports:admin'] });
});
beforeEach(() => crowd.database.query('TRUNCATE user_report CASCADE'));

const insert = (rows: readonly ReportRow[]) => insertReports(crowd.database, rows);

const idsOf = async (query: string, caller = anna): Promise<string[]> => {
  const answer = await caller.get(`${REPORTS}?${query}`);
  expect(answer.status, query).toBe(200);
  return (jsonOf(answer).reports as ReportBody[]).map(({ id }) => id);
};

describe(`2,000 reports at random, crowded at 180°, the poles and one harbour (seed ${20_261_201})`, () => {
  const random = seededRandom(20_261_201);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const around = (middle: number, spread: number) => middle + (random() * 2 - 1) * spread;
  const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value));

  const rows: ReportRow[] = Array.from({ length: 2000 }, () => {
    const kind = pick(REPORT_KINDS);
    const place = pick<[number, number]>([
      [around(0, 180), around(0, 90)],
      [around(0, 180), around(0, 90)],
      [pick([-180, 180, 179.9999999, -179.9999999]), around(0, 2)],
      [around(0, 180), pick([-90, 90])],
      [around(-122.4, 0.05), around(47.6, 0.05)],
      [around(-122.4, 0.00001), around(47.6, 0.00001)],
    ]);
    return reportRow({
      kind,
      longitude: clamp(place[0], 180),
      latitude: clamp(place[1], 90),
      // Many reports have the same time.
      createdAt: NOW - 1000 - Math.floor(random() * 50) * 1000,
      state: pick(['active', 'active', 'active', 'expired', 'swept', 'deleted']),
    });
  });
  const newestFirst = rows.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  beforeEach(() => insert(rows));

  /** Whether the longitude is east of west and west of east. 180° may have either sign. */
  const isBetween = (longitude: number, west: number, east: number) => {
    const eastward = (from: number, to: number) => (((to - from) % 360) + 360) % 360;
    return east - west >= 360 || eastward(west, longitude) <= eastward(west, east);
  };

  test('any box, kinds and time give the same reports as the plain filter, page after page', async () => {
    let nonEmpty = 0;
    for (let round = 0; round < 150; round++) {
      const [west, south] = pick<[number, number]>([
        [around(0, 180), around(0, 90)],
        [around(-122.4, 0.06), around(47.6, 0.06)],
        [pick([-180, 180, 170, -170, 179.5]), around(0, 3)],
        [pick([-180, -200, 190, 540]), -90],
      ]);
      const size = pick([0.001, 0.05, 5, 90, 360]);
      const east = round % 7 === 0 ? west : west + random() * size;
      const north = Math.min(90, south + random() * size);
      // Half of the boxes across 180° have west greater than east.
      const written = east > 180 && west <= 180 && random() < 0.5 ? east - 360 : east;
      const kinds = REPORT_KINDS.filter(() => random() < 0.6);
      const since = random() < 0.3 ? NOW - 1000 - Math.floor(random() * 50) * 1000 : 0;
      const all = random() < 0.3;
      const limit = pick([1, 7, 100, 500]);
      const wanted = newestFirst.filter(
        (one) =>
          (all || one.state === 'active') &&
          one.latitude >= south &&
          one.latitude <= north &&
          isBetween(one.longitude, west, east) &&
          (kinds.length === 0 || kinds.includes(one.kind)) &&
          one.createdAt >= since,
      );
      const query = [
        `bbox=${[west, south, written, north].join(',')}`,
        `kind=${kinds.join(',')}`,
        `since=${since || ''}`,
        `limit=${limit}`,
        ...(all ? ['includeDeleted=true'] : []),
      ].join('&');
      const got: string[] = [];
      let cursor = '';
      // A few pages of long lists are enough.
      const enough = Math.min(wanted.length, limit * 4);
      while (got.length < enough) {
        const answer = await admin.get(`${REPORTS}?${query}&cursor=${cursor}`);
        const { reports, nextCursor } = jsonOf(answer);
        expect(reports.length, query).toBeGreaterThan(0);
        got.push(...reports.map(({ id }: ReportBody) => id));
        expect(nextCursor === null, query).toBe(got.length >= wanted.length);
        cursor = nextCursor ?? '';
      }
      expect(got, query).toEqual(wanted.slice(0, got.length).map(({ id }) => id));
      if (wanted.length === 0) expect(await idsOf(query, admin), query).toEqual([]);
      else nonEmpty++;
    }
    expect(nonEmpty).toBeGreaterThan(60);
  });

  test(`a list without parameters has the newest 500 reports, and the next page continues it`, async () => {
    const active = newestFirst.filter(({ state }) => state === 'active').map(({ id }) => id);
    const first = jsonOf(await anna.get(REPORTS));
    expect(first.reports.map(({ id }: ReportBody) => id)).toEqual(active.slice(0, 500));
    const second = await idsOf(`cursor=${first.nextCursor}`);
    expect(second).toEqual(active.slice(500, 1000));
  });
});

test('a list has the newest report immediately with its votes, and not after its deletion', async () => {
  const made = await anna.report({ externalUserId: 'sailor 7' });
  await ben.vote(made.id, 'valid');
  const [seen] = jsonOf(await anna.get(`${REPORTS}?bbox=-123,47,-122,48`)).reports;
  expect(seen).toEqual({ ...made, upvoteCount: 1, updatedAt: seen.updatedAt });
  const [foreign] = jsonOf(await ben.get(REPORTS)).reports;
  expect(foreign).toMatchObject({ id: made.id, isOwner: false });
  expect(foreign).not.toHaveProperty('externalUserId');
  await anna.delete(`${REPORTS}/${made.id}`);
  expect(await idsOf('')).toEqual([]);
});

test('a list shows deleted and expired reports only to administrators who request them', async () => {
  const states = ['active', 'expired', 'swept', 'deleted'] as const;
  const rows = states.map((state, i) => reportRow({ state, createdAt: NOW - 1000 - i }));
  await insert(rows);
  expect(await idsOf('')).toEqual([rows[0]!.id]);
  expect(await idsOf('', admin)).toEqual([rows[0]!.id]);
  expect(await idsOf('includeDeleted=true', admin)).toEqual(rows.map(({ id }) => id));
  const answer = await anna.get(`${REPORTS}?includeDeleted=true`);
  expect(refusalOf(answer)).toEqual([403, 'scope_required']);
  const byQuery = await crowd.ask(`${REPORTS}?includeDeleted=true&token=${admin.token}`);
  expect(jsonOf(byQuery).reports).toHaveLength(4);
});

test('a list is GeoJSON for maps, longitude first, with the fields of the report', async () => {
  const made = await anna.report();
  const answer = await anna.get(`${REPORTS}?format=geojson`);
  expect(answer.headers['content-type']).toBe('application/geo+json; charset=utf-8');
  expect(jsonOf(answer)).toEqual({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        id: made.id,
        geometry: { type: 'Point', coordinates: [-122.4, 47.6] },
        properties: made,
      },
    ],
    nextCursor: null,
  });
});

test('a list is cached for seconds for its caller only, and then revalidated by its ETag', async () => {
  const made = await anna.report();
  const first = await anna.get(REPORTS);
  expect(first.headers['cache-control']).toBe('private, max-age=5');
  const headers = { 'if-none-match': first.headers['etag']! };
  const same = await anna.ask(REPORTS, { headers });
  expect([same.status, same.body.length]).toEqual([304, 0]);
  // Another caller gets a different list.
  expect((await ben.ask(REPORTS, { headers })).status).toBe(200);
  await ben.vote(made.id, 'valid');
  expect((await anna.ask(REPORTS, { headers })).status).toBe(200);
});

test.each([
  'bbox=1,2,3',
  'bbox=1,2,3,4,5',
  'bbox=a,b,c,d',
  'bbox=1,2,3,',
  'bbox=1,5,3,4',
  'bbox=1,-91,3,4',
  'bbox=1,0,3,90.1',
  'bbox=1e999,0,3,1',
  'bbox=NaN,0,3,1',
  'bbox=0x1,0,3,1',
  'bbox=0,0,1,1&bbox=0,0,2,2',
  'kind=storm',
  'kind=hazard,',
  'kind=Hazard',
  'kind=toString',
  'since=-1',
  'since=yesterday',
  'since=1.5',
  'since=8640000000000001',
  'since=9999999999999999',
  'cursor=1',
  `cursor=1.${'x'.repeat(36)}`,
  `cursor=x.${'00000000-0000-0000-0000-000000000000'}`,
  'limit=0',
  'limit=501',
  'limit=1e2',
  'limit=-1',
  'includeDeleted=yes',
  'format=xml',
])('a list with %s is 400 and names the parameter', async (query) => {
  const answer = await anna.get(`${REPORTS}?${query}`);
  expect(refusalOf(answer)).toEqual([400, 'bad_query']);
  expect(faultPaths(answer)).toEqual([query.slice(0, query.indexOf('='))]);
});

test('a list from the last time of the calendar is empty', async () => {
  expect(await idsOf('since=8640000000000000')).toEqual([]);
});

test('a list ignores empty parameters and accepts a repeated parameter with equal values', async () => {
  const made = await anna.report();
  const query = 'bbox=&kind=&since=&cursor=&limit=&format=&limit=5&limit=5';
  expect(await idsOf(query)).toEqual([made.id]);
});
