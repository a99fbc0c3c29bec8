// Entry point of the bundle, which is deployed as two Workers: the service, and the Worker for
// heavy work, whose `HeavyWork` the service calls through the binding HEAVY_WORK. A third deployment is
// optional: the Worker for cached chart reads.

import { WorkerEntrypoint } from 'cloudflare:workers';
import { createApp } from './app.ts';
import { answerChartRead } from './charts/chart-reads.ts';
import { createHeavyWorker } from './heavy-worker.ts';
import type { Env } from './runtime/env.ts';
import { tidyUp } from './scheduled.ts';

const app = createApp();
const heavyWorker = createHeavyWorker();

export default {
  fetch: app.fetch,
  scheduled: (event, env, context) => context.waitUntil(tidyUp(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>;

export class HeavyWork extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Response | Promise<Response> {
    return heavyWorker.fetch(request, this.env, this.ctx);
  }
}

export class ChartReads extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Promise<Response> {
    return answerChartRead(this.env, request);
  }
}
