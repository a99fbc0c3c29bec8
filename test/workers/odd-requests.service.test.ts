// Malformed or hostile requests: each is refused with a 4xx status and never an internal error, and the
// next client is answered.

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { oddButSound, oddRequests } from '../support/odd-requests.ts';
import { bareAnswer, openConnection, type RawAnswer } from '../support/raw-connection.ts';
import { type Service, startService } from '../support/service.ts';

const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
  token = await service.token();
});
afterAll(() => service?.stop());

async function answerTo(target: string, lines: readonly string[], method = 'GET') {
  const connection = await openConnection(service.port);
  try {
    const text = [`${method} ${target} HTTP/1.1`, ...lines, `authorization: Bearer ${token}`];
    await connection.send(Buffer.from(`${text.join('\r\n')}\r\n\r\n`, 'latin1'));
    return await connection.answer();
  } finally {
    connection.close();
  }
}
const codeOf = ({ status, body }: RawAnswer) => [
  status,
  (JSON.parse(body) as { code: string }).code,
];
const REFUSED = [400, 'bad_request'];

describe('a host', () => {
  test.each([
    'a b',
    '[::1',
    'leadline.test:99999',
    'leadline.test:x',
    'who:secret@leadline.test',
    'leadline.test/path?x#y',
    '%zz',
    '\xc3\xa9.test',
    '"><script>',
    ',',
    '*',
    '',
  ])('%j is refused', async (host) => {
    for (const path of ['/healthz', '/nothing', '/api/v1/styles/base.json']) {
      expect([path, codeOf(await answerTo(path, [`host: ${host}`]))]).toEqual([path, REFUSED]);
    }
  });

  test.each([
    'leadline.test',
    'a',
    'LEADLINE.test:80',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:8787',
    'a_b.c-d',
  ])('%j is taken', async (host) => {
    expect((await answerTo('/healthz', [`host: ${host}`])).status).toBe(200);
    const style = await answerTo('/api/v1/styles/base.json', [`host: ${host}`]);
    expect(style.status).toBe(200);
    expect(style.body).toContain(`"http://${new URL(`http://${host}`).host}/api/v2/tiles/`);
  });

  test('sent twice is refused', async () => {
    const twice = ['host: leadline.test', 'host: other.test'];
    expect(codeOf(await answerTo('/healthz', twice))).toEqual(REFUSED);
  });
});

test('a URL with characters that must be percent-encoded is refused with that reason', async () => {
  const target = '/api/v1/names?q=\xc3\xa9';
  const answer = await bareAnswer(service.port, `GET ${target} HTTP/1.1\r\nhost: a.test\r\n\r\n`);
  expect(codeOf(answer)).toEqual(REFUSED);
  expect(answer.body).toContain('percent-encoded');
});

test('a malformed request is refused with a documented error', async () => {
  for (const [name, bytes, [status, code]] of oddRequests(token)) {
    const answer = await bareAnswer(service.port, bytes);
    expect([name, ...codeOf(answer)]).toEqual([name, status, code]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
    });
  }
});

test('an unusual but unambiguous request is answered', async () => {
  // There is no database here, so the service refuses the write after it has read the request.
  for (const [name, bytes, status] of oddButSound(token)) {
    const answer = await bareAnswer(service.port, bytes);
    expect([name, answer.status]).toEqual([name, status === 201 ? 503 : status]);
  }
});

describe('a target', () => {
  test.each([
    '*',
    'ftp://leadline.test/healthz',
    'http://',
    'http://a b/healthz',
    'leadline.test:80',
  ])('%j is refused', async (target) => {
    const { status, body } = await answerTo(target, ['host: leadline.test']);
    expect([status, JSON.parse(body).code]).toEqual(REFUSED);
  });

  test('in absolute form uses its path and its host', async () => {
    const whole = (address: string) => answerTo(address, ['host: leadline.test']);
    expect((await whole('http://other.test/healthz')).status).toBe(200);
    expect(codeOf(await whole('http://other.test/nothing'))).toEqual([404, 'not_found']);
    const style = await whole('http://other.test/api/v1/styles/base.json');
    expect(style.body).toContain('"http://other.test/api/v2/tiles/');
    // The root is a page.
    expect((await whole('http://other.test')).headers['content-type']).toMatch(/^text\/html/);
  });
});

test('headers that the runtime reserves have no effect', async () => {
  for (const line of ['mf-cf-blob: {broken', 'MF-Original-URL: http://x/nothing', 'mf-op: x']) {
    const { status } = await answerTo('/healthz', ['host: leadline.test', line]);
    expect([line, status]).toEqual([line, 200]);
  }
});

test.each(['gzip, chunked', 'x, chunked'])('the transfer coding %j is refused', async (coding) => {
  const lines = ['host: leadline.test', `transfer-encoding: ${coding}`];
  expect(codeOf(await answerTo('/api/v1/enc_query', lines, 'POST'))).toEqual(REFUSED);
});

test('no request of this file is a fault in the log', async () => {
  expect((await answerTo(TILE, ['host: leadline.test'])).status).toBe(200);
  expect(service.log.filter((line) => /"kind":"fault"|exception/i.test(line))).toEqual([]);
});
