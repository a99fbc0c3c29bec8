// Lists and tiles of reports in the database. Each request calls one statement.

import type { Cursor, ReportFilter, ReportQuery } from '../../../shared/contract/report-list.ts';
import type { PageQuery } from '../../../shared/contract/report-pages.ts';
import { boxOfTile } from '../../../shared/contract/report-tiles.ts';
import type { TileId } from '../../../shared/geo/tile.ts';
import { keyRangesOf } from '../../../shared/reports/place.ts';
import { type Party, REPORT_KINDS, type Report } from '../../../shared/reports/report.ts';
import {
  CLUSTER_GRID,
  CLUSTERS_BELOW_ZOOM,
  type ReportTile,
} from '../../../shared/reports/tile.ts';
import type { Env } from '../runtime/env.ts';
import { readDatabase } from './ask-database.ts';
import { type AnswerRow, askReports, reportOf } from './report-rows.ts';

/** A cursor before the newest report. */
const FROM_THE_NEWEST: Cursor = {
  createdAt: 4_000_000_000_000,
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** Reports in a box, newest first; one more than the limit if there are more. */
export async function listReports(
  env: Env,
  { cursor, limit, includeDeleted, ...filter }: Omit<ReportQuery, 'format'>,
  nowMs: number,
): Promise<Report[]> {
  const { createdAt, id } = cursor ?? FROM_THE_NEWEST;
  // The result is empty; the index would scan everything between the two times.
  if (createdAt < filter.since) return [];
  const rows = await readDatabase(env, (database) =>
    askReports<AnswerRow>(
      database,
      'SELECT * FROM list_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
      [nowMs, ...valuesOf(filter), createdAt, id, limit + 1, includeDeleted],
    ),
  );
  return rows.map(reportOf);
}

/** The arguments that select reports by place, kind and time. */
function valuesOf({ bbox: box, kind: kinds, since }: ReportFilter): readonly unknown[] {
  const stretches = keyRangesOf(box, kinds);
  return [
    stretches.map(({ low }) => low),
    stretches.map(({ high }) => high),
    stretches.map(({ west }) => west),
    stretches.map(({ east }) => east),
    kinds,
    box.south,
    box.north,
    since,
  ];
}

/** Whose deleted reports are listed. */
export type DeletedOf = 'none' | 'own' | 'all';

export interface ReportsPage {
  readonly reports: readonly Report[];
  /** Number of reports in all pages, at most MAX_TOTAL. */
  readonly total: number;
}

// Both functions read the snapshot of the statement. A page beyond the last report has one row.
const PAGE = `WITH counted AS (
  SELECT count_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS total
)
SELECT counted.total, page.* FROM counted LEFT JOIN LATERAL page_reports(
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
  $14, CASE WHEN counted.total > $14 THEN $15 ELSE 0 END
) AS page ON true`;

/** A page by offset, newest first. */
export async function pageReports(
  env: Env,
  { includeExpired, offset, limit, ...filter }: PageQuery,
  deletedOf: DeletedOf,
  { account, subject }: Party,
  nowMs: number,
): Promise<ReportsPage> {
  const selection = [nowMs, ...valuesOf(filter), includeExpired, deletedOf, account, subject];
  const rows = await readDatabase(env, (database) =>
    askReports<AnswerRow & { readonly total: string }>(database, PAGE, [
      ...selection,
      offset,
      limit,
    ]),
  );
  const reports = rows.filter(({ id }) => id !== null).map(reportOf);
  return { reports, total: Number(rows[0]!.total) };
}

/** Limits of a tile, which the database reads in 30 ms if the table has a million reports. */
const MAX_TILE_REPORTS = 500;
const MAX_CLUSTERED = 1000;

/** The active reports of a tile, in clusters at low zooms. */
export async function readReportTile(env: Env, tile: TileId, nowMs: number): Promise<ReportTile> {
  const filter = { bbox: boxOfTile(tile), kind: REPORT_KINDS, since: 0 };
  if (tile.z < CLUSTERS_BELOW_ZOOM) return clusterReports(env, tile, filter, nowMs);
  const limit = MAX_TILE_REPORTS;
  const query = { ...filter, cursor: undefined, limit, includeDeleted: false } as const;
  const found = await listReports(env, query, nowMs);
  return {
    reports: found.slice(0, limit),
    clusters: [],
    isComplete: found.length <= limit,
  };
}

/** A cluster; the columns of a report are null unless it is alone. */
interface ClusterRow extends AnswerRow {
  readonly number: string;
  readonly hazards: string;
  readonly u: number;
  readonly v: number;
  readonly is_cut: boolean;
}

async function clusterReports(
  env: Env,
  { z, x, y }: TileId,
  filter: ReportFilter,
  nowMs: number,
): Promise<ReportTile> {
  // Without `since`, the last of these arguments.
  const selection = [nowMs, ...valuesOf(filter).slice(0, -1)];
  const rows = await readDatabase(env, (database) =>
    askReports<ClusterRow>(
      database,
      'SELECT number, hazards, u, v, is_cut, (answer).* FROM cluster_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
      [...selection, z, x, y, CLUSTER_GRID, MAX_CLUSTERED],
    ),
  );
  return {
    reports: rows.filter(({ number }) => number === '1').map(reportOf),
    clusters: rows
      .filter(({ number }) => number !== '1')
      .map(({ number, hazards, u, v }) => ({
        count: Number(number),
        hazards: Number(hazards),
        u,
        v,
      })),
    isComplete: rows[0]?.is_cut !== true,
  };
}
