// The Worker's entry: what the platform calls.

import { createApp } from './app.ts';
import type { Env } from './runtime/env.ts';
import { tidyUp } from './scheduled.ts';

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: (event, env, context) => context.waitUntil(tidyUp(env, event.scheduledTime)),
} satisfies ExportedHandler<Env>;
