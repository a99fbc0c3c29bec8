// The API tokens of the portal: their life, their rights, and who may change them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type PortalService,
  type PortalToken,
  startPortal,
  users,
} from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

describe('API tokens', () => {
  test('are created, used from their origins, changed, rotated and revoked', async () => {
    const headers = await portal.sessionOf('member');
    const made = await portal.makeToken(headers, { restrictions: { hosts: ['app.example'] } });
    expect(made).toMatchObject({
      name: 'Harbour page',
      userEmail: users.member.email,
      isPublic: true,
      state: 'good',
      restrictions: { hosts: ['app.example'] },
    });
    expect(await portal.tile(made.token, 'https://app.example')).toBe(200);
    expect(await portal.tile(made.token, 'https://evil.example')).toBe(403);
    const path = `/apiTokens/${made.id}`;
    const hosts = ['http://localhost:5173'];
    const changed = await portal.send('POST', path, { headers, body: { restrictions: { hosts } } });
    expect(changed.json).toMatchObject({ name: 'Harbour page', restrictions: { hosts } });
    const rotated = await portal.send('POST', `${path}/rotate`, {
      headers,
      body: { graceSeconds: 0 },
    });
    const next = rotated.json as unknown as PortalToken;
    expect(rotated.status).toBe(201);
    expect(await portal.tile(next.token, 'http://localhost:5173')).toBe(200);
    const again = await portal.send('POST', `${path}/rotate`, { headers, body: {} });
    expect(again.json).toMatchObject({ status: 409, code: 'token_conflict' });
    expect((await portal.send('DELETE', `/apiTokens/${next.id}`, { headers })).status).toBe(204);
    const kv = await portal.crowd.service.runtime.getKVNamespace('KV');
    expect(JSON.parse((await kv.get('revoked-v1', 'text'))!).tokens).toEqual(
      expect.arrayContaining([made.id, next.id]),
    );
    const listed = await portal.send('GET', '/apiTokens?ended=true&limit=100', { headers });
    const states = (listed.json as unknown as PortalToken[]).filter(({ id }) =>
      [made.id, next.id].includes(id),
    );
    expect(states.map(({ state }) => state)).toEqual(['revoked', 'revoked']);
  });

  test('are unknown to other accounts, and known to administrators', async () => {
    const { id } = await portal.makeToken(await portal.sessionOf('member'));
    const rival = await portal.sessionOf('rival');
    for (const [method, path, body] of [
      ['POST', `/apiTokens/${id}`, { name: 'mine' }],
      ['POST', `/apiTokens/${id}/rotate`, {}],
      ['DELETE', `/apiTokens/${id}`, undefined],
    ] as const) {
      const answer = await portal.send(method, path, { headers: rival, ...(body ? { body } : {}) });
      expect(answer.json).toMatchObject({ status: 404, code: 'token_not_found' });
    }
    const listed = await portal.send('GET', `/apiTokens?before=${id}`, { headers: rival });
    expect(listed.json).toEqual([]);
    const headers = await portal.sessionOf('administrator');
    expect((await portal.send('DELETE', `/apiTokens/${id}`, { headers })).status).toBe(204);
  });

  test('have no rights that the account does not have', async () => {
    const headers = await portal.sessionOf('owner');
    const body = { name: 'x', scopes: ['reports:admin'] };
    const answer = await portal.send('POST', '/apiTokens', { headers, body });
    expect(answer.json).toMatchObject({ status: 403, code: 'account_limit' });
    const hosts = ['*.example.com'];
    const wild = await portal.send('POST', '/apiTokens', {
      headers,
      body: { name: 'x', restrictions: { hosts } },
    });
    expect(wild.json).toMatchObject({ status: 400, code: 'bad_portal_request' });
  });

  test('have no rights that the role does not have', async () => {
    const [member, owner] = [await portal.sessionOf('member'), await portal.sessionOf('owner')];
    const permit = (admin: boolean) =>
      portal.crowd.database.query(`UPDATE account SET admin = ${admin} WHERE id = 'acme'`);
    await permit(true);
    const { id } = await portal.makeToken(owner, { scopes: ['reports:admin'] });
    const refused = { status: 403, code: 'role_required' };
    const body = { name: 'x', scopes: ['reports:admin'] };
    const made = await portal.send('POST', '/apiTokens', { headers: member, body });
    expect(made.json).toMatchObject(refused);
    const path = `/apiTokens/${id}`;
    const rotated = await portal.send('POST', `${path}/rotate`, { headers: member, body: {} });
    expect(rotated.json).toMatchObject(refused);
    expect((await portal.send('DELETE', path, { headers: member })).json).toMatchObject(refused);
    expect((await portal.send('DELETE', path, { headers: owner })).status).toBe(204);
    const moderated = await portal.makeToken(await portal.sessionOf('moderator'), {
      scopes: ['reports:admin'],
    });
    expect(moderated.scopes).toEqual(['reports:admin']);
    await permit(false);
  });

  test('whose votes count per end user belong to the owner', async () => {
    const { id } = await portal.makeToken(await portal.sessionOf('owner'));
    await portal.crowd.database.query(
      `UPDATE api_token SET votes_for_users = true, kind = 'sk' WHERE id = '${id}'`,
    );
    const path = `/apiTokens/${id}`;
    for (const name of ['member', 'moderator'] as const) {
      const headers = await portal.sessionOf(name);
      const answers = [
        await portal.send('POST', path, { headers, body: { name: 'mine' } }),
        await portal.send('POST', `${path}/rotate`, { headers, body: {} }),
        await portal.send('DELETE', path, { headers }),
      ];
      for (const { json } of answers) expect(json).toMatchObject({ code: 'role_required' });
    }
    expect(
      (await portal.send('DELETE', path, { headers: await portal.sessionOf('owner') })).status,
    ).toBe(204);
  });

  test('are listed in pages', async () => {
    const headers = await portal.sessionOf('rival');
    const ids: string[] = [];
    for (let at = 0; at < 3; at++)
      ids.unshift((await portal.makeToken(headers, { name: `${at}` })).id);
    const page = async (query: string) =>
      (
        (await portal.send('GET', `/apiTokens?${query}`, { headers }))
          .json as unknown as PortalToken[]
      ).map(({ id }) => id);
    const first = await page('limit=2');
    expect([...first, ...(await page(`limit=2&before=${first[1]}`))].sort()).toEqual(ids.sort());
    expect((await portal.send('GET', '/apiTokens?limit=0', { headers })).status).toBe(400);
  });

  test('leave an audit trail without addresses', async () => {
    const { rows } = await portal.crowd.database.query(
      `SELECT actor, act, detail::text FROM admin_act WHERE actor LIKE 'user:%'`,
    );
    expect(new Set(rows.map(({ act }) => act))).toEqual(
      new Set(['token mint', 'token change', 'token rotate', 'token revoke']),
    );
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  test('are at most 200 new ones in a day for an account', async () => {
    const { query } = portal.crowd.database;
    const headers = await portal.sessionOf('rival');
    const { id } = await portal.makeToken(headers);
    await query(
      `INSERT INTO api_token SELECT (jsonb_populate_record(one, jsonb_build_object(
         'id', 'many' || n, 'token_hash', NULL))).* FROM api_token AS one, generate_series(1, 199) AS n
       WHERE one.id = '${id}'`,
    );
    const rotate = () => portal.send('POST', `/apiTokens/${id}/rotate`, { headers, body: {} });
    expect((await rotate()).json).toMatchObject({ status: 429, code: 'too_many_requests' });
    await query(`DELETE FROM api_token WHERE id LIKE 'many%'`);
    expect((await rotate()).status).toBe(201);
  });
});
