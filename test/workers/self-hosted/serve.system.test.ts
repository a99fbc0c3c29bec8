// `leadline serve` from outside, behind a TLS proxy as in production: its public URL, its rate limits,
// its metrics, and its shutdown.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { closeConnections, jsonOf, sendHttp, textOf } from '../../support/http-client.ts';
import { oddButSound, oddRequests } from '../../support/odd-requests.ts';
import { isRunning } from '../../support/processes.ts';
import { bareAnswer, openConnection } from '../../support/raw-connection.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  runLeadline,
  type SelfHosted,
  startSelfHosted,
} from '../../support/self-hosted.ts';

const data = makeData();
const scratch = scratchFolder();
const FORWARDED = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'charts.example',
};
const DEFAULT_TOKEN = '00112233445566778899aabbccddeeff';
const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
let dist: Dist;
let service: SelfHosted;
let token: string;
beforeAll(async () => {
  dist = await makeDist();
  service = await startSelfHosted({
    dist,
    data,
    charts: inject('demoCharts'),
    environment: {
      TRUSTED_PROXIES: '127.0.0.2',
      RATE_LIMIT_WRITES: '3',
      PROVISIONING_DEFAULT_TOKEN: DEFAULT_TOKEN,
      LEADLINE_PROVISIONING: provisioningWith('Night bridge.json', '{"baseTheme":"night"}'),
      PROVISIONING_ACCOUNT: 'tests',
    },
  });
  token = await service.token();
});
afterAll(async () => {
  closeConnections();
  await discard(service, data);
  dist?.remove();
});

function provisioningWith(name: string, content: string): string {
  const folder = join(scratch, name);
  mkdirSync(join(folder, 'styles'), { recursive: true });
  writeFileSync(join(folder, 'styles', name), content);
  return folder;
}

const get = (path: string, headers: Record<string, string> = {}) =>
  sendHttp(service.port, path, { headers: { authorization: `Bearer ${token}`, ...headers } });

test('the self-hosted service is live and ready, with a database', async () => {
  expect(jsonOf(await get('/healthz'))).toEqual({ status: 'ok' });
  expect(jsonOf(await get('/readyz'))).toMatchObject({ status: 'ready', database: 'up' });
});

test('the self-hosted service has the styles of its provisioning folder', async () => {
  const style = await get('/api/v1/styles/base.json?styleName=Night%20bridge');
  expect([style.status, jsonOf(style)]).toEqual([
    200,
    expect.objectContaining({ name: 'Leadline night' }),
  ]);
});

test('the self-hosted service does not start with a malformed provisioned style', async () => {
  const LEADLINE_PROVISIONING = provisioningWith('wrong.json', '{"baseTheme":"noon"}');
  const started = await runLeadline(['serve', '--data', join(scratch, 'data')], {
    LEADLINE_DIST: dist.path,
    LEADLINE_PROVISIONING,
  });
  const file = join(LEADLINE_PROVISIONING, 'styles', 'wrong.json');
  expect([started.code, started.said]).toEqual([1, expect.stringContaining(`${file}: baseTheme`)]);
});

test('the self-hosted service logs a link that signs the first administrator of the portal in once', async () => {
  const { link } = (await service.said(({ kind }) => kind === 'portal')) as { link?: string };
  const [address, text] = link!.split('/portal#link=');
  expect(address).toBe(service.address);
  const signIn = () =>
    sendHttp(service.port, '/api/portal/v1/auth/loginByLink', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link: text }),
    });
  const first = await signIn();
  expect(first.status).toBe(200);
  expect(jsonOf(first)).toMatchObject({ user: { role: 'administrator' } });
  expect((await signIn()).status).toBe(401);
});

test('the self-hosted service shows its state on a page', async () => {
  const page = await get('/status');
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
  expect(textOf(page)).toContain('<h1>All systems operational</h1>');
  expect(textOf(page)).toMatch(/\d+ cells, build [0-9a-f]+/);
});

