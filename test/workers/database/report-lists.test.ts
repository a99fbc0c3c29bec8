// Lists of reports that are always empty.

import { expect, test } from 'vitest';
import type { ReportQuery } from '../../../shared/contract/report-list.ts';
import { listReports } from '../../../workers/service/db/report-lists.ts';
import type { Env } from '../../../workers/service/runtime/env.ts';

/** An environment that refuses each use of its database. */
const WITHOUT_DATABASE: Env = { TILES: {} as never };
const QUERY: ReportQuery = {
  bbox: { west: -180, south: -90, east: 180, north: 90 },
  kind: ['hazard'],
  since: 1_800_000_000_000,
  cursor: undefined,
  limit: 500,
  includeDeleted: false,
  format: 'json',
};
const cursorAt = (createdAt: number) => ({
  createdAt,
  id: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
});

test('a list between a cursor and a later time is empty, and the database is not queried', async () => {
  const list = (query: Partial<ReportQuery>) =>
    listReports(WITHOUT_DATABASE, { ...QUERY, ...query }, 0);
  expect(await list({ cursor: cursorAt(QUERY.since - 1) })).toEqual([]);
  expect(await list({ since: 999_999_999_999_999 })).toEqual([]);
  const refused = { code: 'database_unavailable' };
  await expect(list({ cursor: cursorAt(QUERY.since) })).rejects.toMatchObject(refused);
  await expect(list({})).rejects.toMatchObject(refused);
});
