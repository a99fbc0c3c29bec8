// A user’s own tracks as files in each format: they must conform to the standards, and other programs
// must read them.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { b12Faults } from '../../support/b12-shape.ts';
import { hasGdal } from '../../support/gdal.ts';
import { gpxFaults } from '../../support/gpx-shape.ts';
import { type SentSounding, START, soundingAfter, voyage } from '../../support/soundings.ts';
import { useTrackService } from '../../support/track-service.ts';

const { ask, json, keep } = useTrackService({
  CSB_NODE_ID: 'HARBOUR',
  CSB_PROVIDER_EMAIL: 'node@harbour.example.org',
});

const PROVIDER = { orgName: 'Sailors', logger: 'Box', loggerVersion: '1.2', email: 'a@b.org' };
const VESSEL = {
  uniqueId: 'HARBOUR-3f0c2b52-9f0e-4c43-8d2a-6b9b1f6f4a51',
  name: 'Lark & <Sons> "π"',
  type: 'fishing vessel',
  length: 11.6,
  IDType: 'MMSI',
  IDNumber: '123456789',
};

describe('a file of a track', () => {
  const byTime = (a: SentSounding, b: SentSounding) => Number(a.time) - Number(b.time);
  const points = voyage(300, 7);
  const odd = [
    { latitude: 90, longitude: 180, depth: 0, time: START },
    { latitude: 1e-9, longitude: -1e-10, depth: 1e-7, time: START + 1 },
    { latitude: -89.123456789012, longitude: -180, depth: 11_034.5, time: START + 2 },
  ];

  test('conforms to guideline B-12 as GeoJSON', async () => {
    const id = await keep(points, { platform: VESSEL, providerContactPoint: PROVIDER });
    const response = await ask(`/${id}.geojson`);
    expect(response.headers.get('content-disposition')).toContain(`track-${id}.geojson`);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    const file = (await response.json()) as any;
    expect(b12Faults(file)).toEqual([]);
    expect(file.properties.trustedNode).toMatchObject({
      providerOrganizationName: 'Sailors',
      providerEmail: 'a@b.org',
      uniqueVesselID: VESSEL.uniqueId,
      providerLogger: 'Box',
    });
    expect(file.properties.platform).toMatchObject({ name: VESSEL.name, length: 12 });
    const back = file.features.map(({ geometry, properties }: never) => {
      const { coordinates } = geometry as { coordinates: [number, number] };
      const { depth, time } = properties as { depth: number; time: string };
      const [longitude, latitude] = coordinates;
      return { latitude, longitude, depth, time: Date.parse(time) };
    });
    expect(back).toEqual(points);
  });

  test('contains no invented values as GeoJSON, and a stable vessel ID that does not identify the user', async () => {
    const fileOf = async (about: object) =>
      json(`/${await keep([soundingAfter(0)], about)}.geojson`);
    const anonymous = await fileOf({ platform: { uniqueId: 'my boat' }, externalUserId: 'Jo' });
    expect(b12Faults(anonymous)).toEqual([]);
    const { uniqueVesselID, providerEmail } = anonymous.properties.trustedNode;
    expect(uniqueVesselID).toMatch(/^HARBOUR-/);
    expect(providerEmail).toBe('node@harbour.example.org');
    expect(anonymous.properties.platform).toBeUndefined();
    expect(JSON.stringify(anonymous)).not.toMatch(/my boat|Jo"|tester/);
    const again = await fileOf({ platform: { uniqueId: 'my boat' }, externalUserId: 'Jo' });
    expect(again.properties.trustedNode.uniqueVesselID).toBe(uniqueVesselID);
    const other = await fileOf({ platform: { uniqueId: 'my boat' }, externalUserId: 'Al' });
    expect(other.properties.trustedNode.uniqueVesselID).not.toBe(uniqueVesselID);
  });

  test('conforms to the schema as GPX, whatever the name of the vessel', async () => {
    const names = ['Lark & <Sons> "π"', ']]>', '\u0001\ufffe\u{1f6a2}', '<!-- -->'];
    for (const name of names) {
      const id = await keep([...points.slice(0, 3), ...odd], { platform: { name } });
      const text = await (await ask(`/${id}.gpx`)).text();
      expect(gpxFaults(text)).toEqual([]);
      expect(text).not.toMatch(/"[-\d.]+e/);
      const depths = [...text.matchAll(/<gpxtpx:depth>([\d.]+)</g)].map(([, depth]) =>
        Number(depth),
      );
      expect(depths).toEqual([...points.slice(0, 3), ...odd].sort(byTime).map((one) => one.depth));
    }
  });

  test('has a row for each point as CSV', async () => {
    const id = await keep([...points, ...odd]);
    const text = await (await ask(`/${id}.csv`)).text();
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    const sorted = [...points, ...odd].sort(byTime);
    expect(
      rows.map((row) => ({
        latitude: Number(row['LAT']),
        longitude: Number(row['LON']),
        depth: Number(row['DEPTH']),
        time: Date.parse(row['TIME']!),
      })),
    ).toEqual(sorted);
    expect(text).not.toMatch(/e[-+]?\d/);
  });

  test.runIf(hasGdal)(
    'is read by GDAL in each format, with all points in their positions',
    async () => {
      const id = await keep(points, { platform: VESSEL });
      const folder = mkdtempSync(join(tmpdir(), 'leadline-track-'));
      try {
        // Fetch all files first: the test process handles no events while GDAL runs.
        for (const suffix of ['.geojson', '.gpx', '.csv']) {
          const text = await (await ask(`/${id}${suffix}`)).text();
          writeFileSync(join(folder, `track-${id}${suffix}`), text);
        }
        for (const [suffix, layer, options] of [
          ['.geojson', `track-${id}`, []],
          ['.gpx', 'track_points', []],
          ['.csv', `track-${id}`, ['X_POSSIBLE_NAMES=LON', 'Y_POSSIBLE_NAMES=LAT']],
        ] as const) {
          const file = join(folder, `track-${id}${suffix}`);
          const words = ['-f', 'CSV', '/vsistdout/', file, layer, '-lco', 'GEOMETRY=AS_XY'];
          const open = options.flatMap((option) => ['-oo', option]);
          const csv = execFileSync('ogr2ogr', [...words, ...open], {
            // GDAL warns about each extension that it does not know.
            stdio: ['ignore', 'pipe', 'ignore'],
          }).toString();
          const rows = parse(csv, { columns: true }) as Record<string, string>[];
          const places = rows.map((row) => [Number(row['X']), Number(row['Y'])]);
          expect(places, suffix).toEqual(points.map((p) => [p.longitude, p.latitude]));
          // GDAL passes extensions on as text or not at all.
          if (suffix === '.gpx') continue;
          const depths = rows.map(({ depth, DEPTH }) => Number(depth ?? DEPTH));
          expect(depths, suffix).toEqual(points.map((point) => point.depth));
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