test('the self-hosted service serves tiles, pages and sprites from the disk', async () => {
  const tile = await get(TILE);
  expect([tile.status, tile.headers['content-type']]).toEqual([200, 'application/x-protobuf']);
  expect(tile.body.length).toBeGreaterThan(100);
  const types = await Promise.all(
    ['/', '/playground', '/page/chart.js', '/page/chart.css', '/page/icon.svg'].map(
      async (path) => (await get(path)).headers['content-type'],
    ),
  );
  expect(types).toEqual([
    'text/html; charset=utf-8',
    'text/html; charset=utf-8',
    'text/javascript; charset=utf-8',
    'text/css; charset=utf-8',
    'image/svg+xml',
  ]);
  for (const path of ['/page', '/page/', '/..%2f..%2fkeys/signing-keys.json', '/none.js']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test('the self-hosted service answers 404 for a file name that is too long for the file system', async () => {
  const long = 'a'.repeat(300);
  const fonts = encodeURIComponent(`${long},${long}`);
  const paths = [long, `${long}.png`, `x/${long}/y.js`, 'a/'.repeat(2100), 'a'.repeat(9000)];
  for (const path of [...paths, `${'%C3%A9'.repeat(200)}`, `fonts/abc/${long}/0-255.json`]) {
    expect([path, (await get(`/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await get(`/fonts/abc/${fonts}/0-255.pbf`)).status).toBe(404);
  // A missing range of glyphs of this build is empty for each font name.
  const { glyphs } = jsonOf(await get('/api/v1/styles/base.json')) as { readonly glyphs: string };
  const { pathname } = new URL(glyphs.replace('{fontstack}', 'FONTS').replace('{range}', '0-255'));
  expect((await get(pathname.replace('FONTS', fonts))).status).toBe(200);
});

test('the self-hosted service accepts a GET with a body, and answers the next request on the same connection', async () => {
  const connection = await openConnection(service.port);
  try {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      for (const path of ['/healthz', TILE, '/nothing', '/page/chart.js']) {
        const lines = ['host: leadline.test', `authorization: Bearer ${token}`];
        const framed = [...lines, 'content-length: 2', '', '{}'].join('\r\n');
        await connection.send(`${method} ${path} HTTP/1.1\r\n${framed}`);
        const { status } = await connection.answer(method === 'HEAD' ? 'HEAD' : undefined);
        expect([method, path, status < 500]).toEqual([method, path, true]);
      }
    }
  } finally {
    connection.close();
  }
});

test('the self-hosted service refuses malformed and ambiguous requests', async () => {
  for (const [name, bytes, [status, code]] of oddRequests(token)) {
    const answer = await bareAnswer(service.port, bytes);
    expect([name, answer.status, JSON.parse(answer.body).code]).toEqual([name, status, code]);
  }
  for (const [name, bytes, status] of oddButSound(await service.token())) {
    expect([name, (await bareAnswer(service.port, bytes)).status]).toEqual([name, status]);
  }
  // None of these requests reached the runtime.
  expect(service.lines.filter((line) => /exception/i.test(line))).toEqual([]);
});

test('the self-hosted service uses the host of the request in its URLs', async () => {
  for (const [host, origin] of [
    ['charts.example:80', 'http://charts.example/'],
    ['0x7f.1', 'http://127.0.0.1/'],
    ['CHARTS.example:8787', 'http://charts.example:8787/'],
  ] as const) {
    const style = await get(`/api/v1/styles/base.json`, { host });
    expect([host, style.status]).toEqual([host, 200]);
    expect([host, textOf(style).includes(`"${origin}api/v2/tiles/`)]).toEqual([host, true]);
  }
});

test('the self-hosted service refuses an invalid host', async () => {
  for (const host of ['leadline.test:99999', '[::1']) {
    const answer = await sendHttp(service.port, '/healthz', { headers: { host } });
    expect([host, answer.status, jsonOf(answer).code]).toEqual([host, 400, 'bad_request']);
  }
});

test('the self-hosted service issues no development token, and accepts only its own tokens', async () => {
  expect(service.lines.join('\n')).not.toMatch(/eyJ/);
  expect((await get(TILE, { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })).status).toBe(401);
});

test('the self-hosted service creates PROVISIONING_DEFAULT_TOKEN, which can read', async () => {
  const withDefault = { authorization: `Bearer ${DEFAULT_TOKEN}` };
  expect((await get(TILE, withDefault)).status).toBe(200);
  const other = { authorization: `Bearer ${'f'.repeat(32)}` };
  expect((await get(TILE, other)).status).toBe(401);
  const report = { method: 'POST', headers: withDefault, body: '{}' };
  expect((await sendHttp(service.port, '/api/v1/user-reports', report)).status).toBe(403);
  expect(service.lines.join('\n')).not.toContain(DEFAULT_TOKEN);
  for (const file of readdirSync(join(data, 'store', 'edge'))) {
    expect(readFileSync(join(data, 'store', 'edge', file), 'utf8') + file).not.toContain(
      DEFAULT_TOKEN,
    );
  }
});

test('the self-hosted service does not start with a malformed PROVISIONING_DEFAULT_TOKEN', async () => {
  const environment = { PROVISIONING_DEFAULT_TOKEN: DEFAULT_TOKEN.toUpperCase() };
  const { code, said } = await runLeadline(['serve', '--data', data], environment);
  expect([code, said]).toEqual([1, expect.stringContaining('32 hexadecimal digits in lower case')]);
  expect(said).not.toContain(environment.PROVISIONING_DEFAULT_TOKEN);
});

test('the self-hosted service ignores X-Forwarded-* from an untrusted address', async () => {
  const style = await get(`/api/v1/styles/base.json?token=${token}`, FORWARDED);
  expect(textOf(style)).not.toContain('charts.example');
  const { servers } = jsonOf(await get('/openapi.json', FORWARDED));
  expect(servers[0].url).toBe(`http://127.0.0.1:${service.port}`);
});

test('the self-hosted service counts requests: the metrics equal a known load', async () => {
  const before = await metrics();
  for (let i = 0; i < 7; i++) await get('/api/v2/tiles/enc-v2/14/7282/9622.mvt');
  for (let i = 0; i < 3; i++) await get('/api/v2/tiles/enc-v2/99/0/0.mvt');
  for (let i = 0; i < 2; i++) await get(TILE, { authorization: 'Bearer none' });
  const after = await metrics();
  const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const label = 'endpoint="getEncTile",method="GET",status=';
  expect(more(`leadline_requests_total{${label}"200"}`)).toBe(7);
  expect(more(`leadline_requests_total{${label}"400"}`)).toBe(3);
  expect(more(`leadline_requests_total{${label}"401"}`)).toBe(2);
  expect(more('leadline_refusals_total{code="bad_tile"}')).toBe(3);
  expect(more('leadline_refusals_total{code="token_invalid"}')).toBe(2);
  expect(more('leadline_request_seconds_count{endpoint="getEncTile"}')).toBe(12);
  expect(more('leadline_request_seconds_bucket{endpoint="getEncTile",le="+Inf"}')).toBe(12);
  // The first of the seven responses came from the bucket, the others from the cache.
  expect(more('leadline_answers_from_total{endpoint="getEncTile",from="bucket"}')).toBe(1);
  expect(more('leadline_answers_from_total{endpoint="getEncTile",from="memory"}')).toBe(6);
  expect(after.get('leadline_charts_up')).toBe(1);
  expect(after.get('leadline_database_up')).toBe(1);
  expect(after.get('leadline_cells')).toBeGreaterThan(0);
});

test('the self-hosted service counts the requests of the Worker for heavy work, including its queries to the database', async () => {
  const before = await metrics();
  const authorization = `Bearer ${await service.token()}`;
  const soundings = [{ latitude: 1, longitude: 2, depth: 3, time: '2026-06-01T12:00:00Z' }];
  const body = JSON.stringify({ soundings });
  for (let i = 0; i < 3; i++) {
    const wanted = { method: 'POST', headers: { authorization }, body };
    const answer = await sendHttp(service.port, '/api/v1/user-reports/bathymetry', wanted);
    expect(answer.status).toBe(201);
  }
  const after = await metrics();
  const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const label = 'endpoint="submitBathymetry",method="POST",status="201"';
  expect(more(`leadline_requests_total{${label}}`)).toBe(3);
  expect(more('leadline_database_questions_total{outcome="answered"}')).toBeGreaterThanOrEqual(3);
});

test('the self-hosted service hides its metrics from requests that an untrusted proxy forwarded', async () => {
  expect((await get('/metrics')).status).toBe(200);
  expect((await get('/metrics', FORWARDED)).status).toBe(404);
});

test('the self-hosted service limits writes by default, per token and IP address, and an address cannot be forged', async () => {
  const own = await service.token();
  const write = (from: string) =>
    sendHttp(service.port, '/api/v1/user-reports', {
      method: 'POST',
      headers: { authorization: `Bearer ${own}`, 'cf-connecting-ip': from, ...FORWARDED },
      body: '{}',
    });
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push((await write(`192.0.2.${i}`)).status);
  expect(statuses).toEqual([400, 400, 400, 429, 429]);
});

test('the self-hosted service logs only JSON, with the time and the request ID', async () => {
  const answer = await get('/healthz');
  const id = answer.headers['x-request-id'];
  const line = await service.said(({ requestId }) => requestId === id);
  expect(line).toMatchObject({ kind: 'request', path: '/healthz', status: 200 });
  expect(new Date(String(line['time'])).getTime()).toBeGreaterThan(0);
  expect(service.lines.filter((text) => !text.startsWith('{'))).toEqual([]);
});

test('the self-hosted service rejects a second service with the same data folder, and invalid settings', async () => {
  const environment = { PORT: '0', LEADLINE_DIST: dist.path, TRUSTED_PROXIES: 'everybody' };
  const misread = await runLeadline(['serve', '--data', data], environment);
  expect(misread).toEqual({
    code: 1,
    said: expect.stringContaining('TRUSTED_PROXIES must be addresses, networks'),
  });
  const second = await runLeadline(['serve', '--data', data], {
    PORT: '0',
    LEADLINE_DIST: dist.path,
  });
  expect(second.code).toBe(1);
  expect(second.said).toContain('already uses');
  expect((await get('/healthz')).status).toBe(200);
});

test('the self-hosted service loads changed keys when it receives the reload signal', async () => {
  const from = service.lines.length;
  service.child.kill('SIGHUP');
  await service.said(({ part, state }) => part === 'runtime' && state === 'up', from);
  expect((await get(TILE)).status).toBe(200);
});

test('the self-hosted service runs on without its log, ends within five seconds of SIGTERM, and leaves no process running', async () => {
  const pids = service.log().flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  // Nothing reads its log any more.
  service.child.stdout?.destroy();
  expect((await get('/healthz')).status).toBe(200);
  const { code, ms } = await service.end('SIGTERM');
  expect(code).toBe(0);
  expect(ms).toBeLessThan(5000);
  const alive = pids.filter(isRunning);
  expect(alive).toEqual([]);
});

async function metrics(): Promise<Map<string, number>> {
  const text = textOf(await get('/metrics'));
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))] as const;
    }),
  );
}
