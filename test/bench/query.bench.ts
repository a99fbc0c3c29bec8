// CPU time and bucket reads of feature queries in the densest cell and in the open sea. Compared with the
// same queries of `ogr2ogr -spat` on the cell and of PostGIS with a GiST index.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findCells, loadCell } from '../../tiles-build/exchange-set/exchange-set.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { goalLines } from './goals.ts';
import { type Asked, type NodeApp, openNodeApp } from './node-app.ts';
import { type PlaceQuestion, postgisBinaries, timePostgis } from './postgis.ts';
import { hasTool, timed } from './timed-process.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const DATA = process.env['LEADLINE_ENC_DIR'] ?? resolve(REPOSITORY, '../shared/data');
const SEED = 20_261_124;
const QUESTIONS = 60;
const RADII = [50, 500, 5000];
const GDAL_ROUNDS = 3;
const DENSEST_ROUNDS = 9;
const GOAL_COLD_MS = 35;
/** At a position without earlier queries. */
const GOAL_READS = 2;

/** West, south, east, north: the whole densest cell, and the sea off Oregon. */
const PLACES = [
  { name: 'densest cell', cell: 'US5WA22M', box: [-122.54, 47.24, -122.366, 47.315], zoom: 15 },
  { name: 'open sea', cell: 'US1WC01M', box: [-133, 40, -128, 46], zoom: 15 },
] as const;

export interface QueryFigures {
  readonly place: string;
  readonly radius: number;
  readonly found: number;
  readonly coldP50: number;
  readonly coldP99: number;
  readonly warmP50: number;
  readonly warmP99: number;
  readonly readsP50: number;
  readonly readsP99: number;
  readonly postgisP50: number | undefined;
  readonly postgisP99: number | undefined;
  readonly gdalMs: number | undefined;
}

/** Runs the bench and prints the result; undefined if the cells are missing. */
export async function run(): Promise<readonly QueryFigures[] | undefined> {
  const enc = join(DATA, 'ENC_ROOT');
  if (!existsSync(enc)) {
    console.log(`skipped: no cells in ${DATA} (set LEADLINE_ENC_DIR)`);
    return undefined;
  }
  const charts = join(REPOSITORY, 'node_modules', '.cache', 'leadline-test', 'query-bench');
  await buildCharts({ enc: [enc], out: charts, jobs: 2 });
  const { cells } = await findCells([enc]);
  const files = await Promise.all(
    cells.filter(({ name }) => PLACES.some(({ cell }) => cell === name)).map(loadCell),
  );
  const cases = PLACES.flatMap((place) =>
    RADII.map((radius) => ({ place, radius, questions: questionsIn(place, radius) })),
  );
  const binaries = postgisBinaries();
  if (binaries === undefined) console.log('PostGIS is not installed');
  const postgis =
    binaries === undefined
      ? undefined
      : timePostgis(
          binaries,
          files,
          cases.flatMap(({ questions }) => questions),
        );
  const checksum = createHash('sha256');
  const app = await openNodeApp(charts);
  await warmUp(app);
  const figures: QueryFigures[] = [];
  console.log(
    `${QUESTIONS} questions a row (seed ${SEED}); CPU milliseconds, median and 99th in 100`,
  );
  for (const [i, { place, radius, questions }] of cases.entries()) {
    // Each query with empty caches, then all of them twice with shared caches.
    const cold: Asked[] = [];
    for (const question of questions) {
      await app.republish();
      cold.push(await ask(app, question, place.zoom));
    }
    await askAll(app, questions, place.zoom);
    const warm = await askAll(app, questions, place.zoom);
    if (warm.some(({ reads }) => reads > 0)) console.log('some data was evicted from the caches');
    for (const { text } of cold) checksum.update(text);
    const theirs = postgis?.slice(i * QUESTIONS, (i + 1) * QUESTIONS);
    const origin = cells.find(({ name }) => name === place.cell)?.base?.origin;
    const made: QueryFigures = {
      place: place.name,
      radius,
      found: at(
        cold.map(({ text }) => JSON.parse(text).results.length as number),
        0.5,
      ),
      coldP50: at(
        cold.map(({ cpuMs }) => cpuMs),
        0.5,
      ),
      coldP99: at(
        cold.map(({ cpuMs }) => cpuMs),
        0.99,
      ),
      warmP50: at(
        warm.map(({ cpuMs }) => cpuMs),
        0.5,
      ),
      warmP99: at(
        warm.map(({ cpuMs }) => cpuMs),
        0.99,
      ),
      readsP50: at(
        cold.map(({ reads }) => reads),
        0.5,
      ),
      readsP99: at(
        cold.map(({ reads }) => reads),
        0.99,
      ),
      postgisP50: theirs && at(theirs, 0.5),
      postgisP99: theirs && at(theirs, 0.99),
      gdalMs: origin === undefined ? undefined : gdalMs(origin, questions[0]!),
    };
    print(made);
    figures.push(made);
  }
  await densest(app);
  // The tokens of the next bench would otherwise be valid only in the future.
  app.close();
  const lines = goalLines(
    figures
      .filter(({ radius }) => radius < RADII.at(-1)!)
      .map(({ place, radius, readsP50 }) => ({
        name: `${place}, ${radius} m, reads in a new place`,
        reached: readsP50,
        most: GOAL_READS,
        unit: 'reads',
        cause:
          'the directory, the buckets near by, and the whole geometries of large areas, which their buckets name',
      })),
  );
  for (const line of lines) console.log(line);
  console.log(`checksum ${checksum.digest('hex').slice(0, 16)}`);
  return figures;
}

