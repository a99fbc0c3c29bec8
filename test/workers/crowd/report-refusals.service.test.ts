// What every endpoint of reports refuses before it looks at a report: tokens, scopes, methods, bodies.

import { describe, expect } from 'vitest';
import {
  type Caller,
  type CrowdService,
  HAZARD,
  REPORTS,
  type ReportBody,
  refusalOf,
} from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { type Answer, jsonOf } from '../../support/http-client.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

let crowd: CrowdService;
let anna: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna' });
});

const pathOf = ({ id }: ReportBody) => `${REPORTS}/${id}`;

describe('every endpoint of reports', () => {
  const someReport = () => anna.report().then(pathOf);
  const requests: [string, string, (path: string) => string, string[]][] = [
    ['create', 'POST', () => REPORTS, ['reports:write']],
    ['list', 'GET', () => REPORTS, ['styles', 'reports:write', 'reports:admin']],
    ['read', 'GET', (path) => path, ['styles', 'reports:write', 'reports:admin']],
    ['vote', 'POST', (path) => `${path}/votes`, ['reports:write']],
    ['delete', 'DELETE', (path) => path, ['reports:write', 'reports:admin']],
  ];

  test.each(requests)(
    '%s: 401 without a token or with a broken one, before anything else',
    async (_, method, at) => {
      const path = at(await someReport());
      const sent = { method, ...(method === 'POST' ? { raw: 'no json' } : {}) };
      const none = await crowd.ask(path, sent);
      expect(refusalOf(none)).toEqual([401, 'token_required']);
      expect(none.headers['www-authenticate']).toBe('Bearer');
      for (const authorization of ['Bearer x.y.z', 'Basic Og==', `Bearer ${anna.token}x`]) {
        expect((await crowd.ask(path, { ...sent, headers: { authorization } })).status).toBe(401);
      }
      expect((await crowd.ask(`${path}?token=a&token=b`, sent)).status).toBe(401);
    },
  );

  test.each(requests)('%s: 403 for a token without its scope', async (_, method, at, scopes) => {
    const path = at(await someReport());
    const others = ['tiles', 'styles', 'query', 'routing', 'reports:write', 'reports:admin'];
    const without = others.filter((scope) => !scopes.includes(scope));
    const caller = await crowd.caller({ scopes: without as never });
    expect(refusalOf(await caller.ask(path, { method }))).toEqual([403, 'scope_required']);
  });

  test.each(requests)('%s: takes the token from the query too', async (_, method, at) => {
    const path = at(await someReport());
    const body = path.endsWith('votes') ? { vote: 'valid' } : HAZARD;
    const answer = await crowd.ask(`${path}?token=${anna.token}`, {
      method,
      ...(method === 'POST' ? { body } : {}),
    });
    expect(answer.status).toBeLessThan(300);
  });

  test.each([
    ['create', () => REPORTS, 65_536],
    ['vote', () => `${REPORTS}/${NIL}/votes`, 4096],
  ])('%s: bodies that are too large, encoded or no JSON object', async (_, at, limit) => {
    const send = (raw: string | Uint8Array, headers = {}): Promise<Answer> =>
      anna.ask(at(), { method: 'POST', raw, headers });
    const exact = `{"a":"${'x'.repeat(limit - 8)}"}`;
    expect(refusalOf(await send(exact))[0]).toBe(400);
    expect(refusalOf(await send(`${exact} `))).toEqual([413, 'body_too_large']);
    expect(refusalOf(await send(exact, { 'transfer-encoding': 'chunked' }))[0]).toBe(400);
    for (const [name, value] of [
      ['content-encoding', 'gzip'],
      ['content-type', 'multipart/form-data; boundary=x'],
    ] as const) {
      expect(refusalOf(await send('{}', { [name]: value }))).toEqual([
        415,
        'unsupported_media_type',
      ]);
    }
    const texts = [
      '',
      ' ',
      '[]',
      'null',
      '1',
      '"x"',
      '{',
      '{}x',
      '{"a":1,}',
      '\ufeff',
      '{"a":NaN}',
    ];
    const bytes = [Uint8Array.of(0x7b, 0xff, 0x7d), Buffer.from('{}', 'utf16le')];
    for (const raw of [...texts, ...bytes]) {
      expect(refusalOf(await send(raw)), JSON.stringify(raw)).toEqual([400, 'bad_json']);
    }
  });

  test('every endpoint of reports takes a BOM, any content type, and the last of double keys', async () => {
    const raw =
      '\ufeff{"reportType":"storm","reportType":"weather","position":{"latitude":1,"longitude":2}}';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(jsonOf(await anna.ask(REPORTS, { method: 'POST', raw, headers })).reportType).toBe(
      'weather',
    );
  });

  test('other methods are 405 with the allowed methods; OPTIONS needs no token', async () => {
    for (const [path, allow] of [
      [REPORTS, 'GET, POST, HEAD, OPTIONS'],
      [`${REPORTS}/${NIL}`, 'GET, DELETE, HEAD, OPTIONS'],
      [`${REPORTS}/${NIL}/votes`, 'POST, OPTIONS'],
    ] as const) {
      const sorted = (text = '') => text.split(', ').sort();
      const answer = await crowd.ask(path, { method: 'PUT', body: {} });
      expect([answer.status, sorted(answer.headers['allow'])]).toEqual([405, sorted(allow)]);
      const options = await crowd.ask(path, { method: 'OPTIONS' });
      expect([options.status, options.headers['access-control-allow-origin']]).toEqual([204, '*']);
    }
    // Also the path of a track with the id `votes`.
    const votes = `${REPORTS}/bathymetry/votes`;
    const answer = await anna.ask(votes, { method: 'POST', body: { vote: 'valid' } });
    expect(refusalOf(answer)).toEqual([400, 'bad_report']);
    expect((await anna.get(votes)).status).toBe(405);
    expect((await anna.ask(REPORTS, { method: 'HEAD' })).body).toHaveLength(0);
    for (const path of [
      `${REPORTS}/`,
      `${REPORTS}/${NIL}/`,
      `${REPORTS}/${NIL}/votes/`,
      `/${REPORTS}`,
    ]) {
      expect((await anna.get(path)).status).toBe(404);
    }
  });
});
