// Kills each part of the self-hosted service during writes: each part restarts automatically, and no
// acknowledged write is lost.

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { childrenOf, isRunning } from '../../support/processes.ts';
import {
  type Dist,
  discard,
  type LogLine,
  makeData,
  makeDist,
  type SelfHosted,
  startSelfHosted,
} from '../../support/self-hosted.ts';
import { BATHYMETRY, START, voyage } from '../../support/soundings.ts';

const data = makeData();
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
const REPORTS = '/api/v1/user-reports';
let dist: Dist;
let service: SelfHosted;
let token: string;
beforeAll(async () => {
  dist = await makeDist();
  service = await startSelfHosted({
    dist,
    data,
    charts: inject('demoCharts'),
    environment: { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0' },
  });
  token = await service.token();
});
afterAll(async () => {
  await discard(service, data);
  dist?.remove();
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(service.address + path, { ...init, headers: { authorization: `Bearer ${token}` } });

/**
 * @returns the report ID if it was acknowledged, the status of a refusal, or `undefined` without a
 * response
 */
async function report(): Promise<{ readonly id: string; readonly status: number | undefined }> {
  const id = randomUUID();
  const body = JSON.stringify({
    id,
    reportType: 'hazard',
    position: { latitude: -30, longitude: -20 },
  });
  const status = await ask(REPORTS, { method: 'POST', body }).then(
    (answer) => answer.status,
    () => undefined,
  );
  return { id, status };
}

/** The status after the database has recovered: if one session crashes, all sessions end. */
async function settled(ask: () => Promise<number | undefined>): Promise<number | undefined> {
  const deadline = Date.now() + 30_000;
  let status = await ask();
  while ((status === 503 || status === undefined) && Date.now() < deadline) status = await ask();
  return status;
}

const statusOf = (path: string) => settled(async () => (await ask(path)).status);

const pidOf = (part: string) =>
  service
    .log()
    .filter((line) => line.part === part && line.state === 'up')
    .at(-1)?.pid as number;
const PARTS = ['runtime', 'heavy work', 'postgres'];
const isReady = (line: LogLine) => line.kind === 'service' && line.state === 'ready';
const isUp = (part: string) => (line: LogLine) => line.part === part && line.state === 'up';

/** The only child of the keeper. */
const supervisor = () => childrenOf(service.child.pid as number)[0] as number;
const backend = () => childrenOf(pidOf('postgres')).at(-1) as number;

/** The folder with the configuration of the runtime. */
const scratchFolder = () =>
  JSON.parse(readFileSync(join(data, 'serving.json'), 'utf8')).scratch as string;
const scratches = new Set<string>();

describe('kill -9', () => {
  const acknowledged: string[] = [];

  test.each<readonly [part: string, pid: () => number, isBack: (line: LogLine) => boolean]>([
    ['the runtime', () => pidOf('runtime'), isUp('runtime')],
    ['the database’s first process', () => pidOf('postgres'), isUp('postgres')],
    ['the supervisor', supervisor, isReady],
    ['the runtime a second time', () => pidOf('runtime'), isUp('runtime')],
  ])(
    'of %s: it restarts automatically, and refusals in the meantime are accurate',
    async (_, pid, isBack) => {
      const from = service.lines.length;
      let isOver = false;
      const statuses: (number | undefined)[] = [];
      const writer = async () => {
        while (!isOver) {
          const { id, status } = await report();
          statuses.push(status);
          if (status === 201) acknowledged.push(id);
          else if (status !== 503 && status !== undefined) throw new Error(`It was ${status}.`);
        }
      };
      const writers = [writer(), writer(), writer()];
      while (statuses.length < 10) await Promise.race([...writers, report()]);
      scratches.add(scratchFolder());
      process.kill(pid(), 'SIGKILL');
      await service.said(isBack, from);
      // Until a request succeeds again.
      const after = statuses.length;
      while (!statuses.slice(after).includes(201)) {
        await Promise.race([...writers, ask('/healthz').catch(() => undefined)]);
      }
      isOver = true;
      await Promise.all(writers);
      expect((await ask(TILE)).status).toBe(200);
    },
  );

  test('of one of the database sessions: all requests succeed', async () => {
    process.kill(backend(), 'SIGKILL');
    let status: number | undefined;
    for (let i = 0; i < 1000 && status !== 201; i++) ({ status } = await report());
    expect((await ask(TILE)).status).toBe(200);
  });

  test('of the process for heavy work: tiles are served, and soundings are refused or stored', async () => {
    const track = `boat ${randomUUID()}`;
    const statuses: number[] = [];
    const upload = async () => {
      const body = JSON.stringify({
        platform: { uniqueId: track },
        soundings: voyage(50, 1, 1000, START + 100_000 * statuses.length),
      });
      const { status } = await ask(BATHYMETRY, { method: 'POST', body });
      statuses.push(status);
      return status;
    };
    const tiles: number[] = [];
    let isOver = false;
    const reader = (async () => {
      while (!isOver) tiles.push((await ask(TILE)).status);
    })();
    try {
      expect(await settled(upload)).toBe(201);
      const from = service.lines.length;
      process.kill(pidOf('heavy work'), 'SIGKILL');
      expect(await settled(upload)).toBe(201);
      await service.said(isUp('heavy work'), from);
    } finally {
      isOver = true;
      await reader;
    }
    expect(statuses.filter((status) => status !== 503 && status !== 201)).toEqual([]);
    expect(new Set(tiles)).toEqual(new Set([200]));
  });

  test('loses no acknowledged write', async () => {
    expect(acknowledged.length).toBeGreaterThan(40);
    const found = [];
    for (const id of acknowledged) found.push(await statusOf(`${REPORTS}/${id}`));
    expect(found.filter((status) => status !== 200)).toEqual([]);
  });

  test('is counted, and leaves no files behind', async () => {
    const alive = service
      .log()
      .flatMap((line) => (line.kind === 'part' && line.state === 'up' ? [line.pid as number] : []))
      .filter((pid) => isRunning(pid));
    expect(new Set(alive)).toEqual(new Set(PARTS.map(pidOf)));
    const postmaster = readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8');
    expect(Number(postmaster.split('\n')[0])).toBe(pidOf('postgres'));
    // The killed supervisor had a different folder for its runtime than its successor.
    expect(scratches.size).toBe(2);
    const left = [...scratches].filter((folder) => existsSync(folder));
    expect(left).toEqual([scratchFolder()]);
  });

  test('of all processes at once, like a power failure: a new start has all data', async () => {
    let id = '';
    const status = await settled(async () => {
      const made = await report();
      id = made.id;
      return made.status;
    });
    expect(status).toBe(201);
    const all = [service.child.pid as number, supervisor(), ...PARTS.map(pidOf)];
    const sessions = childrenOf(pidOf('postgres'));
    for (const pid of [...all, ...sessions]) process.kill(pid, 'SIGKILL');
    service = await startSelfHosted({ dist, data });
    expect(await statusOf(`${REPORTS}/${id}`)).toBe(200);
    expect((await ask(TILE)).status).toBe(200);
  });
});
