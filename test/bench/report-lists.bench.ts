// Reads lists of reports in boxes, and report tiles, from a database with a million reports. The boxes differ in
// size, number and age of their reports. Times are CPU times of the database's process, from `/proc/PID/schedstat`.
// The time to encode a tile is CPU time of this process. Each tile is compared with the list of the same box.

import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { boxOfTile } from '../../shared/contract/report-tiles.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { type Box, keyRangesOf } from '../../shared/reports/place.ts';
import { REPORT_KINDS, type ReportKind } from '../../shared/reports/report.ts';
import { CLUSTER_GRID, CLUSTERS_BELOW_ZOOM, encodeReportTile } from '../../shared/reports/tile.ts';
import { newPassword } from '../../workers/host/database/worker-login.ts';
import { type AnswerRow, reportOf } from '../../workers/service/db/report-rows.ts';
import { prepare, startThrowawayServer, urlOf } from '../support/template-server.ts';
import { goalLines } from './goals.ts';
import { BOXES, fillWithReports } from './many-reports.ts';

const REPORTS = 1_000_000;
const GOAL_MS = 20;
const TILE_GOAL_MS = 30;
const ROUNDS = 12;

export async function run(): Promise<void> {
  const password = newPassword();
  const server = await startThrowawayServer(password);
  try {
    await prepare(server.port, password, 'leadline');
    const owner = new Client({ connectionString: urlOf(server.port, password, 'leadline') });
    await owner.connect();
    await fillWithReports(owner, REPORTS);
    await owner.query('ANALYZE user_report');
    const { rows } = await owner.query('SELECT pg_backend_pid() AS pid');
    const pid = rows[0].pid as number;
    await timeLists(owner, pid);
    await timeTiles(owner, pid);
    await owner.end();
  } finally {
    await server.stop();
  }
}

async function timeLists(owner: Client, pid: number): Promise<void> {
  for (const { name, box, kinds = REPORT_KINDS, before = FUTURE } of BOXES) {
    const values = [...selectionOf(box, kinds), ...pageOf(before)];
    const { text } = await time(owner, pid, LIST, values);
    console.log(`${name.padEnd(52)} ${text} (goal: ${GOAL_MS})`);
  }
}

const TILES = [
  [-122.3, 47.55, 0],
  [-122.3, 47.55, 4],
  [-122.3, 47.55, 8],
  [-122.3, 47.55, 9],
  [-122.45, 47.55, 12],
  [-30, 40, 2],
  [179.9, 0, 5],
] as const;

async function timeTiles(owner: Client, pid: number): Promise<void> {
  const tiles: { readonly name: string; readonly ms: number }[] = [];
  let [tilesMs, listsMs] = [0, 0];
  for (const [longitude, latitude, z] of TILES) {
    const [x, y] = [mercatorX(longitude), mercatorY(latitude)].map((at) => Math.floor(at * 2 ** z));
    const tile = { z, x: x!, y: y! };
    const selection = selectionOf(boxOfTile(tile), REPORT_KINDS);
    const list = await time(owner, pid, LIST, [...selection, ...pageOf(FUTURE)]);
    const isClustered = z < CLUSTERS_BELOW_ZOOM;
    const read = isClustered
      ? await time(owner, pid, CLUSTERS, [...selection, z, x, y, CLUSTER_GRID, 1000])
      : list;
    const encodingMs = timeEncoding(isClustered ? [] : read.rows, tile);
    const ms = read.ms + encodingMs;
    tiles.push({ name: `${z}/${x}/${y}`, ms });
    tilesMs += ms;
    listsMs += list.ms;
    console.log(
      `tile ${`${z}/${x}/${y}`.padEnd(47)} ${read.text}, encoded in ${encodingMs.toFixed(1)} ms; list p50 ${list.ms.toFixed(1)} ms`,
    );
  }
  const slowest = tiles.reduce((a, b) => (b.ms > a.ms ? b : a));
  const cause = `tile ${slowest.name}`;
  const goal = { name: 'processor time of a tile', reached: slowest.ms, cause };
  for (const line of goalLines([{ ...goal, most: TILE_GOAL_MS, unit: 'ms' }])) console.log(line);
  console.log(`tiles take ${(tilesMs / listsMs).toFixed(2)} times the processor time of lists`);
}

function timeEncoding(rows: readonly AnswerRow[], tile: TileId): number {
  const reports = rows.map(reportOf);
  const started = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++)
    encodeReportTile({ reports, clusters: [], isComplete: true }, tile, () => false);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / ROUNDS;
}

const LIST = 'SELECT * FROM list_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)';
const CLUSTERS =
  'SELECT number, (answer).* FROM cluster_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)';
const NOW = 1_795_000_000_000;
const FUTURE = 4_000_000_000_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The arguments that select the first 501 reports created since the epoch and before a time. */
const pageOf = (before: number): readonly unknown[] => [0, before, LAST_ID, 501, false];

/** The arguments that select the active reports in a box. */
function selectionOf(box: Box, kinds: readonly ReportKind[]): readonly unknown[] {
  const keyRanges = keyRangesOf(box, kinds);
  return [
    NOW,
    keyRanges.map(({ low }) => low),
    keyRanges.map(({ high }) => high),
    keyRanges.map(({ west }) => west),
    keyRanges.map(({ east }) => east),
    kinds,
    box.south,
    box.north,
  ];
}

interface Timed {
  readonly ms: number;
  readonly rows: readonly AnswerRow[];
  readonly text: string;
}

async function time(
  owner: Client,
  pid: number,
  statement: string,
  values: readonly unknown[],
): Promise<Timed> {
  const times: number[] = [];
  let rows: readonly AnswerRow[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = cpuMs(pid);
    rows = (await owner.query<AnswerRow>(statement, [...values])).rows;
    times.push(cpuMs(pid) - started);
  }
  times.sort((a, b) => a - b);
  const ms = times[ROUNDS >> 1]!;
  const text = `${String(rows.length).padStart(3)} rows, p50 ${ms.toFixed(1)} ms, max ${times.at(-1)!.toFixed(1)} ms of ${ROUNDS} runs`;
  return { ms, rows, text };
}

/** CPU time that a process of this machine has used, in milliseconds. */
const cpuMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
