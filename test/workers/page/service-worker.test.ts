// The service worker of the chart page, with doubles of the network, the caches and the page.

import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

const ORIGIN = 'https://charts.example';
const STYLE = `${ORIGIN}/api/v1/styles/base.json?theme=yacht&live=true&token=t`;
const TILE = `${ORIGIN}/api/v2/tiles/enc-v2/12/1200/1500.mvt?v=1&token=t`;

interface Sent {
  readonly answer: Promise<Response>;
  /** The response, if the worker has returned one. */
  readonly returned: () => Response | undefined;
  /** Resolves when the worker has stored what it stores. */
  readonly done: () => Promise<unknown>;
}
type Listener = (event: object) => void;

let network: (request: Request) => Promise<Response>;
let isFull = false;
const stores = new Map<string, Map<string, Response>>();
const listeners = new Map<string, Listener>();
const messages: { readonly leadline: string }[] = [];

const addressOf = (key: RequestInfo) =>
  typeof key === 'string' ? new URL(key, ORIGIN).href : key.url;

function cacheOf(name: string) {
  const store = stores.get(name) ?? new Map<string, Response>();
  stores.set(name, store);
  return {
    match: async (key: RequestInfo) => store.get(addressOf(key))?.clone(),
    // Like a browser, a cache without space rejects a response and keeps the older one.
    put: async (key: RequestInfo, answer: Response) => {
      if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      store.delete(addressOf(key));
      store.set(addressOf(key), answer);
    },
    delete: async (key: RequestInfo) => store.delete(addressOf(key)),
    keys: async () => [...store.keys()].map((url) => new Request(url)),
  };
}

/** Sends a request of the page to the worker. */
function send(url: string, page = { clientId: '', resultingClientId: '' }): Sent {
  let answer: Promise<Response> | undefined;
  const works: Promise<unknown>[] = [];
  listeners.get('fetch')!({
    ...page,
    request: new Request(url),
    respondWith: (given: Promise<Response>) => {
      answer = given;
    },
    waitUntil: (work: Promise<unknown>) => works.push(work),
  });
  let returned: Response | undefined;
  answer!.then(
    (response) => {
      returned = response;
    },
    () => {},
  );
  return { answer: answer!, returned: () => returned, done: () => Promise.allSettled(works) };
}

/** Returns the response for the page after the worker has stored it. */
async function ask(url: string): Promise<Response> {
  const { answer, done } = send(url);
  const response = await answer;
  await done();
  return response;
}

const chart = (text: string) =>
  new Response(JSON.stringify({ text }), {
    headers: { 'content-type': 'application/json', date: text },
  });
const problem = (status: number) =>
  new Response('{}', { status, headers: { 'content-type': 'application/problem+json' } });
const html = (status: number) =>
  new Response('<html>', { status, headers: { 'content-type': 'text/html; charset=utf-8' } });

const textOf = async (answer: Response) => ((await answer.json()) as { text: string }).text;
const told = () => messages.splice(0).map(({ leadline }) => leadline);

beforeAll(async () => {
  // The real digest takes real time, which the tests with a fake clock would not wait for.
  vi.spyOn(crypto.subtle, 'digest').mockResolvedValue(new ArrayBuffer(32));
  vi.stubGlobal('PAGE_DIGEST', 'one');
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('addEventListener', (type: string, listen: Listener) =>
    listeners.set(type, listen),
  );
  vi.stubGlobal('fetch', (request: Request) => network(request));
  vi.stubGlobal('clients', {
    matchAll: async () => [{ postMessage: (message: never) => messages.push(message) }],
  });
  vi.stubGlobal('caches', {
    has: async (name: string) => stores.has(name),
    open: async (name: string) => cacheOf(name),
    match: async () => undefined,
  });
  await import('../../../workers/web/chart/offline/service-worker.ts');
});

beforeEach(async () => {
  stores.clear();
  isFull = false;
  network = async ({ url }) => chart(url.includes('.json') ? 'style' : 'tile');
  await ask(STYLE);
  await ask(TILE);
  told();
});
afterEach(() => vi.useRealTimers());

