// Saved styles with a session of the portal: the same rules as with a token, in the audit trail, and the
// earlier versions of a style.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  KEPT_STYLE_VERSIONS,
  MAX_SAVED_STYLES,
  type SavedStyle,
  type StyleVersion,
} from '../../shared/contract/saved-style.ts';
import { resumeAccount, suspendAccount } from '../../workers/host/registry/accounts.ts';
import { type PortalService, startPortal } from '../support/portal-service.ts';

const NIGHT_BRIDGE = {
  name: 'Night bridge',
  baseTheme: 'night',
  parameters: { colors: { DEPVS: '#112233' }, settings: { depthLimit: 7.5 } },
} as const;

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());
beforeEach(() => portal.crowd.database.query('DELETE FROM saved_style'));

const member = () => portal.sessionOf('member');
const send = async (method: string, path = '', body?: unknown, headers?: Record<string, string>) =>
  portal.send(method, `/styles${path}`, { headers: headers ?? (await member()), body });
const acts = async () => {
  const { rows } = await portal.crowd.database.query(
    `SELECT actor, act, account_id, detail FROM admin_act WHERE act LIKE 'style %' ORDER BY id`,
  );
  return rows;
};
const versionsOf = async (id: string) =>
  (await send('GET', `/${id}/versions`)).json as unknown as StyleVersion[];

describe('saved styles with a session', () => {
  test('are created, listed, read, changed, replaced and deleted, and shared with the tokens of the account', async () => {
    const made = await portal.makeStyle(await member(), NIGHT_BRIDGE);
    expect(made).toMatchObject(NIGHT_BRIDGE);
    const token = await portal.crowd.service.token({ account: 'acme' });
    const byToken = await portal.send('GET', '/styles', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(byToken.json).toEqual([made]);
    expect((await send('GET')).json).toEqual([made]);
    const at = `/${made.id}`;
    expect((await send('GET', at)).json).toEqual(made);
    expect((await send('POST', at, { baseTheme: 'dusk' })).json).toEqual({
      ...made,
      baseTheme: 'dusk',
      updatedAt: expect.any(Number),
    });
    expect((await send('PUT', at, { name: 'Plain' })).json).toMatchObject({
      id: made.id,
      name: 'Plain',
      baseTheme: 'day',
      parameters: { colors: {}, settings: {} },
    });
    expect((await send('DELETE', at)).status).toBe(204);
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', NIGHT_BRIDGE]] as const) {
      const { json } = await send(method, at, body);
      expect(json).toMatchObject({ status: 404, code: 'style_not_found' });
    }
  });

  test('have the rules of the token: names, number, fields and idempotency keys', async () => {
    const { id } = await portal.makeStyle(await member(), NIGHT_BRIDGE);
    const other = await portal.makeStyle(await member());
    const taken = { status: 409, code: 'style_name_taken' };
    expect((await send('POST', '', NIGHT_BRIDGE)).json).toMatchObject(taken);
    expect((await send('POST', `/${other.id}`, { name: NIGHT_BRIDGE.name })).json).toMatchObject(
      taken,
    );
    expect((await send('POST', '', { name: ' ' })).json).toMatchObject({ code: 'bad_style' });
    const headers = { ...(await member()), 'idempotency-key': crypto.randomUUID() };
    const first = await send('POST', '', { name: 'Once' }, headers);
    expect((await send('POST', '', { name: 'Once' }, headers)).json).toEqual(first.json);
    await portal.crowd.database.query(
      `INSERT INTO saved_style SELECT gen_random_uuid(), 'acme', 'filler ' || n, 'day',
         '{"colors":{},"settings":{}}', 1, 1 FROM generate_series(4, $1::int) AS n`,
      [MAX_SAVED_STYLES],
    );
    expect((await send('POST', '', { name: 'One more' })).json).toMatchObject({ status: 409 });
    expect((await send('GET', `/${id}`)).status).toBe(200);
  });

  test('are changes in the audit trail by the user, without names; changes by a token are not', async () => {
    const before = (await acts()).length;
    const made = await portal.makeStyle(await member(), NIGHT_BRIDGE);
    await send('POST', `/${made.id}`, { name: 'Renamed' });
    const token = await portal.crowd.service.token({ account: 'acme' });
    await send('POST', `/${made.id}`, { name: 'By token' }, { authorization: `Bearer ${token}` });
    await send('DELETE', `/${made.id}`);
    const by = { actor: expect.stringMatching(/^user:/), account_id: 'acme' };
    expect((await acts()).slice(before)).toEqual([
      { ...by, act: 'style create', detail: { styleId: made.id } },
      { ...by, act: 'style change', detail: { styleId: made.id, changed: ['name'] } },
      { ...by, act: 'style delete', detail: { styleId: made.id } },
    ]);
  });

  test('cannot be changed after the account was suspended', async () => {
    const made = await portal.makeStyle(await member());
    await portal.administer((one) => suspendAccount(one, 'acme'));
    try {
      for (const [method, path, body] of [
        ['POST', '', { name: 'New' }],
        ['POST', `/${made.id}`, { name: 'New' }],
        ['DELETE', `/${made.id}`],
      ] as const) {
        const { json } = await send(method, path, body);
        expect(json).toMatchObject({ status: 403, code: 'account_limit' });
      }
    } finally {
      await portal.administer((one) => resumeAccount(one, 'acme'));
    }
  });
});

