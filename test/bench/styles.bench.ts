// Processor time of a style document, kept and newly made, plain and packed, against a bare Hono route
// that answers as many bytes in the same runtime and run.

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
/** More than the isolate caches, so that each document is generated. */
const DISTINCT = 500;

export async function run(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-bench-styles-'));
  const { demo, artwork } = await benchCharts();
  const entry = join(import.meta.dirname, 'tiles-entry.ts');
  // Asked once to learn its size, then started with a bare route of as many bytes.
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
      const kept = [STYLES, `${STYLES}?theme=night`, `${STYLES}?depthLimit=5&depthUnits=feet`];
      const made = Array.from({ length: DISTINCT }, (_, i) => `${STYLES}?depthLimit=${i / 10}`);
      const loads = {
        bare: () => micros(['/bare/1/1/1']),
        kept: () => micros(kept),
        packed: () => micros(kept, { 'accept-encoding': 'gzip' }),
        made: () => micros(made),
      };
      const times: Record<keyof typeof loads, number[]> = {
        bare: [],
        kept: [],
        packed: [],
        made: [],
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
        console.log(`${name.padEnd(20)} ${value.toFixed(0).padStart(5)} µs of the runtime`);
      console.log(`${bytes.length} bytes a document, load by ${loadClient}`);
      row('bare route', bare);
      row('kept documents', median(times.kept));
      row('the same, packed', median(times.packed));
      row('generated documents', median(times.made));
      const [line] = goalLines([
        {
          name: 'kept documents against a bare route, by processor time',
          reached: bare / median(times.kept),
          target: GOAL,
          cause: `who asks and the line in the log, which the packed ones have as well, take ${median(times.packed).toFixed(0)} µs at most`,
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
