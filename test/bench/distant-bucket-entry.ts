// Both Workers with charts in distant storage: each read of the bucket takes a fixed time longer.

import service, { HeavyWork as NearHeavyWork } from '../../workers/service/index.ts';
import type { Env } from '../../workers/service/runtime/env.ts';

const READ_MS = 30;

const distant = new WeakMap<Env, Env>();

/** Returns the same object for the same environment, because caches use it as their key. */
function withDistantBucket(env: Env): Env {
  let made = distant.get(env);
  if (made === undefined) {
    const get = async (...args: Parameters<Env['TILES']['get']>) => {
      await new Promise((done) => setTimeout(done, READ_MS));
      return env.TILES.get(...args);
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

/** The class as the runtime uses it. Its base class has no types here. */
const Near = NearHeavyWork as unknown as new (context: unknown, env: Env) => object;

export class HeavyWork extends Near {
  constructor(context: unknown, env: Env) {
    super(context, withDistantBucket(env));
  }
}
