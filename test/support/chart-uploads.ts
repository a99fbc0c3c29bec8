// Uploads of charts to a service, and the end of their jobs.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import type { ChartJob, ChartUpload } from '../../shared/contract/charts.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { keptThread } from './build-threads.ts';
import { withFolderLock } from './folder-lock.ts';
import { type Dist, makeData, type SelfHosted, startSelfHosted } from './self-hosted.ts';
import { latticeOf, writeSmallBackground, writeSmallCells } from './small-cells.ts';

/** Seconds that a job may take on a busy machine. */
const LIMIT_S = 240;

export interface UploadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ChartAccount {
  ask(path: string, init?: RequestInit): Promise<Response>;
  upload(...files: UploadFile[]): Promise<ChartUpload>;
  /** A job when it has ended. */
  endOf(job: string): Promise<ChartJob>;
  /** The job of an upload when it has ended. */
  jobOf(upload: ChartUpload): Promise<ChartJob>;
  /** Upload files and wait for the end of the job. */
  process(...files: UploadFile[]): Promise<{ upload: ChartUpload; job: ChartJob }>;
  /** Delete an upload and wait until it is gone. */
  remove(upload: ChartUpload): Promise<void>;
  readUpload(id: string): Promise<ChartUpload>;
}

/** @param token with the scope `charts:write` */
export function chartAccount(address: string, token: string): ChartAccount {
  const headers = { authorization: `Bearer ${token}` };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(address + path, { ...init, headers: { ...headers, ...init.headers } });
  const json = async <T>(path: string): Promise<T> => {
    const answer = await ask(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const readUpload = async (id: string) =>
    (await json<{ upload: ChartUpload }>(`/api/portal/v1/charts/uploads/${id}`)).upload;
  /** @throws Error after the limit, with the last failed request or what was awaited as cause */
  const until = async <T>(
    look: (state: { last?: unknown }) => Promise<T | undefined>,
  ): Promise<T> => {
    const end = Date.now() + LIMIT_S * 1000;
    const state: { last?: unknown } = {};
    while (Date.now() < end) {
      // The service may be restarting.
      const found = await look(state).catch((error: unknown) => {
        state.last = error;
        return undefined;
      });
      if (found !== undefined) return found;
      await pause(200);
    }
    const last = state.last instanceof Error ? state.last.message : JSON.stringify(state.last);
    throw new Error(`Nothing happened within ${LIMIT_S} seconds. The last answer: ${last}`);
  };
  const account: ChartAccount = {
    ask,
    readUpload,
    upload: async (...files) => {
      const body = new FormData();
      for (const { name, bytes } of files) {
        body.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
      }
      const answer = await ask('/api/portal/v1/charts/upload', { method: 'POST', body });
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { upload: ChartUpload }).upload;
    },
    endOf: (id) =>
      until(async (state) => {
        const job = await json<ChartJob>(`/api/portal/v1/jobs/${id}`);
        state.last = job;
        return ['pending', 'processing'].includes(job.jobState) ? undefined : job;
      }),
    jobOf: async ({ id }) =>
      account.endOf(await until(async () => (await readUpload(id)).jobId ?? undefined)),
    process: async (...files) => {
      const { id } = await account.upload(...files);
      const job = await account.jobOf({ id } as ChartUpload);
      return { upload: await readUpload(id), job };
    },
    remove: async ({ id }) => {
      const answer = await ask(`/api/portal/v1/charts/uploads/${id}`, { method: 'DELETE' });
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      await until(async () => {
        const { status } = await ask(`/api/portal/v1/charts/uploads/${id}`);
        return status === 404 ? true : undefined;
      });
    },
  };
  return account;
}

/** Folders of small public cells near 40° N, 20° E, their background and charts, made once in a run. */
export async function smallCharts() {
  const root = join(inject('runFolder'), 'small-charts');
  const [enc, background, charts] = ['enc', 'background', 'charts'].map((name) =>
    join(root, name),
  ) as [string, string, string];
  await withFolderLock(`${root}-lock`, async () => {
    if (existsSync(join(charts, 'manifest.json'))) return;
    mkdirSync(root, { recursive: true });
    writeSmallCells(enc, latticeOf(2, 1, [20, 40]));
    writeSmallBackground(background, [20, 40]);
    await buildCharts({ enc: [enc], background, out: charts, jobs: 1, pool: keptThread() });
  });
  return { enc, background, charts };
}

/** Starts a service with a worker and small public charts, whose jobs take seconds. */
export async function startUploadService(
  dist: Dist,
  environment: Readonly<Record<string, string>> = {},
  data = makeData(),
): Promise<SelfHosted> {
  const { enc, background, charts } = await smallCharts();
  const sources = { LEADLINE_CELLS: enc, LEADLINE_BACKGROUND: background };
  return startSelfHosted({
    ...{ dist, data, charts },
    environment: { CHART_WORKER: 'on', ...sources, ...environment },
  });
}
