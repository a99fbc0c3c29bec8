// A page of a box, or a tile, over a million reports, in the database alone: boxes of every size, crowded
// and empty, new and old. Time is that of the process of the server, from the scheduler.

import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { boxOfTile } from '../../shared/contract/report-tiles.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { type Box, stretchesOf } from '../../shared/reports/place.ts';
import { REPORT_KINDS, type ReportKind } from '../../shared/reports/report.ts';
import { CLUSTER_GRID, CLUSTERS_BELOW_ZOOM } from '../../shared/reports/tile.ts';
import { newPassword } from '../../workers/host/database/worker-login.ts';
import { prepare, startThrowawayServer, urlOf } from '../support/template-server.ts';
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
    const values = [...selectionOf(box, kinds), 0, before, LAST_ID, 501, false];
    await time(owner, pid, name, LIST, values, GOAL_MS);
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
  for (const [longitude, latitude, z] of TILES) {
    const [x, y] = [mercatorX(longitude), mercatorY(latitude)].map((at) => Math.floor(at * 2 ** z));
    const tile = { z, x: x!, y: y! };
    const selection = selectionOf(boxOfTile(tile), REPORT_KINDS);
    const name = `tile ${z}/${x}/${y}`;
    if (z < CLUSTERS_BELOW_ZOOM) {
      const values = [...selection, z, x, y, CLUSTER_GRID, 1000];
      await time(owner, pid, name, CLUSTERS, values, TILE_GOAL_MS);
    } else {
      const values = [...selection, 0, FUTURE, LAST_ID, 501, false];
      await time(owner, pid, name, LIST, values, TILE_GOAL_MS);
    }
  }
}

const LIST = 'SELECT * FROM list_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)';
const CLUSTERS =
  'SELECT number, (answer).* FROM cluster_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)';
const FUTURE = 4_000_000_000_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The arguments that select active reports of a box. */
function selectionOf(box: Box, kinds: readonly ReportKind[]): readonly unknown[] {
  const stretches = stretchesOf(box, kinds);
  return [
    1_795_000_000_000,
    stretches.map(({ low }) => low),
    stretches.map(({ high }) => high),
    stretches.map(({ west }) => west),
    stretches.map(({ east }) => east),
    kinds,
    box.south,
    box.north,
  ];
}

async function time(
  owner: Client,
  pid: number,
  name: string,
  statement: string,
  values: readonly unknown[],
  goalMs: number,
): Promise<void> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = cpuMs(pid);
    const { rowCount } = await owner.query(statement, [...values]);
    times.push(cpuMs(pid) - started);
    found = rowCount ?? 0;
  }
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(46)} ${String(found).padStart(3)} rows, p50 ${times[ROUNDS >> 1]!.toFixed(1)} ms, slowest of ${ROUNDS} ${times.at(-1)!.toFixed(1)} ms (goal: ${goalMs})`,
  );
}

/** Time that a process of this machine has had of its processors. */
const cpuMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
