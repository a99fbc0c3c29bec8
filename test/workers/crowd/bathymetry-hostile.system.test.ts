// Hostile requests to the endpoints of bathymetry get only documented responses: never a 5xx, no
// error of more than 4 KB, and no data of other senders. The database contains exactly the accepted
// soundings.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from '../../support/database.ts';
import { isLong } from '../../support/long-run.ts';
import { type ResponseCheck, responseCheck } from '../../support/openapi.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { startService } from '../../support/service.ts';
import { BATHYMETRY, START, soundingAfter } from '../../support/soundings.ts';

const SEED = 20_261_125;
const REQUESTS = isLong ? 50_000 : 500;
const LIMIT_MS = isLong ? 3_600_000 : 900_000;
const AT_ONCE = 8;
const MAX_ERROR_BYTES = 4096;
const SECRET = 'what another sender wrote';

let service: ServiceWithDatabase;
let check: ResponseCheck;
beforeAll(async () => {
  service = await startServiceWithDatabase({
    isAlone: false,
    settings: { maxSoundingsPerRequest: '500', MAX_TRACK_BYTES: '4096' },
  });
  check = responseCheck((await (await service.get('/openapi.json')).json()) as never);
});
afterAll(() => service?.stop());

const random = seededRandom(SEED);
const whole = (most: number) => Math.floor(random() * (most + 1));
const pick = <T>(list: readonly T[]): T => list[whole(list.length - 1)]!;

const ODD: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => '',
  () => 0,
  () => -1,
  () => 1e308,
  () => -1e-320,
  () => 9007199254740992,
  () => 'a\0b',
  () => '\ud800',
  () => '\udc00\ud800',
  () => '1e400',
  () => '٣',
  () => "'; DROP TABLE track; --",
  () => '{1,2}',
  () => '\\x00',
  () => 'é'.repeat(whole(3000)),
  () => [],
  () => {},
  () => [[[[[]]]]],
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":1}}') as unknown,
  () => nested(whole(60)),
  () => ({ length: { toString: 1, valueOf: 1 } }),
  () => pick(['2024-02-30T00:00:00Z', '2024-01-01T00:00:60Z', '2024', 'now', '+1', '٢٠٢٤']),
  () => new Array(whole(600)).fill(pick([null, 0, {}, soundingAfter(0)])),
];
const odd = () => pick(ODD)();
const nested = (depth: number): unknown =>
  JSON.parse(`${'{"a":['.repeat(depth)}0${']}'.repeat(depth)}`) as unknown;

const sounding = (): unknown => ({
  latitude: random() * 180 - 90,
  longitude: random() * 360 - 180,
  depth: random() * 100,
  time: START + whole(5_000_000),
});
const platform = () => ({ uniqueId: pick(['a', 'b', 'π\u001f', '']), name: 'n' });

function soundBody(): Record<string, unknown> {
  return {
    soundings: Array.from({ length: 1 + whole(30) }, sounding),
    ...(random() < 0.7 ? { platform: platform() } : {}),
    ...(random() < 0.3 ? { externalUserId: pick(['x', 'y', '\u001f', 'ü']) } : {}),
  };
}

const FIELDS = [
  ...['soundings', 'platform', 'providerContactPoint', 'depthUnits', 'timeUnits', 'convention'],
  ...['externalUserId', '__proto__', 'toString', 'unknown'],
];

/** A body in which one thing is odd: a field, a sounding, a field of a sounding or the platform. */
function spoiltBody(): string {
  const body = soundBody();
  const list = body['soundings'] as Record<string, unknown>[];
  const where = whole(3);
  if (where === 0) return withField(body, pick(FIELDS), odd());
  if (where === 1) list[whole(list.length - 1)] = odd() as Record<string, unknown>;
  else if (where === 2) {
    list[whole(list.length - 1)]![pick(['latitude', 'longitude', 'depth', 'time'])] = odd();
  } else body['platform'] = { ...platform(), [pick(['uniqueId', 'name', 'type', 'x'])]: odd() };
  return JSON.stringify(body);
}

/** Written by hand, so that `__proto__` is a field as any other. */
const withField = (body: object, name: string, value: unknown) =>
  `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}}`;

function randomBytes(): Uint8Array {
  return Uint8Array.from({ length: whole(300) }, () => whole(255));
}

/** A sound body with some of its bytes changed, taken out or put twice. */
function brokenBytes(): Uint8Array {
  const bytes = [...Buffer.from(JSON.stringify(soundBody()))];
  for (let i = whole(4); i >= 0; i--) {
    bytes.splice(
      whole(bytes.length - 1),
      whole(2),
      ...Array.from({ length: whole(2) }, () => whole(255)),
    );
  }
  return Uint8Array.from(bytes);
}

const DEEP = [10, 1000, 10_000, 100_000];
const deepText = () => {
  const depth = pick(DEEP);
  const [open, close] = pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  const inner = `${open.repeat(depth)}0${close.repeat(depth)}`;
  return random() < 0.5
    ? inner
    : `{"soundings":[${JSON.stringify(sounding())}],"platform":${inner}}`;
};

type Sent = readonly [path: string, init: RequestInit];

