// Tiles during uploads of 50,000 soundings and route requests, compared with tiles alone: the
// self-hosted service with its limits enabled, at a fixed rate, in alternating periods. Both periods also
// have reads, reports and pictures. The latency is measured from the scheduled time. `--long` runs for
// an hour with twelve times as many light requests and measures the memory. Memory grows with the
// requests until the heap of the engine reaches its limit, so only the second half counts.

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../support/processes.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { discard, makeData, type SelfHosted, startSelfHosted } from '../support/self-hosted.ts';
import { BATHYMETRY, voyage } from '../support/soundings.ts';
import { wholeArchive } from '../support/whole-archive.ts';
import { demoCharts, serviceDist } from './bench-charts.ts';
import { someTiles } from './demo-tiles.ts';
import { processorSeconds, residentMegabytes, slopeOf } from './process-figures.ts';
import { quantile } from './quantile.ts';

const SEED = 20_261_123;
const TILES = 240;
const SOUNDINGS = 50_000;
const REPORTS = '/api/v1/user-reports';
/** The processes of the runtime, by their names in the log of the service. */
const PARTS = ['runtime', 'heavy work'];
/** The first part of the hour, in which the caches and the heap fill up. */
const WARM_UP_MS = 1_800_000;

interface Length {
  readonly pairs: number;
  readonly periodMs: number;
  /** The rate of the light requests, as a factor of `streamsOf`. */
  readonly times: number;
  /** The number of accounts. Each stays within its limits of ten routes or uploads a minute. */
  readonly accounts: number;
}
const SHORT: Length = { pairs: 4, periodMs: 12_000, times: 1, accounts: 4 };
const LONG: Length = { pairs: 60, periodMs: 30_000, times: 12, accounts: 16 };

type Period = 'alone' | 'during';

interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly body?: readonly (string | Buffer)[];
}

interface Stream {
  readonly name: string;
  readonly everyMs: number;
  readonly period?: Period;
  readonly next: (token: string) => Ask;
  readonly good: number;
}

/**
 * Runs the bench and prints the result. @throws Error if a response is neither the expected one nor a
 * documented refusal
 */