describe('while the network does not respond', () => {
  let respond: (answer: Response) => void;
  beforeEach(() => {
    vi.useFakeTimers();
    network = () =>
      new Promise((done) => {
        respond = done;
      });
  });

  test('uses the cached chart after four seconds, and stores the late response', async () => {
    const { returned, done } = send(STYLE);
    await vi.advanceTimersByTimeAsync(4000);
    expect([await returned()?.json(), told()]).toEqual([{ text: 'style' }, ['kept']]);
    respond(chart('late'));
    await done();
    // A message now would hide the age of the cached chart that is shown.
    expect(told()).toEqual([]);
    network = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await textOf(await ask(STYLE))).toBe('late');
  });

  test('waits for a response that is not cached', async () => {
    const { answer } = send(`${STYLE}&symbols=paper`);
    await vi.advanceTimersByTimeAsync(20_000);
    respond(chart('paper'));
    expect(await textOf(await answer)).toBe('paper');
  });

  test('does not use a chart that is older than 28 days', async () => {
    vi.setSystemTime(Date.now() + 29 * 86_400_000);
    const { answer } = send(STYLE);
    await vi.advanceTimersByTimeAsync(20_000);
    respond(chart('new'));
    expect(await textOf(await answer)).toBe('new');
  });

  test('uses the cached files of the page after four seconds', async () => {
    await cacheOf('leadline-page-one').put('/page/chart.js', new Response('script'));
    const { returned } = send(`${ORIGIN}/page/chart.js`);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await returned()?.text()).toBe('script');
  });

  test('uses all files of a page from the cache if its document is from there', async () => {
    const pages = cacheOf('leadline-page-one');
    for (const path of ['/', '/page/chart.js']) await pages.put(path, new Response(`old ${path}`));
    const page = { clientId: '', resultingClientId: 'a' };
    const document = send(`${ORIGIN}/`, page);
    await vi.advanceTimersByTimeAsync(4000);
    expect(await document.returned()?.text()).toBe('old /');
    network = async () => new Response('new script');
    const script = (clientId: string) =>
      send(`${ORIGIN}/page/chart.js`, { clientId, resultingClientId: '' }).answer;
    expect(await (await script('a')).text()).toBe('old /page/chart.js');
    expect(await (await script('b')).text()).toBe('new script');
  });
});

describe('a full storage', () => {
  test('keeps the older response', async () => {
    isFull = true;
    network = async () => chart('newer');
    expect(await textOf(await ask(TILE))).toBe('newer');
    network = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await textOf(await ask(TILE))).toBe('tile');
  });
});

describe('a response that is not the chart', () => {
  test.each([
    ['a rate limit', () => problem(429)],
    ['a timeout of the service', () => problem(408)],
    ['a failure of the service', () => problem(503)],
    ['a page of a proxy', () => html(403)],
    ['a login page', () => html(200)],
  ])('of %s does not replace the cached chart', async (_, make) => {
    network = async () => make();
    expect([await textOf(await ask(TILE)), told()]).toEqual(['tile', ['kept']]);
    expect(await textOf(await ask(STYLE))).toBe('style');
  });

  test('is returned if nothing is cached, and is no news from the service', async () => {
    network = async () => problem(429);
    expect([(await ask(`${TILE}&x`)).status, told()]).toEqual([429, []]);
    network = async () => problem(400);
    expect([(await ask(TILE)).status, told()]).toEqual([400, []]);
  });

  test('deletes the cached chart if the service rejects the token', async () => {
    network = async () => problem(403);
    expect((await ask(TILE)).status).toBe(403);
    expect(stores.get('leadline-chart')!.size).toBe(0);
  });
});

test('returns and stores a new chart, and recognizes one from the HTTP cache', async () => {
  network = async () => chart('new');
  expect([await textOf(await ask(TILE)), told()]).toEqual(['new', ['fresh']]);
  expect([await textOf(await ask(TILE)), told()]).toEqual(['new', ['held']]);
});
