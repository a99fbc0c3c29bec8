// The worker, the runtime and the database are killed at random moments of a job: it continues, its build is
// byte-identical, and the charts are those before the job or those after it at any time.

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChartUpload } from '../../../shared/contract/charts.ts';
import {
  type ChartAccount,
  chartAccount,
  startUploadService,
} from '../../support/chart-uploads.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../../support/self-hosted.ts';
import { writtenBytes } from '../../support/written-chart.ts';

const KILLS = isLong ? 20 : 4;
const SEED = 20_261_126;
const PARTS = ['chart worker', 'postgres', 'chart worker', 'runtime'] as const;
/** The first job cuts all charts, the others take seconds. */
const LONGEST_PAUSE_MS = 3000;
const BOX = [30, 10, 30.05, 10.05] as const;
const TILE = '/api/v2/tiles/data-geojson-v1/14/9557/7734.json';

const harbour = (depth: number) => ({
  name: 'ZZ5ACME1.000',
  bytes: writtenBytes({
    name: 'ZZ5ACME1',
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [
      ['M_COVR', BOX, { CATCOV: 1 }],
      ['DEPARE', BOX, { DRVAL1: depth, DRVAL2: depth + 5 }],
    ],
  }),
});

let dist: Dist;
let service: SelfHosted;
let acme: ChartAccount;
beforeAll(async () => {
  dist = await makeDist();
  service = await startUploadService(dist);
  acme = chartAccount(service.address, await service.token({ account: 'acme' }));
});
afterAll(async () => {
  if (service !== undefined) await discard(service, service.data);
  dist?.remove();
});

const tile = async (): Promise<string | undefined> => {
  const answer = await acme.ask(TILE).catch(() => undefined);
  return answer?.ok ? answer.text() : undefined;
};

/** The process that runs a part now. */
function pidOf(part: string): number | undefined {
  const up = service.log().filter((line) => line.part === part && line.state === 'up');
  return up.at(-1)?.pid;
}

function kill(part: string): void {
  const pid = pidOf(part);
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It is restarting.
  }
}

test(`a job whose processes are killed ${KILLS} times gives the build of an undisturbed job`, async () => {
  const random = seededRandom(SEED);
  const before = await tile();
  // Undisturbed, to know the build.
  const first = await acme.process(harbour(10));
  expect(first.job.jobState).toBe('succeeded');
  await expect.poll(tile, { interval: 500 }).not.toBe(before);
  const after = await tile();
  await acme.remove(first.upload);
  await expect.poll(tile, { interval: 500 }).toBe(before);

  const upload: ChartUpload = await acme.upload(harbour(10));
  const seen = new Set<string | undefined>();
  for (let i = 0; i < KILLS; i++) {
    await pause(random() * LONGEST_PAUSE_MS);
    kill(PARTS[i % PARTS.length] as string);
    seen.add(await tile());
  }
  const job = await acme.jobOf(upload);
  expect([job.jobState, job.result?.buildId]).toEqual(['succeeded', first.job.result?.buildId]);
  await expect.poll(tile, { interval: 500 }).toBe(after);
  // Without an answer while a part restarts.
  seen.delete(undefined);
  expect([before, after]).toEqual(expect.arrayContaining([...seen]));
});

test('two uploads of one account are processed one after the other, and both are in the charts', async () => {
  const cell = writtenBytes({
    name: 'ZZ5ACME2',
    usageBand: 5,
    scaleDenominator: 10_000,
    areas: [
      ['M_COVR', [30.1, 10, 30.15, 10.05], { CATCOV: 1 }],
      ['DEPARE', [30.1, 10, 30.15, 10.05], { DRVAL1: 2, DRVAL2: 5 }],
    ],
  });
  const uploads = await Promise.all([
    acme.upload({ name: 'ZZ5ACME2.000', bytes: cell }),
    acme.upload(harbour(10)),
  ]);
  const jobs = await Promise.all(uploads.map((one) => acme.jobOf(one)));
  expect(jobs.map(({ jobState }) => jobState)).toEqual(['succeeded', 'succeeded']);
  const second = async () =>
    (await acme.ask('/api/v2/tiles/data-geojson-v1/14/9561/7734.json')).text();
  await expect.poll(second, { interval: 500 }).toContain('ZZ5ACME2');
  expect(await tile()).toContain('ZZ5ACME1');
});
