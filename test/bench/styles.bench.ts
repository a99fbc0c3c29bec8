// Style documents per second, kept ones and newly made ones, against a bare Hono route that answers
// as many bytes in the same runtime and run.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../support/service.ts';
import { benchCharts } from './bench-charts.ts';
import { loadClient, requestsPerSecond } from './load.ts';

const STYLES = '/api/v1/styles/base.json';
const ROUNDS = 3;
const SECONDS = 2;
const GOAL = 0.8;
/** Many more than the isolate keeps, so that each is made anew. */
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
      const rate = (paths: readonly string[]) =>
        requestsPerSecond({ port: service.port, paths, headers, seconds: SECONDS }, scratch);
      const kept = [STYLES, `${STYLES}?theme=night`, `${STYLES}?depthLimit=5&depthUnits=feet`];
      const made = Array.from({ length: DISTINCT }, (_, i) => `${STYLES}?depthLimit=${i / 10}`);
      const rates: Record<'bare' | 'kept' | 'made', number[]> = { bare: [], kept: [], made: [] };
      for (let round = -1; round < ROUNDS; round++) {
        const measured = {
          bare: await rate(['/bare/1/1/1']),
          kept: await rate(kept),
          made: await rate(made),
        };
        // The first round warms up and does not count.
        if (round < 0) continue;
        for (const name of ['bare', 'kept', 'made'] as const) rates[name].push(measured[name]);
      }
      const [bare, warm, fresh] = [median(rates.bare), median(rates.kept), median(rates.made)];
      console.log(`${bytes.length} bytes a document, load by ${loadClient}`);
      console.log(`bare route           ${bare.toFixed(0)}/s`);
      console.log(
        `kept documents       ${warm.toFixed(0)}/s, ratio ${(warm / bare).toFixed(2)} (goal ${GOAL})`,
      );
      console.log(`documents made anew  ${fresh.toFixed(0)}/s, ratio ${(fresh / bare).toFixed(3)}`);
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
