// Creating reports, row by row of the contract: the real runtime with a real PostgreSQL.

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  type Caller,
  type CrowdService,
  faultPaths,
  HAZARD,
  REPORTS,
  type ReportBody,
  refusalOf,
} from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';
import { jsonOf, textOf } from '../../support/http-client.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

let crowd: CrowdService;
let anna: Caller;
let ben: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna' });
  ben = await crowd.caller({ subject: 'ben', account: 'others' });
});

const expire = (id: string) =>
  crowd.database.query('UPDATE user_report SET expires_at = created_at WHERE id = $1', [id]);
const pathOf = ({ id }: ReportBody) => `${REPORTS}/${id}`;

describe('creating a report', () => {
  test('returns 201 with every field of the contract and its location', async () => {
    const id = randomUUID();
    const before = Date.now();
    const answer = await anna.post(REPORTS, { ...HAZARD, id, externalUserId: 'sailor 7' });
    expect(answer.status).toBe(201);
    const body = jsonOf(answer) as ReportBody;
    expect(body).toEqual({
      id,
      reportType: 'hazard',
      latitude: 47.6,
      longitude: -122.4,
      properties: { description: 'Log adrift' },
      upvoteCount: 0,
      downvoteCount: 0,
      isOwner: true,
      externalUserId: 'sailor 7',
      namespace: 'public',
      createdAt: expect.any(Number),
      updatedAt: body.createdAt,
      expiredAt: null,
      deletedAt: null,
    });
    expect(body.createdAt).toBeGreaterThanOrEqual(before - 1000);
    expect(answer.headers).toMatchObject({
      location: `${REPORTS}/${id}`,
      'cache-control': 'no-store',
    });
    expect(jsonOf(await anna.get(`${REPORTS}/${id}`))).toEqual(body);
  });

  test.each(['hazard', 'accident', 'weather', 'wildlife'])(
    'creates a report of %s with an id from the service',
    async (reportType) => {
      const position = { latitude: 0, longitude: 0 };
      const body = jsonOf(await anna.post(REPORTS, { reportType, position })) as ReportBody;
      expect(body).toMatchObject({ reportType, properties: {} });
      expect(body).not.toHaveProperty('externalUserId');
      expect(body.id).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  );

  test.each([
    ['no kind', { reportType: undefined }, ['reportType']],
    ['another kind', { reportType: 'storm' }, ['reportType']],
    ['a kind in capitals', { reportType: 'Hazard' }, ['reportType']],
    ['a kind that is a property of every object', { reportType: 'constructor' }, ['reportType']],
    ['no position', { position: undefined }, ['position']],
    ['null for the position', { position: null }, ['position']],
    ['a list for the position', { position: [47, -122] }, ['position']],
    ['no latitude', { position: { longitude: 1 } }, ['position.latitude']],
    ['latitude as text', { position: { latitude: '47', longitude: 1 } }, ['position.latitude']],
    ['latitude null', { position: { latitude: null, longitude: 1 } }, ['position.latitude']],
    ['latitude 90.0001', { position: { latitude: 90.0001, longitude: 1 } }, ['position.latitude']],
    ['longitude -180.5', { position: { latitude: 1, longitude: -180.5 } }, ['position.longitude']],
    ['properties as text', { properties: 'x' }, ['properties']],
    ['properties as a list', { properties: [] }, ['properties']],
    ['NUL in the description', { properties: { description: 'a\0b' } }, ['properties']],
    ['half a surrogate pair', { properties: { a: { b: ['\ud800'] } } }, ['properties']],
    ['half a pair as a key', { properties: { '\udc00': 1 } }, ['properties']],
    ['properties nested too deeply', { properties: nested(61) }, ['properties']],
    ['17 kB of properties', { properties: { a: 'x'.repeat(17_000) } }, ['properties']],
    ['17 kB in few characters', { properties: { a: '€'.repeat(5600) } }, ['properties']],
    ['an id that is not a UUID', { id: 'mine' }, ['id']],
    ['an id of version 1', { id: 'c232ab00-9414-11ec-b3c8-9f6bdeced846' }, ['id']],
    ['the nil id', { id: NIL }, ['id']],
    ['an id in braces', { id: `{${randomUUID()}}` }, ['id']],
    ['an id without dashes', { id: randomUUID().replaceAll('-', '') }, ['id']],
    ['an id that is a number', { id: 7 }, ['id']],
    ['an external user of 257 characters', { externalUserId: 'x'.repeat(257) }, ['externalUserId']],
    ['an external user that is a number', { externalUserId: 7 }, ['externalUserId']],
    ['NUL in the external user', { externalUserId: '\0' }, ['externalUserId']],
    [
      'all wrong',
      { reportType: 1, position: 1, properties: 1, id: 1, externalUserId: 1 },
      ['externalUserId', 'id', 'position', 'properties', 'reportType'],
    ],
  ])('with %s is 400 and names the field', async (_, change, paths) => {
    const answer = await anna.post(REPORTS, { ...HAZARD, ...change });
    expect(refusalOf(answer)).toEqual([400, 'bad_report']);
    expect(faultPaths(answer)).toEqual(paths);
  });

  test.each([
    ['Infinity as 1e400', '{"reportType":"hazard","position":{"latitude":1e400,"longitude":1}}'],
    [
      'Infinity in the properties',
      '{"reportType":"hazard","position":{"latitude":1,"longitude":1},"properties":{"a":1e999}}',
    ],
    [
      'an integer with too many digits in the properties',
      '{"reportType":"hazard","position":{"latitude":1,"longitude":1},"properties":{"a":12345678901234567890}}',
    ],
  ])('with %s is 400', async (_, raw) => {
    expect(refusalOf(await anna.ask(REPORTS, { method: 'POST', raw }))[0]).toBe(400);
  });

  test.each([
    ['poles and both ends', [90, 180], [90, 180]],
    ['the other ends, as sent', [-90, -180], [-90, -180]],
    ['minus zero as zero', [-0, -0], [0, 0]],
    ['small numbers', [1e-99, -1e-7], [1e-99, -1e-7]],
    ['numbers whose products underflow as zero', [5e-324, -1e-200], [0, 0]],
    [
      'all digits',
      [47.123456789012344, -122.98765432109876],
      [47.123456789012344, -122.98765432109876],
    ],
  ])('keeps %s', async (_, [latitude, longitude], [lat, lon]) => {
    const made = await anna.report({ position: { latitude, longitude } });
    const kept = jsonOf(await anna.get(pathOf(made))) as ReportBody;
    for (const body of [made, kept]) {
      expect(Object.is(body.latitude, lat), `${body.latitude}`).toBe(true);
      expect(Object.is(body.longitude, lon), `${body.longitude}`).toBe(true);
    }
  });

  test('keeps free text byte for byte, the order of keys, and unknown values', async () => {
    const properties = {
      zulu: [1, 2.5, -3e-7, true, null, { deep: 'ä' }],
      description: '<script>alert("⚓ 𝄞 \u2028 \\ \' \u0001")</script>\r\n\t e\u0301 é',
      alpha: '',
      7: 'numbers go first in JavaScript',
    };
    const made = await anna.report({ properties });
    const answer = await anna.get(pathOf(made));
    expect(JSON.stringify(jsonOf(answer).properties)).toBe(JSON.stringify(properties));
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    ['sixty levels', nested(60)],
    ['a thousand keys', keys(1000)],
    ['a description of 16,000 characters', { description: 'x'.repeat(16_000) }],
    ['null for the description', { description: null }],
    ['a number for the description', { description: 7 }],
    ['a description in several languages', { description: { en: 'Log', fr: ['Bille', 1] } }],
  ])('accepts %s', async (_, properties) => {
    const made = await anna.report({ properties });
    expect(jsonOf(await anna.get(pathOf(made))).properties).toEqual(properties);
  });

  test('drops keys that could change the objects of a reader, and keeps the others', async () => {
    const sent =
      '{"__proto__":{"polluted":1},"a":{"constructor":"Wick Boatyard","b":[{"prototype":1,"c":2}]}}';
    const properties = '{"a":{"b":[{"c":2}]}}';
    const raw = `{"reportType":"hazard","position":{"latitude":1,"longitude":1},"properties":${sent}}`;
    const answer = await anna.ask(REPORTS, { method: 'POST', raw });
    expect(answer.status).toBe(201);
    const kept = await anna.get(pathOf(jsonOf(answer)));
    for (const one of [answer, kept]) expect(textOf(one)).toContain(`"properties":${properties},`);
  });

  test('ignores unknown fields and fields that only the service may set', async () => {
    const body = await anna.report({
      upvoteCount: 99,
      isOwner: false,
      namespace: 'mine',
      createdAt: 1,
      deletedAt: 1,
      owner: 'ben',
      account: 'others',
      junk: nested(30),
    });
    expect(body).toMatchObject({
      upvoteCount: 0,
      isOwner: true,
      namespace: 'public',
      deletedAt: null,
    });
    expect(body.createdAt).toBeGreaterThan(1_600_000_000_000);
    expect(body).not.toHaveProperty('junk');
  });

  test('accepts null for optional fields', async () => {
    const body = await anna.report({ properties: null, externalUserId: null });
    expect(body).toMatchObject({ properties: {} });
    expect(body).not.toHaveProperty('externalUserId');
    expect((await anna.post(REPORTS, { ...HAZARD, id: null })).status).toBe(201);
  });

  test.each([
    ['capitals', (id: string) => id.toUpperCase()],
    ['both', (id: string) => id.replace(/[a-f]/, (letter) => letter.toUpperCase())],
  ])('returns an id in %s unchanged, and finds it in any case', async (_, write) => {
    const id = `a${randomUUID().slice(1)}`;
    const sent = write(id);
    const made = await anna.post(REPORTS, { ...HAZARD, id: sent });
    expect(made.headers['location']).toBe(`${REPORTS}/${sent}`);
    for (const other of [id, id.toUpperCase(), sent]) {
      expect(refusalOf(await anna.post(REPORTS, { ...HAZARD, id: other }))).toEqual([
        409,
        'report_exists',
      ]);
      expect(jsonOf(await anna.get(`${REPORTS}/${other}`)).id).toBe(sent);
      expect(jsonOf(await ben.vote(other, 'valid')).id).toBe(sent);
    }
    const listed = jsonOf(await anna.get(`${REPORTS}?limit=1`));
    expect(listed.reports[0].id).toBe(sent);
    const [feature] = jsonOf(await anna.get(`${REPORTS}?limit=1&format=geojson`)).features;
    expect([feature.id, feature.properties.id]).toEqual([sent, sent]);
    expect(jsonOf(await anna.delete(`${REPORTS}/${id}`)).id).toBe(sent);
  });

  test('a page of a list continues after an id in capitals', async () => {
    const ids = Array.from({ length: 3 }, () => `F${randomUUID().slice(1).toUpperCase()}`);
    for (const id of ids) await anna.report({ id });
    const seen: string[] = [];
    let cursor = '';
    while (seen.length < 3) {
      const page = jsonOf(await anna.get(`${REPORTS}?limit=1&cursor=${cursor}`));
      seen.push(page.reports[0].id);
      cursor = page.nextCursor;
    }
    expect(seen.sort()).toEqual(ids.sort());
  });

  test('with a used id is 409 in every state, and reports whether the caller owns it', async () => {
    const states: [string, (id: string) => unknown][] = [
      ['active', () => undefined],
      ['expired', expire],
      ['deleted', (id) => anna.delete(`${REPORTS}/${id}`)],
    ];
    for (const [state, bring] of states) {
      const { id } = await anna.report();
      await bring(id);
      const own = await anna.post(REPORTS, { ...HAZARD, id });
      expect([state, ...refusalOf(own), jsonOf(own).owned]).toEqual([
        state,
        409,
        'report_exists',
        true,
      ]);
      const foreign = await ben.post(REPORTS, { ...HAZARD, id });
      expect(refusalOf(foreign)).toEqual([409, 'report_exists']);
      expect(jsonOf(foreign)).not.toHaveProperty('owned');
      expect(JSON.stringify(jsonOf(foreign))).not.toContain('Log adrift');
    }
  });
});

/** Objects nested to the given depth. */
function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

function keys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
}
