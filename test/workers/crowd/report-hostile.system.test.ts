// Arbitrary bytes and JSON at the crowdsourcing endpoints: each response is documented, fast, and
// contains no data that the caller may not see.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Caller, type CrowdService, HAZARD, REPORTS } from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { textOf } from '../../support/http-client.ts';
import { isLong } from '../../support/long-run.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const REQUESTS = isLong ? 200_000 : 1000;
const AT_ONCE = 16;
const SEED = 20_261_207;
const MAX_REFUSAL_BYTES = 4096;
const SECRETS = [
  'text-of-a-deleted-report',
  'text-of-an-expired-report',
  'user-of-another-account',
];

let crowd: CrowdService;
let anna: Caller;
const ids: string[] = [];
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna', expiresInSeconds: 7200 });
  const ben = await crowd.caller({ subject: 'ben', account: 'others' });
  const report = async (description: string, more = {}) => {
    const { id } = await ben.report({ properties: { description }, ...more });
    ids.push(id);
    return id;
  };
  await ben.delete(`${REPORTS}/${await report(SECRETS[0]!)}`);
  const over = await report(SECRETS[1]!);
  await crowd.database.query('UPDATE user_report SET expires_at = created_at WHERE id = $1', [
    over,
  ]);
  await report('of another account', { externalUserId: SECRETS[2] });
  for (let at = 0; at < 5; at++) ids.push((await anna.report()).id);
});

const random = seededRandom(SEED);
const below = (most: number) => Math.floor(random() * most);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1e308,
  2 ** 53,
  0.1,
  '',
  ' ',
  '0',
  'NaN',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  "'; DROP TABLE user_report; --",
  '$1',
  '%s%n',
  '{}',
  '<script>',
  '../../etc/passwd',
  '𝄞'.repeat(50),
  'x'.repeat(5000),
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
  { length: 1e9 },
  { length: { toString: 1, valueOf: 1 } },
];
const NAMES = [
  'reportType',
  'position',
  'latitude',
  'longitude',
  'properties',
  'description',
  'id',
  'externalUserId',
  'vote',
  'soundings',
  'depth',
  'time',
  'platform',
  'uniqueId',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  '\ud800',
  'x'.repeat(300),
];

function anyValue(depth = 0): unknown {
  const kind = random();
  // Returns a copy, because the body is changed afterwards.
  if (depth > 4 || kind < 0.6) return structuredClone(pick(ODD));
  if (kind < 0.75) return Array.from({ length: below(4) }, () => anyValue(depth + 1));
  return Object.fromEntries(
    Array.from({ length: below(5) }, () => [pick(NAMES), anyValue(depth + 1)]),
  );
}

/** A valid body, usually with one part replaced. */
function nearly(body: Readonly<Record<string, unknown>>): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  for (let changes = below(3); changes > 0; changes--) {
    const within = random() < 0.4 ? (pick(Object.values(copy)) as unknown) : copy;
    const target = (typeof within === 'object' && within !== null ? within : copy) as typeof copy;
    const key = random() < 0.7 ? (pick(Object.keys(target)) ?? pick(NAMES)) : pick(NAMES);
    if (random() < 0.2) delete target[key];
    else target[key] = anyValue();
  }
  return copy;
}

const deep = (open: string, close: string) => {
  const depth = pick([5, 9, 33, 500, 5000]);
  return open.repeat(depth) + close.repeat(random() < 0.7 ? depth : 0);
};

const SOUNDING = { latitude: 47, longitude: -122, depth: 5, time: 1_700_000_000_000 };

function anyBody(good: Readonly<Record<string, unknown>>): string | Uint8Array {
  const kind = random();
  if (kind < 0.5) return JSON.stringify(nearly(good));
  if (kind < 0.65) return JSON.stringify(anyValue());
  if (kind < 0.72) return Uint8Array.from({ length: below(200) }, () => below(256));
  if (kind < 0.78) return `{"properties":${pick([deep('[', ']'), deep('{"a":', '}')])}}`;
  if (kind < 0.82) {
    const inner = pick([
      deep('[', ']'),
      `1e${below(999)}`,
      '-'.repeat(3),
      '"\\ud800"',
      '"\\u0000"',
    ]);
    return `{"reportType":"hazard","position":{"latitude":1,"longitude":2},"properties":{"a":${inner}}}`;
  }
  if (kind < 0.86) {
    const many = Array.from({ length: below(400) }, () => (random() < 0.5 ? pick(ODD) : SOUNDING));
    return JSON.stringify({ ...good, soundings: many });
  }
  const text = JSON.stringify(good);
  const at = below(text.length);
  if (kind < 0.93)
    return text.slice(0, at) + pick(['', ',', '"', '}', '\0', '\ufeff', '\\']) + text.slice(at);
  const bytes = new TextEncoder().encode(text);
  bytes[below(bytes.length)] = below(256);
  return bytes;
}

