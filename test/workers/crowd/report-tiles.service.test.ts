// Tiles of reports, compared with the list of the same box; clusters, limits and privacy.

import { VectorTile } from '@mapbox/vector-tile';
import type { Point } from 'geojson';
import { PbfReader } from 'pbf';
import { beforeEach, describe, expect } from 'vitest';
import { mercatorX, mercatorY } from '../../../shared/geo/mercator.ts';
import { type TileId, tileBounds } from '../../../shared/geo/tile.ts';
import { REPORT_KINDS } from '../../../shared/reports/report.ts';
import { reportLabel } from '../../../shared/reports/tile.ts';
import {
  type Caller,
  type CrowdService,
  REPORTS,
  type ReportBody,
  refusalOf,
  startCrowdService,
} from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { jsonOf } from '../../support/http-client.ts';
import { isLong } from '../../support/long-run.ts';
import { insertReports, NOW, type ReportRow, reportRow } from '../../support/report-rows.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const TILES = isLong ? 1000 : 250;

interface Mark {
  readonly longitude: number;
  readonly latitude: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

let crowd: CrowdService;
let anna: Caller;
let ben: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna' });
  ben = await crowd.caller({ subject: 'ben', account: 'others' });
});
beforeEach(() => crowd.database.query('TRUNCATE user_report CASCADE'));

const pathOf = ({ z, x, y }: TileId, type: 'mvt' | 'json') =>
  `${REPORTS}/tiles/${z}/${x}/${y}.${type}`;

const tileAt = (longitude: number, latitude: number, z: number): TileId => {
  const most = 2 ** z - 1;
  const cell = (share: number) => Math.min(most, Math.floor(share * 2 ** z));
  return { z, x: cell(mercatorX(longitude)), y: cell(mercatorY(latitude)) };
};

async function bodyOf(tile: TileId, type: 'mvt' | 'json', caller = anna) {
  const answer = await caller.get(pathOf(tile, type));
  expect(answer.status, pathOf(tile, type)).toBe(200);
  return answer;
}

interface GeojsonTile {
  readonly isComplete: boolean;
  readonly features: readonly {
    readonly geometry: { readonly coordinates: readonly [number, number] };
    readonly properties: Mark['properties'];
  }[];
}

const geojsonOf = async (tile: TileId, caller = anna) =>
  jsonOf(await bodyOf(tile, 'json', caller)) as GeojsonTile;

async function jsonMarks(tile: TileId, caller = anna): Promise<Mark[]> {
  const { features } = await geojsonOf(tile, caller);
  return features.map(({ geometry, properties }) => {
    const [longitude, latitude] = geometry.coordinates;
    return { longitude, latitude, properties };
  });
}

/** Marks of a vector tile, with the names of properties and the nesting of the GeoJSON tile. */
async function mvtMarks(tile: TileId, caller = anna): Promise<Mark[]> {
  const { body } = await bodyOf(tile, 'mvt', caller);
  const layer = new VectorTile(new PbfReader(new Uint8Array(body))).layers['user_reports'];
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => {
    const feature = layer!.feature(i);
    const { geometry } = feature.toGeoJSON(tile.x, tile.y, tile.z);
    const [longitude, latitude] = (geometry as Point).coordinates as [number, number];
    const { is_owner, is_partial, properties, ...same } = feature.properties;
    const isReport = is_owner !== undefined;
    const rest = isReport ? { isOwner: is_owner, properties: JSON.parse(String(properties)) } : {};
    if (!isReport) expect(is_partial).toBe(false);
    return { longitude, latitude, properties: { ...same, ...rest } };
  });
}

/** The properties in a tile for a report from a list. */
const markOf = (report: ReportBody) => ({
  id: report.id,
  reportType: report.reportType,
  upvoteCount: report.upvoteCount,
  downvoteCount: report.downvoteCount,
  isOwner: report.isOwner,
  label: reportLabel({ kind: report.reportType as 'hazard', createdAt: report.createdAt }),
  properties: report.properties,
});

