// The service worker of the chart page. It fetches from the network first, caches the response, and uses
// the cached response if the network or the service is unavailable or slow. It tells the page the source and
// the age of each response.

import {
  isBusy,
  isKeepable,
  isNoChart,
  isRefused,
  keptAddress,
  kindOf,
  MAX_AGE_MS,
  nameOf,
  PAGE_FILES,
  tokenOf,
  withoutToken,
  withToken,
} from './kept-answers.ts';
import type { FromServiceWorker } from './messages.ts';

interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends LifeEvent {
  readonly request: Request;
  /** The page that requests a file, and the page that a navigation opens. */
  readonly clientId: string;
  readonly resultingClientId: string;
  respondWith(answer: Promise<Response>): void;
}
/** The members of ServiceWorkerGlobalScope that are used here. */
interface Scope {
  readonly location: { readonly origin: string };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(): Promise<readonly { postMessage(message: FromServiceWorker): void }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate' | 'message', listen: (e: LifeEvent) => void): void;
  addEventListener(type: 'fetch', listen: (event: RequestEvent) => void): void;
}

/** Digest of the page's files, inserted by the build, so that a changed page has a changed worker. */
declare const PAGE_DIGEST: string;

const scope = globalThis as unknown as Scope;
const PAGE_CACHES = 'leadline-page-';
const PAGE = PAGE_CACHES + PAGE_DIGEST;
const ARTWORK = 'leadline-artwork';
const CHART = 'leadline-chart';
const KEPT_AT = 'x-kept-at';
const DATED = 'x-dated';
/** At most some hundred megabytes. A browser may allow less; then no more responses are cached. */
const MAX_ANSWERS = 2000;
/** Addresses of style documents and TileJSON. */
const DOCUMENT = /^[^?]*\.json(?:\?|$)/;
const MAX_DOCUMENTS = 50;
const MAX_ARTWORK = 300;
/** A network that is connected but transfers nothing would otherwise keep the page waiting for minutes. */
const MAX_WAIT_MS = 4000;

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
// The page sends a message after it has drawn the chart, so that these downloads do not delay it.
scope.addEventListener('message', (event) => event.waitUntil(keepPage()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const kind = kindOf(request.method, request.url, scope.location.origin);
  if (kind === 'page') event.respondWith(pageAnswer(event));
  if (kind === 'artwork') event.respondWith(artworkAnswer(event));
  if (kind === 'chart') event.respondWith(chartAnswer(event));
});

/** Caches all files of this version or none, then deletes the caches of other versions. */
async function keepPage(): Promise<void> {
  const cache = await caches.open(PAGE);
  if ((await cache.keys()).length < PAGE_FILES.length) {
    await cache.addAll(PAGE_FILES.map((path) => new Request(path, { cache: 'no-cache' })));
  }
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(PAGE_CACHES) && name !== PAGE,
  );
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** Pages that were opened from the cache (true) or the network, since this worker started. */
const openedFromCache = new Map<string, boolean>();

/** The other files of a page come from where its document came from, because versions must not be mixed. */
async function pageAnswer({
  request,
  clientId,
  resultingClientId,
}: RequestEvent): Promise<Response> {
  const { pathname } = new URL(request.url);
  const cache = (await caches.has(PAGE)) ? await caches.open(PAGE) : caches;
  const kept = await cache.match(pathname, { ignoreVary: true });
  const isFromCache = openedFromCache.get(clientId);
  if (isFromCache === true && kept !== undefined) return kept;
  const { answer, failure } = await inTime(
    fetched(request),
    isFromCache === false ? undefined : kept,
  );
  const isAnswered = answer !== undefined && !isBusy(answer.status);
  if (resultingClientId !== '') openedFromCache.set(resultingClientId, !isAnswered);
  if (isAnswered) return answer;
  if (kept !== undefined) return kept;
  if (answer !== undefined) return answer;
  throw failure;
}

async function artworkAnswer(event: RequestEvent): Promise<Response> {
  const cache = await caches.open(ARTWORK);
  const { pathname } = new URL(event.request.url);
  const kept = await cache.match(pathname, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200) {
    const copy = answer.clone();
    event.waitUntil(keep(cache, pathname, copy, MAX_ARTWORK));
  }
  return answer;
}

