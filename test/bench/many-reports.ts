// A large table of reports with a realistic density: half of them are in two neighbouring harbours. One harbour has
// only old reports. Also boxes whose reports are slow to list.

import type { Client } from 'pg';
import { type Box, placeOf } from '../../shared/reports/place.ts';
import { REPORT_KINDS, type ReportKind } from '../../shared/reports/report.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SEED = 20_261_202;
const BATCH = 20_000;
const FIRST = 1_790_000_000_000;
/** All reports are within this time span, for any count. */
const SPAN_MS = 7 * 86_400_000;

/** The ID of a report, which is the same in every run. */
export const reportNumber = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/**
 * The oldest quarter of the reports is in the old harbour. Another quarter is in the busy harbour next to it. The rest
 * are spread over the world. One report in a thousand is about wildlife.
 */
export async function fillWithReports(owner: Client, count: number): Promise<void> {
  const random = seededRandom(SEED);
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => {
      const number = from + i + 1;
      const age = number / count;
      const kind = random() < 0.001 ? 'wildlife' : REPORT_KINDS[Math.floor(random() * 3)]!;
      const [longitude, latitude] =
        age < 0.25
          ? [-122.5 + random() * 0.1, 47.5 + random() * 0.1]
          : random() < 0.33
            ? [-122.35 + random() * 0.1, 47.5 + random() * 0.1]
            : [random() * 360 - 180, random() * 160 - 80];
      return {
        id: reportNumber(number),
        kind,
        latitude,
        longitude,
        place: placeOf(kind, longitude, latitude),
        at: FIRST + Math.round(age * SPAN_MS),
      };
    });
    const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
    await owner.query(
      `INSERT INTO user_report (id, account_id, owner_subject, report_type, latitude, longitude, place,
         properties, lifetime_ms, created_at, updated_at, expires_at, sweep_at, last_request)
       SELECT id, 'bench', 'bench', kind, latitude, longitude, place,
         '{"description":"Log adrift off the north jetty"}', 604800000, at, at, 1890000000000,
         1890000000000, id
       FROM unnest($1::uuid[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::bigint[])
         AS row (id, kind, latitude, longitude, place, at)`,
      (['id', 'kind', 'latitude', 'longitude', 'place', 'at'] as const).map(column),
    );
  }
  await owner.query('VACUUM ANALYZE user_report');
}

interface BoxToList {
  readonly name: string;
  readonly box: Box;
  readonly kinds?: readonly ReportKind[];
  /** Only reports created before this time, epoch milliseconds. */
  readonly before?: number;
}

const box = (west: number, south: number, east: number, north: number): Box => ({
  west,
  south,
  east,
  north,
});
const WORLD = box(-180, -90, 180, 90);
const OLD_HARBOUR = box(-122.5, 47.5, -122.4, 47.6);

export const BOXES: readonly BoxToList[] = [
  { name: 'the whole world', box: WORLD },
  {
    name: 'the whole world, before the middle of the time span',
    box: WORLD,
    before: FIRST + SPAN_MS / 2,
  },
  { name: 'the whole world, the rarest kind', box: WORLD, kinds: ['wildlife'] },
  { name: 'half the world, across 180°', box: box(90, -60, -90, 60) },
  { name: 'an ocean', box: box(-60, 10, -10, 60) },
  { name: 'the busy harbour', box: box(-122.35, 47.5, -122.25, 47.6) },
  { name: 'a corner of the busy harbour', box: box(-122.34, 47.51, -122.33, 47.52) },
  { name: 'the old harbour', box: OLD_HARBOUR },
  { name: 'the old harbour, the rarest kind', box: OLD_HARBOUR, kinds: ['wildlife'] },
  { name: 'a pier among old reports', box: box(-122.4501, 47.5499, -122.45, 47.55) },
  { name: 'water between the two harbours', box: box(-122.4, 47.5, -122.35, 47.6) },
  {
    name: 'a small box at 0, 0, where the space-filling curve jumps',
    box: box(-0.5, -0.5, 0.5, 0.5),
  },
  { name: 'a strip round the world', box: box(-180, -0.1, 180, 0.1) },
  { name: 'open sea with few reports', box: box(-30, 40, -28, 42) },
  { name: 'north of all reports', box: box(0, 85, 10, 86) },
];
