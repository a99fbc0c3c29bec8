// Sends 50,000 soundings through the Worker, compared with the same statement sent to the same PostgreSQL
// by `pg`. Also sends requests with one sounding each, as a logger does during a trip.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { v7 as uuidV7 } from 'uuid';
import { pointSizes } from '../../shared/bathymetry/canonical-points.ts';
import { packSoundings } from '../../shared/bathymetry/packed-points.ts';
import { boundsOfSoundings, type Soundings } from '../../shared/bathymetry/soundings.ts';
import { firstGap, runningSizes, splitTracks } from '../../shared/bathymetry/split-tracks.ts';
import { BathymetryReader } from '../../shared/contract/bathymetry.ts';
import { startLocalDatabase } from '../../workers/host/database/local-database.ts';
import { parseJson, textOf } from '../../workers/service/http/read-json.ts';
import { type Service, startService } from '../support/service.ts';
import { sendSoundings, voyage } from '../support/soundings.ts';
import { benchCharts } from './bench-charts.ts';

const SEED = 20_261_126;
const COUNT = 50_000;
const ROUNDS = 7;
const SINGLES = 300;
const GOAL_MS = 1000;
const LIMITS = { gapMs: 300_000, maxBytes: 262_144 };

export async function run(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-bathymetry-'));
  const { demo } = await benchCharts();
  const database = await startLocalDatabase(scratch);
  const service = await startService({ isDirect: true, charts: demo, database: database.bindings });
  const client = new Client({ connectionString: database.bindings.DATABASE_URL });
  try {
    await client.connect();
    await measure('one voyage', 1000, service, client);
    await measure('a track for each', LIMITS.gapMs + 1, service, client);
    await measureSingles(service, client);
  } finally {
    await client.end();
    await service.stop();
    await database.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measure(name: string, everyMs: number, service: Service, client: Client) {
  const soundings = voyage(COUNT, SEED, everyMs, 1_000_000);
  const taken: number[] = [];
  const direct: number[] = [];
  let tracks = 0;
  let text = '';
  for (let round = -1; round < ROUNDS; round++) {
    // A new platform each time, so that nothing is appended to the tracks of an earlier round.
    text = JSON.stringify({ soundings, platform: { uniqueId: `${name} ${round}` } });
    const before = performance.now();
    const sent = await sendSoundings(service, text);
    const ms = performance.now() - before;
    if (sent.status !== 201 && sent.status !== 503) throw new Error(`${sent.status}`);
    const values = statementOf(columnsOf(text), `direct ${name} ${round}`);
    const asked = performance.now();
    await client.query(STATEMENT, values);
    const directMs = performance.now() - asked;
    tracks = sent.body.tracks?.length ?? tracks;
    // The first round warms up and does not count.
    if (round < 0) continue;
    direct.push(directMs);
    if (sent.status === 201) taken.push(ms);
  }
  const [all, alone] = [median(taken), median(direct)];
  if (taken.length < ROUNDS) {
    console.log(`${ROUNDS - taken.length} of ${ROUNDS} took longer than the Worker waits`);
  }
  console.log(`${COUNT} soundings, ${name} (${tracks} made, ${(text.length / 1e6).toFixed(1)} MB)`);
  console.log(`  through the Worker  ${all.toFixed(0)} ms, ${range(taken)} (goal ${GOAL_MS} ms)`);
  console.log(`  the statement alone ${alone.toFixed(0)} ms, ${range(direct)}`);
  console.log(`  ratio ${(alone / all).toFixed(2)}`);
  const checksum = createHash('sha256').update(JSON.stringify(soundings)).update(`${tracks}`);
  console.log(`  checksum ${checksum.digest('hex').slice(0, 16)}`);
}

async function measureSingles(service: Service, client: Client) {
  const rate = async (ask: (i: number) => Promise<unknown>) => {
    const before = performance.now();
    for (let i = 0; i < SINGLES; i++) await ask(i);
    return (SINGLES * 1000) / (performance.now() - before);
  };
  const bodyOf = (i: number, uniqueId: string) =>
    JSON.stringify({ soundings: voyage(1, i, 1000, 1e12 + i * 1000), platform: { uniqueId } });
  const rates: [number[], number[]] = [[], []];
  for (let round = -1; round < 3; round++) {
    const through = await rate((i) => sendSoundings(service, bodyOf(i, `single ${round}`)));
    const alone = await rate((i) =>
      client.query(STATEMENT, statementOf(columnsOf(bodyOf(i, '')), `direct single ${round}`)),
    );
    if (round < 0) continue;
    rates[0].push(through);
    rates[1].push(alone);
  }
  const [through, alone] = rates.map(median) as [number, number];
  console.log('one sounding a request, appended to one track, one request at a time');
  console.log(`  through the Worker  ${through.toFixed(0)}/s`);
  console.log(`  the statement alone ${alone.toFixed(0)}/s`);
  console.log(`  ratio ${(through / alone).toFixed(2)} (goal 0.5)`);
}

const STATEMENT = `SELECT * FROM append_tracks('bench', 0, 'tests', 'direct', '', $1, $2, $3::bigint,
  $4, NULL, NULL, NULL, NULL, decode($5, 'base64'), $6::uuid, $7::uuid[], $8::integer[],
  $9::integer[], $10::float8[], $11::float8[], $12::float8[], $13::float8[], $14::integer[],
  $15::float8[], ${LIMITS.gapMs}, ${LIMITS.maxBytes})`;

function columnsOf(text: string): Soundings {
  const limits = {
    maxSoundings: COUNT,
    minDepthMeters: -20,
    maxDepthMeters: 12_000,
    earliestTime: 0,
    latestTime: 8e15,
  };
  const reader = new BathymetryReader(limits, parseJson, textOf);
  reader.push(Buffer.from(text));
  const read = reader.end();
  if (read.kind !== 'sound') throw new Error('The soundings are not sound.');
  return read.soundings;
}

/** The statements that the Worker would send, prepared before the measurement. */
function statementOf(soundings: Soundings, platform: string): unknown[] {
  const sizes = pointSizes(soundings);
  const cuts = splitTracks(soundings.times, sizes, LIMITS);
  const first = firstGap(soundings.times, LIMITS.gapMs);
  const boxes = cuts.map(({ from, to }) => boundsOfSoundings(soundings, from, to));
  return [
    `bench ${uuidV7()}`,
    '0'.repeat(64),
    Date.now(),
    platform,
    Buffer.from(packSoundings(soundings)).toString('base64'),
    uuidV7(),
    cuts.map(() => uuidV7()),
    cuts.map(({ to }) => to),
    cuts.map(({ bytes }) => bytes),
    ...[0, 1, 2, 3].map((side) => boxes.map((box) => box[side])),
    [...runningSizes(sizes, first)],
    boundsOfSoundings(soundings, 0, first),
  ];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

const range = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)} ms`;