async function chartAnswer(event: RequestEvent): Promise<Response> {
  const { request } = event;
  const fetching = fetched(request);
  const token = tokenOf(request.url, request.headers.get('authorization'));
  const cache = await caches.open(CHART);
  const name = await nameOf(token);
  const address = keptAddress(request.url, name);
  const known = await cache.match(address);
  const keptAt = Number(known?.headers.get(KEPT_AT));
  // The same `date` header means that the response came from the HTTP cache of the browser.
  const isHeld = (answer: Response) => known?.headers.get(DATED) === answer.headers.get('date');
  const store = async ({ answer }: Fetched) => {
    if (answer === undefined || isNoChart(answer)) return;
    if (isRefused(answer.status)) await forget(cache, name);
    if (!isKeepable(answer.status) || isHeld(answer)) return;
    await keep(cache, address, await dressed(answer.clone(), token), MAX_ANSWERS);
  };
  event.waitUntil(fetching.then(store));
  const kept = Date.now() - keptAt <= MAX_AGE_MS ? known : undefined;
  const { answer, failure } = await inTime(fetching, kept);
  if (request.signal.aborted) return answer ?? Response.error();
  if (answer !== undefined && !isNoChart(answer)) {
    if (isKeepable(answer.status)) {
      tell(isHeld(answer) ? { leadline: 'held', keptAt } : { leadline: 'fresh' });
    }
    return answer;
  }
  if (kept === undefined) {
    if (answer !== undefined) return answer;
    throw failure;
  }
  tell({ leadline: 'kept', keptAt });
  const { status, headers } = kept;
  if (!isText(kept)) return kept;
  return new Response(withToken(await kept.text(), token), { status, headers });
}

/** A response, or the error of `fetch`, or neither if there is no response yet. */
interface Fetched {
  readonly answer?: Response;
  readonly failure?: unknown;
}

async function fetched(request: Request): Promise<Fetched> {
  try {
    return { answer: await fetch(request) };
  } catch (failure) {
    return { failure };
  }
}

/** Waits for a response, for a limited time if a cached response can be used instead. */
const inTime = (fetching: Promise<Fetched>, kept: Response | undefined): Promise<Fetched> =>
  kept === undefined
    ? fetching
    : Promise.race([fetching, new Promise<Fetched>((end) => setTimeout(end, MAX_WAIT_MS, {}))]);

const isText = ({ headers }: Response): boolean =>
  /\bjson\b/.test(headers.get('content-type') ?? '');

/** Returns a response to cache: with its time, and without the token. */
async function dressed(answer: Response, token: string): Promise<Response> {
  const headers = {
    [KEPT_AT]: String(Date.now()),
    [DATED]: answer.headers.get('date') ?? '',
    'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
  };
  if (answer.status === 204) return new Response(null, { status: 204, headers });
  const body = isText(answer)
    ? withoutToken(await answer.text(), token)
    : await answer.arrayBuffer();
  return new Response(body, { headers });
}

/** Caches a response as the newest and deletes the oldest responses above `most`. */
async function keep(cache: Cache, address: string, answer: Response, most: number): Promise<void> {
  try {
    // Moves the address to the end of the keys. Deleting it before would lose the older response on failure.
    await cache.put(address, answer);
  } catch {
    // No space: keep the cached responses rather than the newest.
    return;
  }
  const keys = await cache.keys();
  // Without its style document no tile can be shown, and it is older than the tiles of its visit.
  const documents = keys.filter(({ url }) => DOCUMENT.test(url));
  const others = keys.filter(({ url }) => !DOCUMENT.test(url));
  const surplus = [...oldest(documents, MAX_DOCUMENTS), ...oldest(others, most)];
  await Promise.all(surplus.map((key) => cache.delete(key)));
}

const oldest = (keys: readonly Request[], most: number): readonly Request[] =>
  keys.slice(0, Math.max(0, keys.length - most));

/** Deletes all responses that were cached for a rejected token. */
async function forget(cache: Cache, name: string): Promise<void> {
  const rejected = (await cache.keys()).filter(({ url }) =>
    new URL(url).pathname.startsWith(`/kept/${name}/`),
  );
  await Promise.all(rejected.map((key) => cache.delete(key)));
}

async function tell(message: FromServiceWorker): Promise<void> {
  for (const client of await scope.clients.matchAll()) client.postMessage(message);
}
