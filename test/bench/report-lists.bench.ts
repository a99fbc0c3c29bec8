// A page of a box over a million reports, in the database alone: boxes of every size, crowded and
// empty, new and old. Time is that of the server's process, from the scheduler.

import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { stretchesOf } from '../../shared/reports/place.ts';
import { REPORT_KINDS } from '../../shared/reports/report.ts';
import { newPassword } from '../../workers/host/database/worker-login.ts';
import { prepare, startThrowawayServer, urlOf } from '../support/template-server.ts';
import { BOXES, fillWithReports } from './many-reports.ts';

const REPORTS = 1_000_000;
const GOAL_MS = 20;
const ROUNDS = 12;

export async function run(): Promise<void> {
  const password = newPassword();
  const server = await startThrowawayServer(password);
  try {
    await prepare(server.port, password, 'leadline');
    const owner = new Client({ connectionString: urlOf(server.port, password, 'leadline') });
    await owner.connect();
    await timeLists(owner);
    await owner.end();
  } finally {
    await server.stop();
  }
}

async function timeLists(owner: Client): Promise<void> {
  await fillWithReports(owner, REPORTS);
  await owner.query('ANALYZE user_report');
  const { rows } = await owner.query('SELECT pg_backend_pid() AS pid');
  const pid = rows[0].pid as number;
  for (const { name, box, kinds = REPORT_KINDS, before = 4_000_000_000_000 } of BOXES) {
    const stretches = stretchesOf(box, kinds);
    const values = [
      1_795_000_000_000,
      stretches.map(({ low }) => low),
      stretches.map(({ high }) => high),
      stretches.map(({ west }) => west),
      stretches.map(({ east }) => east),
      kinds,
      box.south,
      box.north,
      0,
      before,
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      501,
      false,
    ];
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const started = cpuMs(pid);
      const { rowCount } = await owner.query(
        'SELECT * FROM list_reports($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
        values,
      );
      times.push(cpuMs(pid) - started);
      found = rowCount ?? 0;
    }
    times.sort((a, b) => a - b);
    console.log(
      `${name.padEnd(46)} ${String(found).padStart(3)} rows, p50 ${times[ROUNDS >> 1]!.toFixed(1)} ms, slowest of ${ROUNDS} ${times.at(-1)!.toFixed(1)} ms (goal: ${GOAL_MS})`,
    );
  }
}

/** Time that a process of this machine has had of its processors. */
const cpuMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