describe('a tile of reports (seed 20261126)', () => {
  const random = seededRandom(20_261_126);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const rows: ReportRow[] = Array.from({ length: 700 }, () =>
    reportRow({
      kind: pick(REPORT_KINDS),
      longitude: pick([
        -180,
        180,
        random() * 360 - 180,
        -122.4 + random() / 10,
        10 + random() / 1e4,
      ]),
      latitude: pick([random() * 180 - 90, 47.6 + random() / 10, 50 + random() / 1e4]),
      createdAt: NOW - 1000 - Math.floor(random() * 86_400_000),
      state: pick(['active', 'active', 'expired', 'swept', 'deleted']),
      owner: pick(['anna', 'carl']),
      externalUserId: 'sailor 7',
    }),
  );
  beforeEach(() => insertReports(crowd.database, rows));

  const randomTile = (): TileId => {
    const z = Math.floor(random() * 23);
    const { longitude, latitude } = pick(rows);
    return random() < 0.7
      ? tileAt(longitude, Math.max(-85, Math.min(85, latitude)), z)
      : tileAt(random() * 360 - 180, random() * 170 - 85, z);
  };

  async function compare(tile: TileId, round: number): Promise<number> {
    const caller = round % 3 === 0 ? ben : anna;
    const bbox = tileBounds(tile).join(',');
    const answer = await caller.get(`${REPORTS}?bbox=${bbox}`);
    expect([answer.status, bbox]).toEqual([200, bbox]);
    const list = jsonOf(answer);
    expect(list.nextCursor).toBe(null);
    const wanted = new Map((list.reports as ReportBody[]).map((one) => [one.id, one]));
    const marks = round % 2 === 0 ? await jsonMarks(tile, caller) : await mvtMarks(tile, caller);
    let count = 0;
    let hazards = 0;
    for (const { longitude, latitude, properties } of marks) {
      const report = wanted.get(String(properties['id']));
      count += Number(properties['point_count'] ?? 1);
      hazards += Number(properties['hazards'] ?? (properties['reportType'] === 'hazard' ? 1 : 0));
      if (report === undefined) {
        expect([tile.z < 9, properties]).toEqual([
          true,
          { point_count: expect.any(Number), hazards: expect.any(Number) },
        ]);
        continue;
      }
      expect(properties).toEqual(markOf(report));
      const unit = 1 / 2 ** tile.z / 4096;
      expect(Math.abs(mercatorY(latitude) - mercatorY(report.latitude))).toBeLessThan(unit);
      const east = mercatorX(longitude) - mercatorX(report.longitude);
      expect(Math.abs(east - Math.round(east))).toBeLessThan(unit);
    }
    const all = [...wanted.values()];
    expect([tile, count]).toEqual([tile, all.length]);
    expect(hazards).toBe(all.filter(({ reportType }) => reportType === 'hazard').length);
    if (tile.z >= 9) expect(marks).toHaveLength(all.length);
    return all.length;
  }

  test(`contains the reports of the list, for ${TILES} tiles`, async () => {
    const found: number[] = [];
    for (let round = 0; round < TILES; round += 2) {
      const batch = Array.from({ length: 2 }, (_, i) => compare(randomTile(), round + i));
      found.push(...(await Promise.all(batch)));
    }
    expect(found.filter((count) => count > 0).length).toBeGreaterThan(0.4 * TILES);
    expect(found.filter((count) => count > 1).length).toBeGreaterThan(0.2 * TILES);
  });

  test('places clusters at the mean of their reports', async () => {
    const tile = tileAt(-122.35, 47.65, 8);
    const [west, south, east, north] = tileBounds(tile);
    const clusters = (await jsonMarks(tile)).filter(
      ({ properties }) => 'point_count' in properties,
    );
    expect(clusters.length).toBeGreaterThan(0);
    for (const { longitude, latitude } of clusters) {
      expect([longitude > west, longitude < east, latitude > south, latitude < north]).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
    expect(await mvtMarks(tile)).toHaveLength((await jsonMarks(tile)).length);
  });

  test('contains no end user of any account', async () => {
    for (const [longitude, latitude, z] of [
      [0, 0, 0],
      [10, 50, 14],
      [-122.35, 47.65, 9],
    ] as const) {
      for (const caller of [anna, ben]) {
        const tile = tileAt(longitude, latitude, z);
        for (const type of ['mvt', 'json'] as const) {
          const text = (await bodyOf(tile, type, caller)).body.toString();
          expect(text.length).toBeGreaterThan(100);
          expect(text).not.toContain('sailor');
        }
      }
    }
  });
});

describe('a tile of reports', () => {
  const HERE = tileAt(-122.4, 47.6, 14);

  test('shows a vote after its cache time, and the owner to the owner only', async () => {
    const made = await anna.report({ externalUserId: 'sailor 7' });
    for (const type of ['mvt', 'json'] as const) {
      const first = await bodyOf(HERE, type);
      expect(first.headers).toMatchObject({
        'cache-control': 'private, max-age=30',
        vary: expect.stringContaining('Authorization'),
        'content-type':
          type === 'mvt' ? 'application/vnd.mapbox-vector-tile' : 'application/json; charset=utf-8',
      });
      const headers = { 'if-none-match': first.headers['etag']! };
      const any = await anna.ask(pathOf(HERE, type), { headers: { 'if-none-match': ' * ' } });
      expect([any.status, any.body.length]).toEqual([304, 0]);
      const same = await anna.ask(pathOf(HERE, type), { headers });
      expect([same.status, same.body.length]).toEqual([304, 0]);
      await ben.vote(made.id, type === 'mvt' ? 'valid' : 'invalid');
      expect((await anna.ask(pathOf(HERE, type), { headers })).status).toBe(200);
    }
    const own = { id: made.id, upvoteCount: 0, downvoteCount: 1, isOwner: true };
    for (const marksOf of [jsonMarks, mvtMarks]) {
      expect(await marksOf(HERE)).toMatchObject([{ properties: own }]);
      expect(await marksOf(HERE, ben)).toMatchObject([{ properties: { isOwner: false } }]);
    }
  });

  test.each([
    ['-4e-322', '1e-310'],
    ['7', '-1.5e-323'],
    ['-2.2e-308', '-0'],
  ])('shows a report at %s, %s, whose products underflow', async (latitude, longitude) => {
    const raw = `{"reportType":"hazard","position":{"latitude":${latitude},"longitude":${longitude}}}`;
    for (let i = 0; i < 2; i++) {
      const made = await anna.ask(REPORTS, { method: 'POST', raw });
      expect(made.status).toBe(201);
      const { latitude: stored, longitude: turned } = jsonOf(made) as Record<string, number>;
      expect([stored, turned]).toEqual([latitude === '7' ? 7 : 0, 0]);
    }
    for (const type of ['mvt', 'json'] as const) {
      const world = await anna.get(pathOf({ z: 0, x: 0, y: 0 }, type));
      expect(world.status).toBe(200);
      expect(world.body.length).toBeGreaterThan(0);
    }
  });

  test('shows no public token that it owns a report', async () => {
    const open = await crowd.caller({ subject: 'app', scopes: ['styles', 'reports:write'] });
    await open.report();
    expect(await jsonMarks(HERE, open)).toMatchObject([{ properties: { isOwner: false } }]);
    expect(await mvtMarks(HERE, open)).toMatchObject([{ properties: { isOwner: false } }]);
  });

  test('loses a deleted report', async () => {
    const made = await anna.report();
    expect(await jsonMarks(HERE)).toHaveLength(1);
    await anna.delete(`${REPORTS}/${made.id}`);
    expect(await geojsonOf(HERE)).toEqual({
      type: 'FeatureCollection',
      features: [],
      isComplete: true,
    });
    expect((await bodyOf(HERE, 'mvt')).body).toHaveLength(0);
  });

  test('contains a report at 180° at both ends of its row', async () => {
    await insertReports(crowd.database, [
      reportRow({ longitude: 180, latitude: 10 }),
      reportRow({ longitude: -180, latitude: 10 }),
    ]);
    for (const z of [3, 12]) {
      for (const longitude of [-179.999999, 179.999999]) {
        const tile = tileAt(longitude, 10, z);
        const [west, , east] = tileBounds(tile);
        for (const marks of [await jsonMarks(tile), await mvtMarks(tile)]) {
          const count = marks.reduce(
            (sum, one) => sum + Number(one.properties['point_count'] ?? 1),
            0,
          );
          expect(count).toBe(2);
        }
        for (const mark of await mvtMarks(tile)) {
          expect(mark.longitude).toBeCloseTo(longitude < 0 ? west : east, 3);
        }
      }
    }
  });

  test('has at most the 500 newest reports from zoom 9', async () => {
    const rows = Array.from({ length: 502 }, (_, i) => reportRow({ createdAt: NOW - 1000 - i }));
    await insertReports(crowd.database, rows);
    const { features, isComplete } = await geojsonOf(tileAt(10, 50, 9));
    expect(isComplete).toBe(false);
    expect(features.map(({ properties }) => properties['id'])).toEqual(
      rows.slice(0, 500).map(({ id }) => id),
    );
  });

  test('states that a count below zoom 9 is of the newest reports only', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => reportRow({ createdAt: NOW - 1000 - i }));
    await insertReports(crowd.database, rows);
    const tile = tileAt(10, 50, 5);
    const cluster = { point_count: 1000, hazards: 1000 };
    expect(await geojsonOf(tile)).toMatchObject({
      isComplete: true,
      features: [{ properties: cluster }],
    });
    await insertReports(crowd.database, [reportRow(), reportRow()]);
    expect((await geojsonOf(tile)).isComplete).toBe(false);
    const { body } = await bodyOf(tile, 'mvt');
    const layer = new VectorTile(new PbfReader(new Uint8Array(body))).layers['user_reports']!;
    expect(layer.feature(0).properties).toMatchObject({ is_partial: true });
  });

  test.each(['23/0/0', '9/512/0', '9/0/512', '9/-1/0', '09/0/0', '9/0.5/0', 'a/0/0', '9/0/1e1'])(
    'at %s is 400, as other tiles are',
    async (path) => {
      for (const type of ['mvt', 'json']) {
        const answer = await anna.get(`${REPORTS}/tiles/${path}.${type}`);
        expect(refusalOf(answer)).toEqual([400, 'bad_tile']);
      }
    },
  );

  test('requires a token with the scope of the list', async () => {
    expect(refusalOf(await crowd.ask(pathOf(HERE, 'mvt')))).toEqual([401, 'token_required']);
    const charts = await crowd.caller({ scopes: ['tiles'] });
    expect(refusalOf(await charts.get(pathOf(HERE, 'json')))).toEqual([403, 'scope_required']);
  });

  test('is 404 if the deployment does not list reports', async () => {
    const silent = await startCrowdService({ REPORTS_LISTING: 'off' }, crowd.database);
    try {
      const caller = await silent.caller();
      for (const type of ['mvt', 'json'] as const) {
        expect(refusalOf(await caller.get(pathOf(HERE, type)))).toEqual([404, 'not_found']);
      }
    } finally {
      await silent.service.stop();
    }
  });
});
