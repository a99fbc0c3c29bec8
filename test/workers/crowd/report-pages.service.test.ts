// Lists of reports by offset: the reports, the total, and who sees deleted and expired ones.

import { beforeEach, describe, expect } from 'vitest';
import { MAX_TOTAL } from '../../../shared/contract/report-pages.ts';
import { type Box, keyRangesOf } from '../../../shared/reports/place.ts';
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

interface Page {
  readonly reports: readonly ReportBody[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

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

async function pageOf(query: string, caller = anna): Promise<Page> {
  const answer = await caller.get(`${REPORTS}?${query}`);
  expect(answer.status, query).toBe(200);
  return jsonOf(answer) as Page;
}

const idsOf = ({ reports }: Page) => reports.map(({ id }) => id);

describe('a page by offset (seed 20261125)', () => {
  const random = seededRandom(20_261_125);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const STATES = ['active', 'active', 'expired', 'swept', 'deleted'] as const;
  const rows: ReportRow[] = Array.from({ length: 600 }, () =>
    reportRow({
      kind: pick(REPORT_KINDS),
      longitude: pick([-180, 180, random() * 360 - 180, -122.4 + random() / 10]),
      latitude: pick([random() * 180 - 90, 47.6 + random() / 10]),
      createdAt: NOW - 1000 - Math.floor(random() * 20) * 1000,
      state: pick(STATES),
      owner: pick(['anna', 'carl']),
    }),
  );
  const newestFirst = rows.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  beforeEach(() => insertReports(crowd.database, rows));

  /** The reports of a box, which crosses 180° if west is greater than east. */
  const inBox = (west: number, south: number, east: number, north: number) =>
    newestFirst.filter(({ longitude, latitude }) => {
      const isInWidth =
        west <= east
          ? longitude >= west && longitude <= east
          : longitude >= west || longitude <= east;
      return isInWidth && latitude >= south && latitude <= north;
    });

  test('contains what plain filtering finds, with the total', async () => {
    for (let round = 0; round < 120; round++) {
      const box = pick<[number, number, number, number]>([
        [-180, -90, 180, 90],
        [-123, 47, -122, 48],
        [-90, -60, 100, 80],
        [170, -90, -100, 90],
        [random() * 40 - 160, 0, random() * 40, 60],
      ]);
      const kinds = random() < 0.3 ? REPORT_KINDS.filter(() => random() < 0.6) : [];
      const since = random() < 0.3 ? NOW - 1000 - Math.floor(random() * 20) * 1000 : 0;
      const [includeExpired, includeDeleted] = [random() < 0.5, random() < 0.5];
      const caller = pick([anna, ben, admin]);
      const isSeen = ({ state, owner }: ReportRow) => {
        if (state === 'active') return true;
        if (state !== 'deleted') return includeExpired;
        return includeDeleted && (caller === admin || (caller === anna && owner === 'anna'));
      };
      const wanted = inBox(...box).filter(
        (one) =>
          isSeen(one) && (kinds.length === 0 || kinds.includes(one.kind)) && one.createdAt >= since,
      );
      const offset = pick([0, 1, 7, wanted.length - 1, wanted.length, 5000].filter((n) => n >= 0));
      const limit = pick([1, 10, 200]);
      const query = `bbox=${box}&kind=${kinds}&since=${since}&offset=${offset}&limit=${limit}&includeExpired=${includeExpired}&includeDeleted=${includeDeleted}`;
      const page = await pageOf(query, caller);
      expect({ ...page, reports: idsOf(page) }, query).toEqual({
        reports: wanted.slice(offset, offset + limit).map(({ id }) => id),
        total: wanted.length,
        limit,
        offset,
      });
    }
  });

  test('has 50 reports by default and at most 200, and the pages join without a gap', async () => {
    const active = newestFirst.filter(({ state }) => state === 'active').map(({ id }) => id);
    const first = await pageOf('offset=0');
    expect([first.limit, first.offset, first.total]).toEqual([50, 0, active.length]);
    expect(idsOf(first)).toEqual(active.slice(0, 50));
    const capped = await pageOf('offset=0&limit=1000');
    expect([capped.limit, capped.reports.length]).toEqual([200, 200]);
    const second = await pageOf(`offset=200&limit=200`);
    expect([...idsOf(capped), ...idsOf(second)]).toEqual(active.slice(0, 400));
  });

  test('has a total with an upper bound', async () => {
    const countIn = async (box: Box, most: number) => {
      const ranges = keyRangesOf(box, REPORT_KINDS);
      const { rows } = await crowd.database.query(
        `SELECT count_reports($1, $2, $3, $4, $5, $6, $7, $8, 0, true, 'all', '', '', $9)::int AS total,
           count_active(0, $2, $3, $6, $4, $7, $5, $8, 0, $9) <= $9
             AND count_past(true, true, $2, $3, $6, $4, $7, $5, $8, 0, $9) <= $9 AS is_cut`,
        [
          NOW,
          ...(['low', 'high', 'west', 'east'] as const).map((one) => ranges.map((it) => it[one])),
          ...[REPORT_KINDS, box.south, box.north, most],
        ],
      );
      expect(rows[0].is_cut).toBe(true);
      return rows[0].total as number;
    };
    for (const [west, south, east, north] of [
      [-180, -90, 180, 90],
      [-90, -60, 100, 80],
      [-123, 47, -122, 48],
    ] as const) {
      const all = inBox(west, south, east, north).length;
      for (const most of [1, 40, all - 1, all, all + 1]) {
        expect(await countIn({ west, south, east, north }, most)).toBe(Math.min(all, most));
      }
    }
    const { rows } = await crowd.database.query(
      `SELECT pg_get_function_arguments('count_reports'::regproc) AS them`,
    );
    expect(rows[0].them).toMatch(new RegExp(`most bigint DEFAULT ${MAX_TOTAL}$`));
  });

  test('contains the same reports as the list with a cursor', async () => {
    const list = jsonOf(await anna.get(`${REPORTS}?limit=40`));
    expect((await pageOf('offset=0&limit=40')).reports).toEqual(list.reports);
  });
});

describe('a list without offset and includeExpired', () => {
  test('has a cursor and no total', async () => {
    await anna.report();
    for (const query of ['', 'limit=50', 'includeDeleted=false', 'offset=', 'format=json']) {
      const list = jsonOf(await anna.get(`${REPORTS}?${query}`));
      expect(Object.keys(list), query).toEqual(['reports', 'nextCursor']);
    }
    expect(Object.keys(await pageOf('includeExpired=false'))).toEqual([
      'reports',
      'total',
      'limit',
      'offset',
    ]);
  });
});

describe('a page by offset', () => {
  test('shows a deleted report to its owner and administrators only', async () => {
    const made = await anna.report({ externalUserId: 'sailor 7' });
    await anna.delete(`${REPORTS}/${made.id}`);
    expect((await pageOf('offset=0')).total).toBe(0);
    const own = await pageOf('offset=0&includeDeleted=true');
    expect(own.reports).toMatchObject([{ id: made.id, isOwner: true, expiredAt: null }]);
    expect(own.reports[0]!.deletedAt).toBeGreaterThan(0);
    expect((await pageOf('offset=0&includeDeleted=true', admin)).total).toBe(1);
    const colleague = await crowd.caller({ subject: 'carl' });
    for (const other of [ben, colleague]) {
      const page = await pageOf('offset=0&includeDeleted=true&includeExpired=true', other);
      expect([page.total, page.reports]).toEqual([0, []]);
    }
  });

  test('shows no deleted report to a public token without an end user', async () => {
    const open = await crowd.caller({ subject: 'app', scopes: ['styles', 'reports:write'] });
    const made = await open.report();
    await admin.delete(`${REPORTS}/${made.id}`);
    expect((await pageOf('offset=0&includeDeleted=true', open)).total).toBe(0);
    expect((await pageOf('offset=0&includeDeleted=true', admin)).total).toBe(1);
  });

  test('shows an expired report to every caller, without the end user of another account', async () => {
    await insertReports(crowd.database, [
      reportRow({ state: 'swept', externalUserId: 'sailor 7' }),
      reportRow({ state: 'expired', createdAt: NOW - 2000, externalUserId: 'sailor 7' }),
    ]);
    const [own, foreign] = [
      await pageOf('includeExpired=true'),
      await pageOf('includeExpired=1', ben),
    ];
    expect(own.reports).toMatchObject([
      { isOwner: true, externalUserId: 'sailor 7', expiredAt: NOW - 999 },
      { isOwner: true, externalUserId: 'sailor 7', expiredAt: NOW - 1999 },
    ]);
    expect(foreign.reports.map(({ isOwner }) => isOwner)).toEqual([false, false]);
    expect(JSON.stringify(foreign)).not.toContain('sailor');
    expect(foreign.total).toBe(2);
  });

  test('has an ETag, which changes with a vote', async () => {
    const made = await anna.report();
    const first = await anna.get(`${REPORTS}?offset=0`);
    expect(first.headers['cache-control']).toBe('private, max-age=5');
    const headers = { 'if-none-match': first.headers['etag']! };
    expect((await anna.ask(`${REPORTS}?offset=0`, { headers })).status).toBe(304);
    await ben.vote(made.id, 'valid');
    expect((await anna.ask(`${REPORTS}?offset=0`, { headers })).status).toBe(200);
  });

  test('beyond the last report is empty and has the total', async () => {
    await anna.report();
    expect(await pageOf('offset=100000')).toEqual({
      reports: [],
      total: 1,
      limit: 50,
      offset: 100_000,
    });
  });

  test.each([
    ['offset=-1', 'offset'],
    ['offset=1.5', 'offset'],
    ['offset=1e3', 'offset'],
    ['offset=100001', 'offset'],
    ['offset=99999999999999999999', 'offset'],
    ['offset=1&offset=2', 'offset'],
    ['offset=0&limit=0', 'limit'],
    ['offset=0&limit=-1', 'limit'],
    ['offset=0&limit=9999999999', 'limit'],
    ['includeExpired=yes', 'includeExpired'],
    ['offset=0&includeDeleted=yes', 'includeDeleted'],
    ['offset=0&bbox=1,2,3', 'bbox'],
    ['offset=0&format=geojson', 'format'],
    ['offset=0&cursor=1.00000000-0000-0000-0000-000000000000', 'cursor'],
    ['includeExpired=true&cursor=1.00000000-0000-0000-0000-000000000000', 'cursor'],
  ])('with %s is 400 and names the parameter', async (query, name) => {
    const answer = await anna.get(`${REPORTS}?${query}`);
    expect(refusalOf(answer)).toEqual([400, 'bad_query']);
    expect(faultPaths(answer)).toEqual([name]);
  });
});