function questionsIn({ cell, box }: (typeof PLACES)[number], radius: number): PlaceQuestion[] {
  const random = seededRandom(SEED + radius);
  const [west, south, east, north] = box;
  return Array.from({ length: QUESTIONS }, () => ({
    cell,
    radius,
    longitude: Math.round((west + (east - west) * random()) * 1e6) / 1e6,
    latitude: Math.round((south + (north - south) * random()) * 1e6) / 1e6,
  }));
}

const ask = (app: NodeApp, question: PlaceQuestion, zoom: number): Promise<Asked> => {
  const { longitude, latitude, radius } = question;
  const body = JSON.stringify({ position: { longitude, latitude }, radius, zoom });
  return app.ask('/api/v1/enc_query', body);
};

async function askAll(
  app: NodeApp,
  questions: readonly PlaceQuestion[],
  zoom: number,
): Promise<Asked[]> {
  const answers: Asked[] = [];
  for (const question of questions) answers.push(await ask(app, question, zoom));
  return answers;
}

/** Code runs slowly at first, which is not measured. */
async function warmUp(app: NodeApp): Promise<void> {
  for (const place of PLACES) await askAll(app, questionsIn(place, 900), place.zoom);
}

/** A query of 20 km in the middle of the densest cell: the maximum cost. */
async function densest(app: NodeApp): Promise<void> {
  const { cell } = PLACES[0];
  const question = { cell, longitude: -122.45, latitude: 47.28, radius: 20_000 };
  const colds: Asked[] = [];
  const warm: Asked[] = [];
  for (let i = 0; i < DENSEST_ROUNDS; i++) {
    await app.republish();
    colds.push(await ask(app, question, 15));
    warm.push(await ask(app, question, 15));
  }
  const [cold] = colds as [Asked];
  const msOf = (asked: readonly Asked[]) =>
    at(
      asked.map(({ cpuMs }) => cpuMs),
      0.5,
    );
  const [coldMs, warmMs] = [msOf(colds), msOf(warm)];
  const { truncation } = JSON.parse(cold.text) as { truncation: { found: number } };
  const heap = process.memoryUsage().heapUsed / 2 ** 20;
  console.log(
    `20 km in the densest cell: ${coldMs.toFixed(0)} ms cold, ${warmMs.toFixed(0)} ms again, ` +
      `${truncation.found} found, ${cold.reads} reads, ${(cold.text.length / 1e6).toFixed(1)} MB; ` +
      `heap of the whole bench ${heap.toFixed(0)} MB`,
  );
  const [line] = goalLines([
    {
      name: '20 km in the densest cell, cold',
      reached: coldMs,
      most: GOAL_COLD_MS,
      unit: 'ms',
      cause: `reading, unpacking and opening buckets takes ${(coldMs - warmMs).toFixed(0)} ms, finding and writing ${warmMs.toFixed(0)} ms`,
    },
  ]);
  console.log(line);
}

/** The processor time of one ogr2ogr process, including its start and reading the cell. */
function gdalMs(cell: string, { longitude, latitude, radius }: PlaceQuestion): number | undefined {
  if (!hasTool('ogr2ogr')) return undefined;
  const high = radius / 111_000;
  const wide = high / Math.cos((latitude * Math.PI) / 180);
  const box = [longitude - wide, latitude - high, longitude + wide, latitude + high].map(String);
  const out = '/vsimem/found';
  const command = ['ogr2ogr', '-f', 'Memory', '-spat', ...box, out, cell];
  const rounds = Array.from({ length: GDAL_ROUNDS }, () => timed(command, 1).cpuSeconds * 1000);
  return Math.min(...rounds);
}

function print(figures: QueryFigures): void {
  const { place, radius, found, coldP50, coldP99, warmP50, warmP99 } = figures;
  const pair = (a: number, b: number) => `${a.toFixed(2)} / ${b.toFixed(2)}`;
  const { postgisP50, postgisP99, gdalMs: gdal } = figures;
  const theirs =
    postgisP50 === undefined || postgisP99 === undefined
      ? ''
      : `, PostGIS ${pair(postgisP50, postgisP99)} (ours is ${(warmP50 / postgisP50).toFixed(2)} of it; goal: 1)`;
  console.log(
    `${place}, ${radius} m (${found} found): warm ${pair(warmP50, warmP99)}, ` +
      `cold ${pair(coldP50, coldP99)} with ${figures.readsP50} reads (99th in 100: ${figures.readsP99}, directories 1 of them)${theirs}` +
      `${gdal === undefined ? '' : `, ogr2ogr -spat ${gdal.toFixed(0)}`}`,
  );
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)]!;
}
