// Tests a deployment over HTTP, as its users would: health, tokens, tiles, routing, and its public
// address in styles.

import { reasonOf } from '../database/json-log.ts';

export interface SmokeTarget {
  /** Origin of the requests, such as `https://charts.example`. */
  readonly origin: string;
  /** Origin that styles must contain. */
  readonly publicOrigin: string;
  readonly token: string;
  /** Whether the deployment has a database. */
  readonly hasDatabase: boolean;
  /** Attempts for each check, because a new version takes time to reach every place. */
  readonly attempts: number;
  readonly pauseMs: number;
}

/** Result of a check. */
export interface Tried {
  readonly name: string;
  /** Problem of the last attempt; `undefined` if the check passed. */
  readonly problem: string | undefined;
}

type Look = (target: SmokeTarget) => Promise<string | undefined>;

/** The origin may end with a slash. */
const addressOf = (origin: string, path: string): string => origin.replace(/\/+$/, '') + path;

const ask = async ({ origin, token }: SmokeTarget, path: string, withToken = true) =>
  fetch(addressOf(origin, path), {
    headers: withToken ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(10_000),
  });

const status =
  (path: string, wanted: number, withToken = true): Look =>
  async (target) => {
    const answer = await ask(target, path, withToken);
    await answer.arrayBuffer();
    return answer.status === wanted
      ? undefined
      : `${path} answered ${answer.status} instead of ${wanted}`;
  };

const TILE = '/api/v2/tiles/enc-v2/0/0/0.mvt';

const LOOKS: Readonly<Record<string, Look>> = {
  'it is up': status('/healthz', 200, false),
  'it is ready': async (target) => {
    const answer = await ask(target, '/readyz', false);
    const text = await answer.text();
    if (answer.status !== 200) return `/readyz answered ${answer.status}: ${text.slice(0, 300)}`;
    const { database } = JSON.parse(text) as { readonly database: string };
    return target.hasDatabase && database !== 'up' ? `its database is ${database}` : undefined;
  },
  'it refuses who has no token': status(TILE, 401, false),
  'it serves tiles': status(TILE, 200),
  'it paints': status('/api/v2/tiles/raster-v1/0/0/0.png', 200),
  'its Worker for heavy work answers': async ({ origin, token }) => {
    // The service forwards this request unread, and the Worker for heavy work rejects it without charts.
    const path = '/api/v1/routing/route';
    const answer = await fetch(addressOf(origin, `${path}?token=${token}`), {
      method: 'POST',
      body: '{}',
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    return answer.status === 400 && text.includes('"bad_route"')
      ? undefined
      : `${path} answered ${answer.status}: ${text.slice(0, 300)}`;
  },
  'its styles name its own address': async (target) => {
    const answer = await ask(target, '/api/v1/styles/base.json');
    const text = await answer.text();
    if (answer.status !== 200) return `base.json answered ${answer.status}`;
    return text.includes(`${target.publicOrigin}/api/v2/tiles/`)
      ? undefined
      : `base.json does not name ${target.publicOrigin}`;
  },
  'its page is there': status('/', 200, false),
};

/** Run the checks in order, with repeated attempts, until one fails. */
export async function smokeTest(target: SmokeTarget): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [name, look] of Object.entries(LOOKS)) {
    let problem: string | undefined;
    for (let attempt = 1; attempt <= target.attempts; attempt++) {
      problem = await look(target).catch(
        (error: unknown) => `${target.origin} does not answer: ${reasonOf(error)}`,
      );
      if (problem === undefined) break;
      if (attempt < target.attempts) await new Promise((done) => setTimeout(done, target.pauseMs));
    }
    tried.push({ name, problem });
    // Later checks would fail too.
    if (problem !== undefined) break;
  }
  return tried;
}
