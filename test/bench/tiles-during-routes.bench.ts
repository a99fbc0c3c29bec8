// Tiles during the planning of ten routes, compared with tiles alone. Storage takes 30 ms a read, and
// each round begins with new isolates. Every tile is requested twice at a fixed rate, first cold, then
// warm. The latency is measured from the scheduled time. On one machine both Workers share one thread,
// which is always busy with routes. At the edge they do not share it.

import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { seededRandom } from '../support/seeded-random.ts';
import { type Service, startService } from '../support/service.ts';
import { wholeArchive } from '../support/whole-archive.ts';
import { demoCharts } from './bench-charts.ts';
import { type StoredTile, someTiles } from './demo-tiles.ts';
import { goalLines } from './goals.ts';
import { getOnce } from './load.ts';
import { quantile } from './quantile.ts';

const SEED = 20_261_123;
const TILES = 240;
const EVERY_MS = 20;
const ROUTES = 10;
const ROUNDS = 5;
/** The area around the demo coast: degrees from its port. */
const REACH = 0.6;

type Period = 'alone' | 'during';

/** The latencies in milliseconds of the first request for each tile, and of the second. */
interface Taken {
  readonly cold: number[];
  readonly warm: number[];
}

/** Runs the bench and prints the result. @throws Error if a tile differs from the archive */
export async function run(): Promise<void> {
  const { demo: charts } = await demoCharts();
  const tiles = await someTiles(wholeArchive(charts, 'enc-v2'), TILES, SEED);
  const taken: Record<Period, Taken> = {
    alone: { cold: [], warm: [] },
    during: { cold: [], warm: [] },
  };
  let routes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const period of ['alone', 'during'] as const) {
      const entry = join(import.meta.dirname, 'distant-bucket-entry.ts');
      const service = await startService({ charts, entry, isAlone: false, isDirect: true });
      try {
        const trips = period === 'during' ? planRoutes(service, SEED + round) : undefined;
        for (const kind of ['cold', 'warm'] as const) {
          taken[period][kind].push(...(await askAll(service, tiles)));
        }
        routes += (await trips?.end()) ?? 0;
      } finally {
        await service.stop();
      }
    }
  }
  console.log(
    `${TILES} tiles of the demo charts, one each ${EVERY_MS} ms, twice in each of ${ROUNDS} rounds (seed ${SEED}); ` +
      `always ${ROUTES} concurrent routes, ${routes} in total`,
  );
  for (const kind of ['cold', 'warm'] as const) {
    for (const period of ['alone', 'during'] as const) {
      const those = taken[period][kind];
      console.log(
        `${kind} tiles, ${period.padEnd(6)}  p50 ${quantile(those, 0.5).toFixed(1).padStart(6)} ms, p99 ${quantile(those, 0.99).toFixed(1).padStart(6)} ms`,
      );
    }
    const [alone, during] = [taken.alone[kind], taken.during[kind]];
    const ratio = quantile(during, 0.99) / quantile(alone, 0.99);
    console.log(
      `p99 of ${kind} tiles during routes compared with tiles alone: ${ratio.toFixed(2)}`,
    );
    if (kind === 'warm') console.log(goalOf(ratio, alone, during));
  }
  const checksum = createHash('sha256');
  for (const { path, bytes } of tiles) checksum.update(path).update(bytes);
  console.log(`checksum ${checksum.digest('hex').slice(0, 16)}`);
}

/** The goal for warm tiles. A tile waits for the current piece of a route at each of its steps. */
function goalOf(ratio: number, alone: readonly number[], during: readonly number[]): string {
  const waits = quantile(during, 0.5) - quantile(alone, 0.5);
  return goalLines([
    {
      name: 'p99 of warm tiles during ten routes, compared with tiles alone',
      reached: ratio,
      most: 4,
      unit: 'times',
      cause: `half of the tiles wait ${waits.toFixed(1)} ms longer, for pieces of routes`,
    },
  ])[0]!;
}

/**
 * Requests each tile once at its scheduled time, and checks it against the archive. @returns the
 * latencies in milliseconds
 */
async function askAll(service: Service, tiles: readonly StoredTile[]): Promise<number[]> {
  const headers = { authorization: `Bearer ${await service.token()}`, 'accept-encoding': 'gzip' };
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const asked = tiles.map(async ({ path, bytes }, i) => {
    const dueAt = startedAt + i * EVERY_MS;
    await new Promise((done) => setTimeout(done, dueAt - performance.now()));
    const { status, body } = await getOnce(service.port, path, headers, agent);
    if (status !== 200 || !body.equals(bytes)) throw new Error(`${path} is wrong (${status}).`);
    return performance.now() - dueAt;
  });
  const taken = await Promise.all(asked);
  agent.destroy();
  return taken;
}

/** Plans a constant number of concurrent routes, each from a separate account. */
function planRoutes(service: Service, seed: number): { end(): Promise<number> } {
  const random = seededRandom(seed);
  const place = () => [-30 + (random() * 2 - 1) * REACH, -20 + (random() * 2 - 1) * REACH];
  let isOver = false;
  let planned = 0;
  const navigator = async (name: string) => {
    const token = await service.token({ subject: name, account: name });
    while (!isOver) {
      const answer = await fetch(`${service.address}/api/v1/routing/route?token=${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          waypoints: [place(), place()],
          vessel: { draft: 2, airDraft: 15 },
          options: { maxSnapDistance: 5000 },
        }),
      });
      const said = await answer.text();
      if (answer.status !== 200) throw new Error(`A route is ${answer.status}: ${said}`);
      planned++;
    }
  };
  const all = Promise.all(Array.from({ length: ROUTES }, (_, i) => navigator(`navigator-${i}`)));
  // The errors are checked at the end.
  all.catch(() => undefined);
  return {
    end: async () => {
      isOver = true;
      await all;
      return planned;
    },
  };
}
