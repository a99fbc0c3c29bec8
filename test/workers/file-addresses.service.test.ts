// Addresses of static files in every edition. No address with a host in it redirects a client: a redirect
// to a path that begins with two slashes leads to another host, and the fragment with the token travels
// along.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasNginx, type Nginx, startNginx } from '../support/nginx.ts';
import { bareAnswer } from '../support/raw-connection.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  type SelfHosted,
  startSelfHosted,
} from '../support/self-hosted.ts';
import { type Service, startService } from '../support/service.ts';

const HOSTS = ['evil.example', 'evil.example:80', 'a@evil.example', '%65vil.example'];
const SLASHES = [
  '/',
  '//',
  '\\',
  '/\\',
  '%2f',
  '%2F',
  '%5c',
  '%5C',
  '%2f%2f',
  '/%2f',
  '%5c/',
  '/%09/',
];
const BEFORE = [
  '/',
  '/.',
  '/./',
  '/..',
  '/%2e/',
  '/.%2E/',
  '/x/..',
  '/page/%2e%2e/',
  '/.%5c',
  '/page/',
];
const FILES = [
  '/index.html',
  '/use.html',
  '/',
  '/use',
  '/use/',
  '/index',
  '/page/icon.svg',
  '//index.html',
];

/** About 3,840 targets, as a client writes them on the wire. */
const TARGETS = BEFORE.flatMap((before) =>
  SLASHES.flatMap((slash) =>
    HOSTS.flatMap((host) => FILES.map((file) => `${before}${slash}${host}${file}`)),
  ),
);
/** Each start, separator, host and file in one of them. */
const SOME = TARGETS.filter((_, i) => i % 7 === 0);

const data = makeData();
let dist: Dist;
let local: Service;
let edge: Service;
let selfHosted: SelfHosted;
const proxies = new Map<number, Nginx>();
const ports = new Map<string, number>();

beforeAll(async () => {
  const files = { charts: inject('demoCharts'), assetsDir: inject('assets') };
  dist = await makeDist();
  local = await startService(files);
  edge = await startService({ ...files, isDirect: true });
  selfHosted = await startSelfHosted({ dist, data, charts: files.charts });
  ports.set('npm start', local.port);
  ports.set('the Worker and the static assets of the edge', edge.port);
  ports.set('leadline serve', selfHosted.port);
  if (!hasNginx) return;
  for (const port of [local.port, selfHosted.port]) proxies.set(port, await startNginx(port));
});
afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.stop();
  await local?.stop();
  await edge?.stop();
  await discard(selfHosted, data);
  dist?.remove();
});

const answerTo = (port: number, target: string) =>
  bareAnswer(port, `GET ${target} HTTP/1.1\r\nhost: charts.example\r\n\r\n`);

async function redirectsOf(port: number, targets: readonly string[]) {
  const found: string[] = [];
  for (const target of targets) {
    const { status, headers } = await answerTo(port, target);
    const isRedirect = (status >= 300 && status < 400) || 'location' in headers;
    if (isRedirect || 'refresh' in headers)
      found.push(`${target}: ${status} ${headers['location']}`);
  }
  return found;
}

describe.each(['npm start', 'the Worker and the static assets of the edge', 'leadline serve'])(
  'static files of %s',
  (edition) => {
    it('redirects no path that names another host', async () => {
      expect(await redirectsOf(ports.get(edition)!, SOME)).toEqual([]);
    });

    it('answers 404 to empty segments and encoded separators', async () => {
      for (const target of [
        '//evil.example/index.html',
        '/.//evil.example/index.html',
        '/x/..//evil.example/index.html',
        '/\\evil.example/index.html',
        '//use.html',
        '/page//icon.svg',
        '/page%2ficon.svg',
        '/page%5cicon.svg',
        '/page/..%2fuse.html',
        '/use.html%00',
      ]) {
        const { status } = await answerTo(ports.get(edition)!, target);
        expect([target, status]).toEqual([target, 404]);
      }
    });

    it.each([
      ['/', 'text/html'],
      ['/index.html', 'text/html'],
      ['/index.html?x=//evil.example', 'text/html'],
      ['/playground', 'text/html'],
      ['/page/../playground.html', 'text/html'],
      ['/docs/guides', 'text/html'],
      ['/page/icon.svg', 'image/svg+xml'],
    ])('serves %s itself', async (target, type) => {
      const { status, headers, body } = await answerTo(ports.get(edition)!, target);
      expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type]);
      expect(body).toMatch(type === 'text/html' ? /^<!doctype html>/i : /^<svg/);
    });

    it.each(['/use', '/use.html', '/page/../use.html?x=//evil.example'])(
      'redirects the old address of the guides: %s',
      async (target) => {
        const { status, headers } = await answerTo(ports.get(edition)!, target);
        expect([status, headers['location']]).toEqual([301, '/docs/guides']);
      },
    );
  },
);

describe.runIf(hasNginx).each(['npm start', 'leadline serve'])('%s behind nginx', (edition) => {
  it('redirects no path that names another host', async () => {
    const { port } = proxies.get(ports.get(edition)!)!;
    expect((await answerTo(port, '/docs/guides')).status).toBe(200);
    expect(await redirectsOf(port, SOME)).toEqual([]);
  });

  it('writes no query to the access log', async () => {
    const { port, accessLog } = proxies.get(ports.get(edition)!)!;
    await answerTo(port, '/healthz?token=secret-of-a-user');
    await expect.poll(accessLog).toMatch(/"GET \/healthz" 200 /);
    expect(accessLog()).not.toContain('secret-of-a-user');
  });
});
