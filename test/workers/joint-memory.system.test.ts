// The budget of an isolate (workers/service/runtime/memory-budget.ts) in a process with that much
// memory: every cache is full, with concurrent pictures of a crowded harbour, or a route and the
// largest upload.

import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newKey, publicKeySet } from '../../workers/host/admin/keys.ts';
import { ISOLATE_BYTES } from '../../workers/service/runtime/memory-budget.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { writeDenseCharts } from '../support/dense-charts.ts';
import { isLong } from '../support/long-run.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { NO_LIMITS, tokenFor } from '../support/service.ts';
import type { Asked, IsolateWork } from '../support/whole-isolate.ts';
import { withinMemory } from '../support/within-memory.ts';

const ISOLATE = resolve(import.meta.dirname, '../support/whole-isolate.ts');
/** Around the demo's port. */
const PORT = { z: 14, x: 7280, y: 9622 } as const;
const SIDE = 6;

const folder = scratchFolder();
let database: TestDatabase;
let work: Omit<IsolateWork, 'before' | 'together' | 'boundBytes'>;
beforeAll(async () => {
  await writeDenseCharts(inject('demoCharts'), folder, PORT, SIDE);
  database = await freshDatabase();
  const keys = { keys: [await newKey()] };
  work = {
    charts: folder,
    assets: inject('assets'),
    token: await tokenFor(keys),
    bindings: {
      TOKEN_KEYS: JSON.stringify(publicKeySet(keys)),
      USAGE_COUNTING: 'off',
      ...NO_LIMITS,
      ...database.bindings,
    },
  };
});
afterAll(async () => {
  await database?.stop();
});

const SOUNDING =
  '{"latitude":47.6000001,"longitude":-122.4000001,"depth":12.345,"time":"2026-06-01T12:00:00.000Z"';
/** The maximum number of soundings and bytes of a request. */
const UPLOAD: Asked = {
  path: '/api/v1/user-reports/bathymetry',
  body: [`{"soundings":[${SOUNDING}}`, `,${SOUNDING},"more":"${'x'.repeat(205)}"}`, 49_999, ']}'],
};
/** A route across unsurveyed ocean with the maximum number of squares and steps. */
const routeBy = (token: string): Asked => ({
  path: `/api/v1/routing/route?token=${token}`,
  body: [
    JSON.stringify({
      waypoints: [
        [-30.005, -20.012],
        [40, -70],
      ],
      vessel: { draft: 2 },
      safety: { allowUnknownDepth: true },
    }),
    '',
    0,
    '',
  ],
});
/** Each looks at four tiles, no two at the same four. */
const PICTURES: readonly Asked[] = Array.from({ length: isLong ? 16 : 2 }, (_, i) => {
  const [x, y] = [2 * PORT.x + 1 + (i % 4) * 2, 2 * PORT.y + 1 + (i >> 2) * 2];
  return { path: `/api/v2/tiles/raster-v1/15/${x}/${y}.png` };
});

/** By Worker, as they are deployed: that of charts, and that for heavy work. */
const TOGETHER: readonly (readonly [name: string, work: () => readonly Asked[]])[] = [
  [`${PICTURES.length} pictures of a crowded harbour`, () => PICTURES],
  ['the largest upload and a route across the ocean', () => [routeBy(work.token), UPLOAD]],
];

test.each(TOGETHER)('%s at once, with all caches full, fit into an isolate', async (_, asked) => {
  const together = asked();
  const told = await withinMemory(ISOLATE, 'workTogether', ISOLATE_BYTES / 2 ** 20, {
    ...work,
    boundBytes: ISOLATE_BYTES,
    before: [],
    together,
  });
  expect(told).not.toBe('out of memory');
  const { statuses, faults, above } = JSON.parse(told);
  expect(above).toBeLessThanOrEqual(ISOLATE_BYTES / 2 ** 20);
  // The database of a busy machine may be too slow for so many soundings, which were taken all the same.
  const answers = together.map((one) =>
    one === UPLOAD ? expect.stringMatching(/^(201|503) true$/) : '200 true',
  );
  expect(statuses, faults.join('\n')).toEqual(answers);
});