const anyId = () =>
  random() < 0.6
    ? pick(ids)
    : pick([
        randomUUID(),
        randomUUID().toUpperCase(),
        '0',
        '%00',
        '%ff',
        '..%2f',
        `{${ids[0]}}`,
        "'",
        'bathymetry',
        'votes',
        'x'.repeat(300),
      ]);

function anyQuery(): string {
  if (random() < 0.5) return '';
  const values = [
    '',
    '0',
    '1',
    '-1',
    '1e9',
    'true',
    'null',
    '%00',
    '%ff',
    '%',
    'a,b,c,d',
    '-180,-90,180,90',
    '170,-10,-170,10',
    '1,1,1,1',
    '0,0,1e-320,1e-320',
    '0,0,1e-200,1e-200',
    '9'.repeat(40),
    ids[0]!,
  ];
  const names = [
    'bbox',
    'kind',
    'since',
    'cursor',
    'limit',
    'format',
    'includeDeleted',
    'includeExpired',
    'offset',
    'x',
    '',
    '__proto__',
  ];
  return `?${Array.from({ length: 1 + below(3) }, () => `${pick(names)}=${pick(values)}`).join('&')}`;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

function anyRequest(): Request {
  const headers =
    random() < 0.9
      ? {}
      : pick<Record<string, string>>([
          { 'content-encoding': 'gzip' },
          { 'content-type': 'multipart/form-data' },
          { 'if-none-match': '*' },
          { 'idempotency-key': 'k' },
          { authorization: 'Bearer x.y.z' },
        ]);
  const kind = random();
  const position = { latitude: random() * 180 - 90, longitude: random() * 360 - 180 };
  const report = { ...HAZARD, position, id: randomUUID(), externalUserId: 'x' };
  if (kind < 0.35)
    return { method: 'POST', path: REPORTS + anyQuery(), raw: anyBody(report), headers };
  if (kind < 0.6) {
    const raw = anyBody({ vote: 'valid', externalUserId: 'x' });
    return { method: 'POST', path: `${REPORTS}/${anyId()}/votes`, raw, headers };
  }
  if (kind < 0.75) return { method: 'GET', path: REPORTS + anyQuery(), headers };
  if (kind < 0.85)
    return {
      method: pick(['GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH']),
      path: `${REPORTS}/${anyId()}`,
      headers,
    };
  // Only reports of other users, so that some remain.
  if (kind < 0.9)
    return {
      method: 'DELETE',
      path: `${REPORTS}/${pick([...ids.slice(0, 3), randomUUID(), '0'])}`,
    };
  const body = { soundings: [SOUNDING, { ...SOUNDING, time: 'x' }], platform: { uniqueId: 'p' } };
  return { method: 'POST', path: `${REPORTS}/bathymetry`, raw: anyBody(body), headers };
}

test(`${REQUESTS} requests (seed ${SEED})`, async () => {
  const seen = new Map<number, number>();
  const failures: string[] = [];
  const client = async () => {
    while (seen.size < 1000) {
      const number = total++;
      if (number >= REQUESTS) return;
      const { method, path, raw, headers } = anyRequest();
      const answer = await anna.ask(path, {
        method,
        ...(raw === undefined ? {} : { raw }),
        ...(headers === undefined ? {} : { headers }),
      });
      const { status, body } = answer;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const text = textOf(answer);
      const isTooLong = status >= 400 && body.length > MAX_REFUSAL_BYTES;
      const tells = SECRETS.some((secret) => text.includes(secret));
      if (status >= 500 || isTooLong || tells) {
        const sent = typeof raw === 'string' ? raw.slice(0, 300) : String(raw?.length);
        failures.push(
          `${method} ${path} ${sent} → ${status}, ${body.length} bytes: ${text.slice(0, 200)}`,
        );
      }
    }
  };
  let total = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  expect(failures.slice(0, 5)).toEqual([]);
  // The mix must reach the tables and each kind of refusal.
  for (const status of [200, 201, 400, 401, 403, 404, 405, 410, 415]) {
    expect(seen.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(3);
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  const faults = crowd.service.log.filter((line) => line.includes('"kind":"fault"'));
  expect(faults.slice(0, 3)).toEqual([]);
}, 3_600_000);
