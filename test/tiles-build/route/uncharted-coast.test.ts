// Charts of islands that are surrounded only by the background: the distance at which a vessel may pass,
// the message for a waypoint there, and that background land does not cover charted water.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Position } from '../../../shared/route/trip.ts';
import { chartedSea } from '../../support/route/charted-sea.ts';
import { planWarm, tripOf } from '../../support/route/trips.ts';
import type { SeaFile } from '../../support/sea-file.ts';
import { ChartBuilder } from '../portray/chart-builder.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A background with one area of land. */
function landIn([west, south]: Position, [east, north]: Position): string {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-land-'));
  folders.push(folder);
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const features = [{ type: 'Feature', properties: {}, geometry }];
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  writeFileSync(join(folder, 'ne_10m_land.geojson'), text);
  return folder;
}

describe('around a charted island that is missing from the background', () => {
  let sea: SeaFile;
  // The island is a point in mid-ocean. Its chart is 0.2° wide and crosses 180°.
  beforeAll(async () => {
    const chart = new ChartBuilder();
    const ring = [
      [179.9, -40.1],
      [-179.9, -40.1],
      [-179.9, -39.9],
      [179.9, -39.9],
    ] as const;
    chart.polygon('M_COVR', ring, { CATCOV: 1 });
    chart.polygon('DEPARE', ring, { DRVAL1: 12 });
    chart.polygon(
      'RESARE',
      [
        [179.93, -39.97],
        [179.96, -39.97],
        [179.96, -39.94],
        [179.93, -39.94],
      ],
      { RESTRN: [7] },
    );
    chart.point('LNDARE', [180, -40]);
    sea = await chartedSea([chart.cell()], landIn([10, 10], [11, 11]));
  });

  const plan = (waypoints: readonly Position[], allowUnknownDepth = false) =>
    planWarm(tripOf(waypoints, { safety: { allowUnknownDepth } }), sea);
  const CHARTED: Position = [-179.95, -40.05];

  test('no path crosses uncharted water within 12 nautical miles of it, on either side of 180°', () => {
    for (const far of [
      [-179.3, -40],
      [179.3, -40],
    ] as const) {
      const answer = plan([CHARTED, far]);
      expect(answer.success).toBe(false);
      if (answer.success) continue;
      expect(answer.failures[0]!.message).toContain('safety.allowUnknownDepth');
      const allowed = plan([CHARTED, far], true);
      expect(allowed.success).toBe(true);
    }
  });

  test('a waypoint in uncharted coastal water causes a message with the option that allows it', () => {
    for (const near of [
      [-179.85, -40],
      [179.85, -40],
      [-179.8, -40.05],
    ] as const) {
      const answer = plan([near, near]);
      expect(answer.success).toBe(false);
      if (answer.success) continue;
      expect(answer.failures[0]!.code).toBe('OUTSIDE_COVERAGE');
      expect(answer.failures[0]!.message).toMatch(/12 nautical miles.*allowUnknownDepth/);
    }
  });

  test('farther out the area is ocean, with a warning and without a charted depth', () => {
    for (const [a, b] of [
      [
        [-179.6, -40],
        [-179.2, -40.3],
      ],
      [
        [179.6, -40],
        [179.2, -39.7],
      ],
    ] as const) {
      const answer = plan([a, b]);
      expect(answer.success).toBe(true);
      if (!answer.success) continue;
      const codes = answer.warnings.map(({ code }) => code);
      expect(codes).toContain('BACKGROUND_ONLY');
      const depth = answer.warnings.find(({ code }) => code === 'SHALLOWEST')!;
      expect(depth.message).toContain('No depth is charted');
      expect(answer.legs[0]!.withoutDepth).toBeCloseTo(answer.legs[0]!.distance, 0);
    }
  });

  test('the least depth of a path is the charted depth, with the length of the uncharted part', () => {
    const answer = plan([CHARTED, [-179.5, -40.05]], true);
    expect(answer.success).toBe(true);
    if (!answer.success) return;
    const depth = answer.warnings.find(({ code }) => code === 'SHALLOWEST')!;
    expect(depth.message).toMatch(/12 m; .* of .* have no charted depth/);
    const without = answer.legs.reduce((sum, leg) => sum + leg.withoutDepth, 0);
    // 0.4° of longitude of 0.45°, at 40.05° south.
    expect(without / answer.distance).toBeGreaterThan(0.87);
    expect(without / answer.distance).toBeLessThan(0.91);
  });

  test('land that is only in the background has such a coast too', () => {
    const [near, far] = [
      [11.1, 10.5],
      [11.4, 10.5],
    ] as const;
    const refused = plan([near, near]);
    expect(refused.success ? 'success' : refused.failures[0]!.code).toBe('OUTSIDE_COVERAGE');
    expect(plan([far, [11.6, 10.6]]).success).toBe(true);
  });

  test('a waypoint in a prohibited area causes a message about that, and not about its depth', () => {
    const inside: Position = [179.945, -39.955];
    const answer = planWarm(tripOf([inside, inside], { vessel: { draft: 2 } }), sea);
    expect(answer.success).toBe(false);
    if (!answer.success) expect(answer.failures[0]!.code).toBe('WAYPOINT_IN_PROHIBITED_AREA');
  });
});

test('a harbour chart over land of the background is open up to its own border', async () => {
  const chart = new ChartBuilder();
  chart.box('M_COVR', [-8, 53], [-7.9, 53.06], { CATCOV: 1 });
  chart.box('DEPARE', [-8, 53], [-7.9, 53.06], { DRVAL1: 12 });
  // In the middle of the land of the background.
  const sea = await chartedSea([chart.cell()], landIn([-9, 52], [-7, 54]));
  const metre = 1 / 111_000;
  for (const latitude of [53 + 60 * metre, 53.06 - 60 * metre]) {
    const answer = planWarm(
      tripOf([
        [-7.99, latitude],
        [-7.91, latitude],
      ]),
      sea,
    );
    expect(answer.success, `${latitude}`).toBe(true);
  }
});