export async function run({ long }: { readonly long: boolean }): Promise<void> {
  const { demo } = await demoCharts();
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-mixed-'));
  const data = makeData();
  let service: SelfHosted | undefined;
  try {
    const dist = await serviceDist(scratch);
    service = await startSelfHosted({ dist, data, charts: demo });
    const tiles = await someTiles(wholeArchive(demo, 'enc-v2'), TILES, SEED);
    const paths = tiles.map(({ path }) => path);
    await measure(service, paths, long ? LONG : SHORT);
  } finally {
    await discard(service, data);
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measure(service: SelfHosted, paths: readonly string[], length: Length) {
  const tokens = await Promise.all(
    Array.from({ length: length.accounts }, (_, i) =>
      service.token({ account: `account-${i}`, expiresInSeconds: 7200 }),
    ),
  );
  // The rate of heavy requests is limited by the service.
  const streams = streamsOf(paths).map((stream) =>
    stream.period === undefined ? { ...stream, everyMs: stream.everyMs / length.times } : stream,
  );
  const load = new Load(service.port, tokens);
  const pids = PARTS.map((part) => pidOf(service, part));
  const memory: [seconds: number, megabytes: readonly number[]][] = [];
  const processor: Record<Period, number> = { alone: 0, during: 0 };
  const startedAt = performance.now();
  const timer = setInterval(() => {
    if (!pids.every(isRunning)) return;
    memory.push([(performance.now() - startedAt) / 1000, pids.map(residentMegabytes)]);
  }, 1000).unref();
  const ratios: number[] = [];
  for (let pair = -1; pair < length.pairs; pair++) {
    const p99: Partial<Record<Period, number>> = {};
    for (const period of ['alone', 'during'] as const) {
      const before = sum(pids.map(processorSeconds));
      const of = streams.filter((stream) => (stream.period ?? period) === period);
      const taken = await load.keepUp(of, length.periodMs);
      if (!pids.every(isRunning)) throw new Error(`A process ended: ${partsOf(service)}`);
      // The first pair warms up and does not count.
      if (pair < 0) continue;
      processor[period] += sum(pids.map(processorSeconds)) - before;
      load.keep(period, taken);
      p99[period] = quantile(taken, 0.99);
    }
    if (pair >= 0) ratios.push(p99.during! / p99.alone!);
  }
  clearInterval(timer);
  const seconds = (length.pairs * length.periodMs) / 1000;
  console.log(
    `${length.pairs} periods of ${length.periodMs / 1000} s each way; a second: ` +
      streams
        .map(({ name, everyMs }) => `${Number((1000 / everyMs).toFixed(2))} ${name}`)
        .join(', '),
  );
  for (const period of ['alone', 'during'] as const) {
    const taken = load.taken[period];
    console.log(
      `tiles ${period.padEnd(6)} ${taken.length} tiles: p50 ${quantile(taken, 0.5).toFixed(1)} ms, ` +
        `p99 ${quantile(taken, 0.99).toFixed(1)} ms, p99.9 ${quantile(taken, 0.999).toFixed(1)} ms; ` +
        `both processes had ${((100 * processor[period]) / seconds).toFixed(0)} % of a core`,
    );
  }
  const whole = quantile(load.taken.during, 0.99) / quantile(load.taken.alone, 0.99);
  console.log(
    `p99 during uploads and routes compared with alone: ${whole.toFixed(2)}; by pairs of periods ` +
      `${quantile(ratios, 0.5).toFixed(2)}, ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  );
  for (const [name, statuses] of load.statuses) {
    const counts = [...statuses].map(([status, count]) => `${count} × ${status}`);
    console.log(`${name.padEnd(12)} ${counts.join(', ')}`);
  }
  const sixth = Math.ceil(memory.length / 6);
  for (const [i, part] of PARTS.entries()) {
    const own = memory.map(([at, megabytes]) => [at, megabytes[i]!] as const);
    const steps = Array.from({ length: 6 }, (_, step) =>
      Math.max(...own.slice(step * sixth, (step + 1) * sixth).map(([, one]) => one)).toFixed(0),
    );
    const warm = own.filter(([at]) => at * 1000 > WARM_UP_MS);
    const hourly = slopeOf(warm.map(([at, one]) => [at / 3600, one] as const));
    console.log(
      `memory of "${part}", most of each sixth of the time: ${steps.join(', ')} MB` +
        (warm.length > 600
          ? `; after ${WARM_UP_MS / 60_000} minutes it changes by ${hourly.toFixed(1)} MB an hour`
          : ''),
    );
  }
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

/** The latest process ID of a part in the log of the service. */
const pidOf = (service: SelfHosted, name: string): number =>
  service
    .log()
    .filter(({ part, state }) => part === name && state === 'up')
    .at(-1)?.pid as number;

/** The last log lines of the service about its parts. */
const partsOf = (service: SelfHosted): string =>
  service.lines
    .filter((line) => !line.includes('"kind":"request"'))
    .slice(-20)
    .join('\n');

/** The requests, their rates, and their expected responses. */
function streamsOf(paths: readonly string[]): readonly Stream[] {
  const random = seededRandom(SEED);
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const spot = (degrees: number) => {
    const off = () => (random() * 2 - 1) * degrees;
    return { latitude: -30 + off(), longitude: -20 + off() };
  };
  const json = (value: unknown) => [JSON.stringify(value)];
  const soundings = Buffer.from(`"soundings":${JSON.stringify(voyage(SOUNDINGS, SEED))}}`);
  const route = (token: string): Ask => {
    const ends = [spot(0.3), spot(0.3)].map(({ latitude, longitude }) => [latitude, longitude]);
    const body = {
      waypoints: ends,
      vessel: { draft: 2, airDraft: 15 },
      options: { maxSnapDistance: 5000 },
    };
    return {
      method: 'POST',
      path: `/api/v1/routing/route?token=${token}`,
      body: json(body),
    };
  };
  let uploads = 0;
  const upload = (): Ask => ({
    method: 'POST',
    path: BATHYMETRY,
    body: [`{"platform":{"uniqueId":"boat ${uploads++}"},`, soundings],
  });
  const raster = () => one(paths).replace('enc-v2', 'raster-v1').replace('.mvt', '.png');
  return [
    { name: 'tiles', everyMs: 50, good: 200, next: () => ({ path: one(paths) }) },
    { name: 'pictures', everyMs: 10_000, good: 200, next: () => ({ path: raster() }) },
    {
      name: 'styles',
      everyMs: 1000,
      good: 200,
      next: () => ({ path: `/api/v1/styles/base.json?depthLimit=${Math.floor(random() * 9) + 1}` }),
    },
    {
      name: 'questions',
      everyMs: 1000,
      good: 200,
      next: () => ({
        method: 'POST',
        path: '/api/v1/enc_query',
        body: json({ position: spot(0.1), radius: 300 }),
      }),
    },
    {
      name: 'lists',
      everyMs: 1000,
      good: 200,
      next: () => ({ path: `${REPORTS}?bbox=-21,-31,-19,-29&limit=50` }),
    },
    {
      name: 'reports',
      everyMs: 2000,
      good: 201,
      next: () => ({
        method: 'POST',
        path: REPORTS,
        body: json({ reportType: 'hazard', position: spot(1) }),
      }),
    },
    { name: 'routes', everyMs: 4000, period: 'during', good: 200, next: route },
    { name: 'uploads', everyMs: 8000, period: 'during', good: 201, next: upload },
  ];
}

/** Sends requests at a fixed rate, whether or not earlier ones were answered. */
class Load {
  readonly taken: Record<Period, number[]> = { alone: [], during: [] };
  readonly statuses = new Map<string, Map<number, number>>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #port: number;
  readonly #tokens: readonly string[];
  #asked = 0;

  constructor(port: number, tokens: readonly string[]) {
    this.#port = port;
    this.#tokens = tokens;
  }

  keep(period: Period, taken: readonly number[]): void {
    this.taken[period].push(...taken);
  }

  /**
   * Sends requests for the given time, and waits for all responses. @returns the latencies of tiles in
   * milliseconds
   */
  async keepUp(streams: readonly Stream[], periodMs: number): Promise<number[]> {
    const taken: number[] = [];
    const under: Promise<void>[] = [];
    const failures: unknown[] = [];
    const startedAt = performance.now();
    const due = streams.flatMap((stream) =>
      Array.from({ length: Math.floor(periodMs / stream.everyMs) }, (_, i) => ({
        stream,
        // In the middle of its interval, so that the streams do not all begin together.
        atMs: startedAt + (i + 0.5) * stream.everyMs,
      })),
    );
    due.sort((a, b) => a.atMs - b.atMs);
    for (const { stream, atMs } of due) {
      const waitMs = atMs - performance.now();
      if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
      const token = this.#tokens[this.#asked++ % this.#tokens.length]!;
      const answered = this.#ask(stream, token).then(
        () => {
          if (stream.name === 'tiles') taken.push(performance.now() - atMs);
        },
        (error: unknown) => void failures.push(error),
      );
      under.push(answered);
      if (failures.length > 0) break;
    }
    await Promise.all(under);
    if (failures.length > 0) throw failures[0];
    return taken;
  }

  async #ask({ name, good, next, period }: Stream, token: string): Promise<void> {
    const { method = 'GET', path, body } = next(token);
    const { status, said } = await new Promise<{ status: number; said: string }>((done, fail) => {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
      const target = { host: '127.0.0.1', port: this.#port, method, path, headers };
      const asked = request({ ...target, agent: this.#agent }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('error', fail);
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () =>
          done({
            status: answer.statusCode!,
            said: Buffer.concat(pieces).toString().slice(0, 300),
          }),
        );
      });
      asked.on('error', fail);
      for (const piece of body ?? []) asked.write(piece);
      asked.end();
    });
    const counts = this.statuses.get(name) ?? new Map<number, number>();
    this.statuses.set(name, counts);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    // A limit applies to concurrent heavy work of one account, and a busy machine reaches it.
    if (status === good || status === 503 || (period !== undefined && status === 429)) return;
    throw new Error(`${name}: ${status} instead of ${good}: ${said}`);
  }
}
