// Passages between ports of the world through the service: CPU time of the runtime for the second
// request of each pair, over the demo charts and the background.

import { CANALS } from '../../shared/route/passages.ts';
import type { Position } from '../../shared/route/trip.ts';
import { portPairs } from '../support/route/port-pairs.ts';
import { PORTS } from '../support/route/ports.ts';
import { startService } from '../support/service.ts';
import { demoCharts } from './bench-charts.ts';
import { goalLines } from './goals.ts';
import { quantile } from './quantile.ts';
import { runtimeCpuMs } from './runtime-cpu.ts';

const PAIRS = 300;
const FEW_PAIRS = 60;
const MOST_MS = 300;

/** Runs the bench and prints the result. With `long`, for all pairs. */
export async function run({ long }: { readonly long: boolean }): Promise<void> {
  const { demo: charts } = await demoCharts();
  const service = await startService({ charts, isAlone: true, isDirect: true });
  const token = await service.token();
  const plan = async (from: Position, to: Position): Promise<boolean> => {
    const answer = await fetch(`${service.address}/api/v1/routing/route?token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        waypoints: [from, to].map(([longitude, latitude]) => [latitude, longitude]),
        safety: { allowUnknownDepth: true },
        options: { maxSnapDistance: 5000, canals: CANALS },
      }),
    });
    return ((await answer.json()) as { success: boolean }).success;
  };
  const taken: number[] = [];
  const slow: { readonly name: string; readonly ms: number }[] = [];
  let found = 0;
  try {
    for (const [from, to] of portPairs(PAIRS).slice(0, long ? PAIRS : FEW_PAIRS)) {
      await plan(PORTS[from]!, PORTS[to]!);
      const before = runtimeCpuMs();
      if (await plan(PORTS[from]!, PORTS[to]!)) found++;
      const ms = runtimeCpuMs() - before;
      taken.push(ms);
      if (ms > MOST_MS) slow.push({ name: `${from} to ${to}`, ms });
    }
  } finally {
    await service.stop();
  }
  const [middle, most] = [quantile(taken, 0.5), Math.max(...taken)];
  console.log(
    `${taken.length} pairs of ports, ${found} routes; CPU of a warm request: p50 ${middle} ms, ` +
      `p95 ${quantile(taken, 0.95)} ms, most ${most} ms`,
  );
  slow.sort((a, b) => b.ms - a.ms);
  const slowest = slow.slice(0, 5).map(({ name, ms }) => `${name} ${ms} ms`);
  const lines = goalLines([
    {
      name: 'passage of the world, the slowest',
      reached: most,
      most: MOST_MS,
      unit: 'ms',
      cause: `${slow.length} of ${taken.length} pairs take longer, first ${slowest.join(', ')}: they search the ends of passages`,
    },
  ]);
  for (const line of lines) console.log(line);
}