describe('a request with a token', () => {
  test('needs the scope styles:write, also if the request has a cookie of a session', async () => {
    const cookie = await portal.cookieOf('member');
    const { token } = await portal.makeToken(await member());
    const inHeader = await send('GET', '', undefined, { cookie, authorization: `Bearer ${token}` });
    expect(inHeader.json).toMatchObject({ status: 403, code: 'scope_required' });
    const inQuery = await send('GET', `?token=${token}`, undefined, { cookie });
    expect(inQuery.json).toMatchObject({ status: 403, code: 'scope_required' });
  });

  test.each([
    ['Bearer nonsense', 'token_invalid'],
    ['Bearer ', 'token_invalid'],
    ['Basic YTpi', 'token_invalid'],
    ['Bearer a.b', 'session_required'],
    ['Bearer a.b.c', 'token_invalid'],
    [`Bearer ${'0'.repeat(32)}`, 'token_invalid'],
  ])(
    'is rejected with the header %j, also if the request has a cookie',
    async (authorization, code) => {
      const cookie = await portal.cookieOf('member');
      expect((await send('GET', '', undefined, { cookie, authorization })).json).toMatchObject({
        status: 401,
        code,
      });
    },
  );
});

test('an empty Authorization header does not replace the cookie of a session', async () => {
  const cookie = await portal.cookieOf('member');
  const { json } = await send('GET', '', undefined, { cookie, authorization: '' });
  expect(json).toBeInstanceOf(Array);
});

describe('the versions of a style', () => {
  test('are its contents before each change of its content, by a user or by a token', async () => {
    const made = await portal.makeStyle(await member(), NIGHT_BRIDGE);
    expect(await versionsOf(made.id)).toEqual([]);
    await send('POST', `/${made.id}`, { name: 'Renamed' });
    expect(await versionsOf(made.id)).toEqual([]);
    const dusk = (await send('POST', `/${made.id}`, { baseTheme: 'dusk' }))
      .json as unknown as SavedStyle;
    const token = await portal.crowd.service.token({ account: 'acme' });
    const headers = { authorization: `Bearer ${token}` };
    await send('POST', `/${made.id}`, { parameters: {} }, headers);
    const { parameters } = NIGHT_BRIDGE;
    expect(await versionsOf(made.id)).toEqual([
      { savedAt: dusk.updatedAt, baseTheme: 'dusk', parameters },
      { savedAt: expect.any(Number), baseTheme: 'night', parameters },
    ]);
    const byToken = await send('GET', `/${made.id}/versions`, undefined, headers);
    expect(byToken.json).toEqual(await versionsOf(made.id));
  });

  test('are the last ones only, restore the style, and end with it', async () => {
    const made = await portal.makeStyle(await member(), NIGHT_BRIDGE);
    const depths = Array.from({ length: KEPT_STYLE_VERSIONS + 2 }, (_, at) => at + 1);
    for (const depthLimit of depths) {
      await send('POST', `/${made.id}`, { parameters: { settings: { depthLimit } } });
    }
    const versions = await versionsOf(made.id);
    const kept = versions.map(({ parameters }) => parameters.settings['depthLimit']);
    expect(kept).toEqual(depths.slice(1, -1).reverse());
    const { savedAt: _, ...oldest } = versions.at(-1)!;
    const restored = await send('POST', `/${made.id}`, oldest);
    expect(restored.json).toMatchObject({ name: NIGHT_BRIDGE.name, ...oldest });
    await send('DELETE', `/${made.id}`);
    const gone = await send('GET', `/${made.id}/versions`);
    expect(gone.json).toMatchObject({ status: 404, code: 'style_not_found' });
    const { rows } = await portal.crowd.database.query('SELECT * FROM saved_style_version');
    expect(rows).toEqual([]);
  });
});
