// CPU time to send a style document: cached or generated, plain or gzipped. It is compared with a bare
// Hono route that sends the same number of bytes in the same runtime and run.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../support/service.ts';
import { benchCharts } from './bench-charts.ts';
import { goalLines } from './goals.ts';
import { cpuMicroseconds, loadClient } from './load.ts';

const STYLES = '/api/v1/styles/base.json';
const ROUNDS = 3;
const SECONDS = 2;
const GOAL = 0.8;
/** More documents than an isolate can cache, so that each one is generated. */
const DISTINCT = 500;

export async function run(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-styles-'));
  const { demo, artwork } = await benchCharts();
  const entry = join(import.meta.dirname, 'tiles-entry.ts');
  // The first service only returns the document. The second has a bare route of the same size.
  const bytes = await withService({ charts: demo, assetsDir: artwork, entry }, async (service) =>
    Buffer.from(await (await service.get(STYLES)).arrayBuffer()),
  );
  const settings = { BARE_BYTES: String(bytes.length) };
  try {
    await withService({ charts: demo, assetsDir: artwork, entry, settings }, async (service) => {
      const headers = { authorization: `Bearer ${await service.token()}` };
      const micros = (paths: readonly string[], others = {}) =>
        cpuMicroseconds(
          { port: service.port, paths, headers: { ...headers, ...others }, seconds: SECONDS },
          scratch,
        );
      const cachedPaths = [
        STYLES,
        `${STYLES}?theme=night`,
        `${STYLES}?depthLimit=5&depthUnits=feet`,
      ];
      const generatedPaths = Array.from(
        { length: DISTINCT },
        (_, i) => `${STYLES}?depthLimit=${i / 10}`,
      );
      const loads = {
        bare: () => micros(['/bare/1/1/1']),
        cached: () => micros(cachedPaths),
        gzipped: () => micros(cachedPaths, { 'accept-encoding': 'gzip' }),
        generated: () => micros(generatedPaths),
      };
      const times: Record<keyof typeof loads, number[]> = {
        bare: [],
        cached: [],
        gzipped: [],
        generated: [],
      };
      for (let round = -1; round < ROUNDS; round++) {
        for (const name of Object.keys(loads) as (keyof typeof loads)[]) {
          const measured = await loads[name]();
          // The first round warms up and does not count.
          if (round >= 0) times[name].push(measured);
        }
      }
      const bare = median(times.bare);
      const row = (name: string, value: number) =>
        console.log(`${name.padEnd(20)} ${value.toFixed(0).padStart(5)} µs of CPU per request`);
      console.log(`${bytes.length} bytes a document, load by ${loadClient}`);
      row('bare route', bare);
      row('cached documents', median(times.cached));
      row('the same, gzipped', median(times.gzipped));
      row('generated documents', median(times.generated));
      const [line] = goalLines([
        {
          name: 'cached documents compared with a bare route, by CPU time',
          reached: bare / median(times.cached),
          target: GOAL,
          cause: `authentication and the log line, which gzipped documents need too, take at most ${median(times.gzipped).toFixed(0)} µs`,
        },
      ]);
      console.log(line);
      console.log(
        `checksum ${createHash('sha256').update(withoutOrigin(bytes)).digest('hex').slice(0, 16)}`,
      );
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The document without the address of the machine it was made on. */
const withoutOrigin = (bytes: Buffer): string =>
  bytes.toString().replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');

async function withService<T>(
  options: Parameters<typeof startService>[0],
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ ...options, isDirect: true });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
