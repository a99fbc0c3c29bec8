// Both Workers as they are, with charts in storage far away: each read of the bucket takes so many
// milliseconds longer.

import service, { HeavyWork as NearHeavyWork } from '../../workers/service/index.ts';
import type { Env } from '../../workers/service/runtime/env.ts';

const READ_MS = 30;

const distant = new WeakMap<Env, Env>();

/** The same for the same environment: what is kept for one is found by it. */
function withDistantBucket(env: Env): Env {
  let made = distant.get(env);
  if (made === undefined) {
    const get = async (...wanted: Parameters<Env['TILES']['get']>) => {
      await new Promise((done) => setTimeout(done, READ_MS));
      return env.TILES.get(...wanted);
    };
    made = { ...env, TILES: { get } as Env['TILES'] };
    distant.set(env, made);
  }
  return made;
}

// biome-ignore lint/style/noDefaultExport: what the runtime calls
export default {
  fetch: (request: Request, env: Env, context: never) =>
    service.fetch(request, withDistantBucket(env), context),
};

/** As the runtime calls it: what it is made of has no types here. */
const Near = NearHeavyWork as unknown as new (context: unknown, env: Env) => object;

export class HeavyWork extends Near {
  constructor(context: unknown, env: Env) {
    super(context, withDistantBucket(env));
  }
}