const KEYS = ['', 'a', 'b', 'two words', 'x'.repeat(256), 'é'];
function post(): Sent {
  const kind = random();
  const body =
    kind < 0.35
      ? JSON.stringify(soundBody())
      : kind < 0.75
        ? spoiltBody()
        : kind < 0.85
          ? brokenBytes()
          : kind < 0.93
            ? randomBytes()
            : deepText();
  const headers: Record<string, string> = random() < 0.2 ? { 'idempotency-key': pick(KEYS) } : {};
  if (random() < 0.03) headers['content-encoding'] = pick(['gzip', 'identity', 'br']);
  if (random() < 0.03) headers['content-type'] = pick(['text/plain', 'multipart/form-data', 'x']);
  return ['', { method: 'POST', headers, body: body as string }];
}

const known: string[] = [];
const IDS = () => [
  pick(known.length > 0 ? known : ['x']),
  '00000000-0000-0000-0000-000000000000',
  pick(['x', '%00', '%ff', '..%2f', 'soundings', '%F0%9F%9A%A2', "'", '{id}', 'a'.repeat(400)]),
];
const TEXTS = [
  '',
  '0',
  '-1',
  '1e9',
  'NaN',
  '%00',
  '%ud800',
  '1,2,3,4',
  '-180,-90,180,90',
  'é',
  '5',
];
function read(): Sent {
  const suffix = pick(['', '', '.geojson', '.csv', '.gpx', '.GPX', '.exe']);
  const method = pick(['GET', 'GET', 'HEAD', 'DELETE', 'PUT', 'POST']);
  if (random() < 0.5) return [`/${pick(IDS())}${suffix}`, { method }];
  const query = Array.from(
    { length: whole(3) },
    () =>
      `${pick(['bbox', 'zoom', 'limit', 'cursor', 'platform', 'externalUserId', 'token'])}=${pick(TEXTS)}`,
  ).join('&');
  return [`${pick(['', '/soundings'])}?${query}`, { method: pick(['GET', 'HEAD']) }];
}

test(
  `${REQUESTS} requests get documented answers, seed ${SEED}`,
  async () => {
    const other = await service.token({ subject: 'another' });
    const secret = {
      soundings: [soundingAfter(0)],
      platform: { uniqueId: 'a', name: SECRET },
      externalUserId: 'x',
    };
    const init = { method: 'POST', body: JSON.stringify(secret) };
    const authorization = `Bearer ${other}`;
    expect((await service.get(BATHYMETRY, { ...init, headers: { authorization } })).status).toBe(
      201,
    );

    let left = REQUESTS;
    const statuses = new Map<number, number>();
    const client = async () => {
      while (left-- > 0) {
        const [below, sent] = random() < 0.7 ? post() : read();
        const path = `${BATHYMETRY}${below}`;
        // A connection whose last body was refused unread is closed, perhaps just as it is used again.
        const response = await service.get(path, sent).catch(() => service.get(path, sent));
        const told = `${response.status} for ${sent.method} ${path} ${String(sent.body).slice(0, 2000)}`;
        const text = await response.clone().text();
        if (response.status >= 500) throw new Error(`${text} ${told}`);
        if (response.status >= 400 && text.length > MAX_ERROR_BYTES) throw new Error(told);
        if (text.includes(SECRET)) throw new Error(`Foreign: ${told}`);
        const faults = await check(sent.method!, path.split('?')[0]!, response);
        if (faults.length > 0) throw new Error(`${faults.join('; ')}: ${told}`);
        if (response.status === 201) {
          const { tracks } = JSON.parse(text) as { tracks: { id: string }[] };
          known.push(tracks[0]!.id);
        }
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    for (const status of [200, 201, 204, 400, 404])
      expect(statuses.has(status), `${status}`).toBe(true);
    expect(statuses.get(201)! / REQUESTS).toBeGreaterThan(0.2);
    const { rows } = await service.database.query(`
    SELECT count(*)::int AS wrong FROM track WHERE point_count <> (length(points) + coalesce((
      SELECT sum(length(c.points)) FROM track_chunk c WHERE c.track_id = track.id), 0)) / 32`);
    expect(rows).toEqual([{ wrong: 0 }]);
    const mine = await service.get(`${BATHYMETRY}?limit=1`, { headers: { authorization } });
    expect(await mine.text()).toContain(SECRET);
  },
  LIMIT_MS,
);

test('fifty thousand soundings that are all wrong are refused in few words', async () => {
  const wide = await startService({
    isAlone: false,
    charts: inject('demoCharts'),
    database: service.database.bindings,
  });
  try {
    for (const one of [{}, null, { latitude: 'x', longitude: [], depth: -1, time: 'never' }]) {
      const body = JSON.stringify({ soundings: new Array(50_000).fill(one) });
      const response = await wide.get(BATHYMETRY, { method: 'POST', body });
      const text = await response.text();
      expect([response.status, text.length < MAX_ERROR_BYTES]).toEqual([400, true]);
      expect((JSON.parse(text) as { errors: unknown[] }).errors).toHaveLength(10);
    }
  } finally {
    await wide.stop();
  }
});
