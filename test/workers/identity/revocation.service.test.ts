// Tokens stopped by a command: writes end immediately, by the database, and reads end when an isolate
// next reads the published list. In the real runtime, with a real database.

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { newKey } from '../../../workers/host/admin/keys.ts';
import { openLocalStore } from '../../../workers/host/registry/edge-store.ts';
import { ensureDefaultToken } from '../../../workers/host/registry/issue-token.ts';
import { withRegistry } from '../../../workers/host/registry/registry.ts';
import { publishRevocations, repairRevocations } from '../../../workers/service/portal/publish.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { freshApp } from '../../support/direct-app.ts';
import { type Service, startService, tokenFor } from '../../support/service.ts';
import { lateNamespace, memoryNamespace } from '../../support/style-assets.ts';
import { tokensOver } from '../../support/tokens-command.ts';

const TILE = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
const STYLES = '/api/portal/v1/styles';

let database: TestDatabase;
/** Reads the list with every request. */
let eager: Service;
/** Keeps the list that it read first for longer than any test. */
let patient: Service;
let { run, spawned, tokens } = tokensOver('', '');
beforeAll(async () => {
  database = await freshDatabase();
  const charts = inject('demoCharts');
  const keys = { keys: [await newKey()] };
  const start = (REVOCATION_REFRESH_MS: string) =>
    startService({
      charts,
      keys,
      database: database.bindings,
      settings: { REVOCATION_REFRESH_MS, USAGE_COUNTING: 'off' },
    });
  eager = await start('0');
  patient = await start('60000');
  ({ run, spawned, tokens } = tokensOver(database.ownerUrl, eager.dataDir));
  // The isolate has read the list, which is empty.
  expect((await patient.get(TILE)).status).toBe(200);
});
afterAll(async () => {
  for (const one of [eager, patient, database]) await one?.stop();
});

let account: string;
let number = 0;
beforeEach(async () => {
  account = `a-${++number}`;
  await tokens('account', 'create', account, '--plan', 'enterprise', '--admin', '--pilot');
});

const mint = async (...words: string[]) => {
  const options = ['mint', '--sub', 'me', '--account', account];
  return (await tokens(...options, '--scopes', 'tiles,styles:write', ...words)).trim();
};
const read = async (token: string, at = eager) =>
  (await at.get(TILE, { headers: { authorization: `Bearer ${token}` } })).status;
const send = (token: string, method: string, path: string, body?: object, at = patient) =>
  at.get(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const save = (token: string, name: string, at = patient) =>
  send(token, 'POST', STYLES, { name }, at);
const namesOf = async () =>
  (await database.query('SELECT name FROM saved_style WHERE account_id = $1', [account])).rows.map(
    (row: { name: string }) => row.name,
  );
const expectReadsEnd = (token: string) =>
  vi.waitFor(async () => expect(await read(token)).toBe(401), { timeout: 20_000 });

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({ code: 'token_invalid' });
}

test('a revoked token stops writing when the command returns, and reading soon afterwards', async () => {
  const [token, other] = [await mint(), await mint()];
  const made = (await (await save(token, 'Before')).json()) as { id: string };
  expect(await read(token)).toBe(200);
  const { code, out } = await spawned('revoke', decodeJwt(token).jti!, '--local');
  expect([code, out]).toEqual([0, `Revoked ${decodeJwt(token).jti}.\n`]);

  // This isolate has not read the new list, so it accepts reads.
  expect(await read(token, patient)).toBe(200);
  const path = `${STYLES}/${made.id}`;
  await expectRefused(await save(token, 'After'));
  await expectRefused(await send(token, 'PUT', path, { name: 'Changed' }));
  await expectRefused(await send(token, 'DELETE', path));
  expect(await namesOf()).toEqual(['Before']);
  await expectReadsEnd(token);

  // Other tokens of the account stay valid.
  expect(await read(other)).toBe(200);
  expect((await send(other, 'PUT', path, { name: 'Changed' })).status).toBe(200);
});

test('a token that was signed without a database is revoked by its text', async () => {
  const token = await mint('--unrecorded');
  expect((await save(token, 'Before')).status).toBe(201);
  await tokens('revoke', token, '--local');
  await expectRefused(await save(token, 'After'));
  await expectReadsEnd(token);
});

test('a revoked token leaves no pending write behind', async () => {
  const token = await mint();
  const answers: number[] = [];
  let isRevoked = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; !isRevoked || n < 3; n++) {
      const response = await save(token, `${writer}-${n}`);
      answers.push(response.status);
      if (response.status === 409) {
        await database.query('DELETE FROM saved_style WHERE account_id = $1', [account]);
      }
    }
  });
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(8), { timeout: 20_000 });
  await tokens('revoke', decodeJwt(token).jti!, '--local');
  const { rows: before } = await database.query('SELECT id FROM saved_style ORDER BY id');
  isRevoked = true;
  await Promise.all(writers);
  const { rows: after } = await database.query('SELECT id FROM saved_style ORDER BY id');
  const known = new Set(before.map(({ id }: { id: string }) => id));
  expect(after.filter(({ id }: { id: string }) => !known.has(id))).toEqual([]);
  expect(answers.slice(-3)).toEqual([401, 401, 401]);
});

test('a replaced token stays valid until its deadline, and the new one works immediately', async () => {
  const old = await mint();
  const made = (await tokens('rotate', decodeJwt(old).jti!, '--grace', '0s', '--local')).trim();
  expect((await save(made, 'New')).status).toBe(201);
  await expectRefused(await save(old, 'Old'));
  await expectReadsEnd(old);
  expect(await read(made)).toBe(200);

  const later = (await tokens('rotate', decodeJwt(made).jti!, '--grace', '1h', '--local')).trim();
  await expectReadsEnd(old);
  for (const token of [made, later]) {
    expect(await read(token)).toBe(200);
    expect((await save(token, token.slice(-8))).status).toBe(201);
  }
  await database.query('UPDATE api_token SET revoked_at = issued_at WHERE id = $1', [
    decodeJwt(made).jti,
  ]);
  await expectRefused(await save(made, 'Over'));
});

test('a suspended account can neither write nor read until it is resumed', async () => {
  const token = await mint();
  expect(await tokens('account', 'suspend', account, '--local')).toMatch(/is suspended/);
  expect(await tokens('account', 'suspend', account, '--local')).toMatch(/already/);
  await expectRefused(await save(token, 'Never'));
  await expectReadsEnd(token);
  expect((await run('mint', '--sub', 'x', '--account', account)).complaint).toMatch(/is suspended/);

  expect(await tokens('account', 'resume', account, '--local')).toMatch(/is resumed/);
  expect((await save(token, 'Again')).status).toBe(201);
  await vi.waitFor(async () => expect(await read(token)).toBe(200), { timeout: 20_000 });
});

test('a command ends all tokens of an account, and tokens minted afterwards are valid', async () => {
  const old = await mint();
  expect(await tokens('account', 'end-tokens', account, '--local')).toMatch(/generation 1/);
  const made = await mint();
  expect(decodeJwt(made)).toMatchObject({ gen: 1 });
  await expectRefused(await save(old, 'Old'));
  expect((await save(made, 'New')).status).toBe(201);
  await expectReadsEnd(old);
  expect(await read(made)).toBe(200);
  expect(await tokens('list', '--account', account)).not.toContain(decodeJwt(old).jti);
});

test('an opaque token is used, listed, inspected, replaced and revoked as a signed one', async () => {
  const words = ['mint', '--sub', 'me', '--account', account, '--opaque', '--local'];
  const { code, out, complaint } = await run(...words);
  const token = out.trim();
  expect([code, /^[0-9a-f]{32}\n$/.test(out)]).toEqual([0, true]);
  expect(complaint).toContain('does not expire');
  const shown = JSON.parse(await tokens('show', token));
  expect(shown).toMatchObject({ isOpaque: true, keyId: null, expiresAt: null, lastUsedAt: null });

  // Every kind of endpoint, in the query and in the header.
  const query = `token=${token}`;
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const style = await fetch(`${eager.address}/api/v1/styles/raster.json?${query}`);
  expect(await style.text()).toContain(query);
  const route = `${eager.address}/api/v1/routing/route?${query}`;
  const body = JSON.stringify({ waypoints: [] });
  expect((await fetch(route, { method: 'POST', body })).status).toBe(400);
  expect((await eager.get('/api/v1/user-reports?bbox=1', bearer)).status).toBe(400);
  expect(await read(token)).toBe(200);
  const upload = await send(token, 'POST', '/api/v1/user-reports/bathymetry', {}, eager);
  expect(upload.status).toBe(400);
  for (const wrong of [token.toUpperCase(), token.slice(1), 'f'.repeat(32)]) {
    expect([wrong, await read(wrong)]).toEqual([wrong, 401]);
  }

  await database.query(
    `INSERT INTO token_usage VALUES ('2030-06-01', $1, $2, 3), ('2030-06-02', $1, $2, 1)`,
    [shown.id, account],
  );
  expect(JSON.parse(await tokens('show', shown.id))).toMatchObject({ lastUsedAt: '2030-06-02' });
  expect(await tokens('list', '--account', account)).toMatch(/ opaque .* never .* 2030-06-02/);
  expect(await tokens('inspect', token, '--local')).toContain(shown.id);

  const expiring = (await tokens(...words, '--expires', '9d')).trim();
  const id = JSON.parse(await tokens('show', expiring)).id;
  const next = (await tokens('rotate', id, '--grace', '0s', '--local')).trim();
  const { issuedAt, expiresAt } = JSON.parse(await tokens('show', next));
  expect([next.length, expiresAt - issuedAt]).toEqual([32, 9 * 86_400_000]);
  expect(await read(next)).toBe(200);

  const writer = (await tokens(...words, '--scopes', 'styles:write')).trim();
  expect((await save(writer, 'Before', eager)).status).toBe(201);
  await tokens('revoke', token, writer, '--local');
  await expectRefused(await save(writer, 'After', eager));
  await expectReadsEnd(token);
  expect(await tokens('audit', '--account', account)).toMatch(/token rotate .*"isOpaque":true/);

  // The store holds hashes only, and forgets the subject of an erased account.
  const kv = await eager.runtime.getKVNamespace('KV');
  const names = async () => (await kv.list({ prefix: 'token-' })).keys.map(({ name }) => name);
  const { rows } = await database.query('SELECT t::text FROM api_token t');
  const kept = [JSON.stringify(rows), ...(await names()), ...eager.log].join('\n');
  for (const secret of [token, expiring, next, writer]) expect(kept).not.toContain(secret);
  expect(await names()).toHaveLength(4);
  await tokens('erase', '--account', account, '--yes', '--local');
  expect(await names()).toEqual([]);
});

test('the default token is created once, and stays revoked', async () => {
  const text = '0f'.repeat(16);
  const ensure = async () => {
    const store = await openLocalStore(eager.dataDir);
    await withRegistry(database.ownerUrl, (registry) =>
      ensureDefaultToken({ registry, actor: 'the tests' }, { store, text }),
    ).finally(() => store.close());
  };
  await ensure();
  const [made] = JSON.parse(await tokens('list', '--account', 'default', '--json'));
  expect(made).toMatchObject({ kind: 'pk', scopes: ['tiles', 'styles', 'query'], origins: [] });
  expect(await read(text)).toBe(200);
  await tokens('revoke', text, '--local');
  await ensure();
  const all = JSON.parse(await tokens('list', '--account', 'default', '--all', '--json'));
  expect(all).toEqual([expect.objectContaining({ id: made.id, state: 'revoked' })]);
});

test('the list equals the database, and the command reports if it does not', async () => {
  const token = await mint();
  const id = decodeJwt(token).jti!;
  await tokens('revocations', 'publish', '--local');
  expect(await tokens('revocations', '--local')).toMatch(/knows every token/);
  await database.query('UPDATE api_token SET revoked_at = issued_at WHERE id = $1', [id]);
  const { code, complaint } = await run('revocations', 'check', '--local');
  expect([code, complaint]).toEqual([1, expect.stringContaining(id)]);
  await tokens('revocations', 'publish', '--local');
  await tokens('revocations', 'check', '--local');
  const kv = await eager.runtime.getKVNamespace('KV');
  const list = (await kv.get('revoked-v1', 'json')) as { tokens: string[] };
  expect(list.tokens).toContain(id);
  // A process that ended before it published the list leaves an older one.
  await kv.put('revoked-v1', '{}');
  const get = (key: string) => kv.get(key);
  const put = (key: string, text: string) => kv.put(key, text);
  await repairRevocations({ ...database.bindings, KV: { get, put } } as never);
  await tokens('revocations', 'check', '--local');
  // An expired token is invalid by its claims, so the list does not contain it.
  await database.query('UPDATE api_token SET expires_at = issued_at - 61000 WHERE id = $1', [id]);
  await tokens('revocations', 'publish', '--local');
  expect(((await kv.get('revoked-v1', 'json')) as typeof list).tokens).not.toContain(id);
});

describe('a store that rejects a write of the list', () => {
  /** @param change made in the database before a write is rejected */
  const rejecting = (most: number, change?: () => Promise<unknown>) => {
    const { put, ...store } = memoryNamespace();
    const stored: string[] = [];
    const limited = async (...entry: Parameters<typeof put>) => {
      if (most-- > 0) throw await change?.();
      await put(...entry).then(() => stored.push(entry[1]));
    };
    return { ...store, put: limited, stored };
  };
  test('receives the list of a second later', async () => {
    const change = 'UPDATE account SET generation = 7 WHERE id = $1';
    const KV = rejecting(1, () => database.query(change, [account]));
    await publishRevocations({ ...database.bindings, KV } as never);
    expect(KV.stored.map((text) => JSON.parse(text).generations[account])).toEqual([7]);
  });

  test('ends the upload that needs it if it rejects another write', async () => {
    const bindings = { ...database.bindings, KV: rejecting(2) };
    const app = await freshApp(inject('demoCharts'), bindings);
    const token = await tokenFor(app.keys, { account, scopes: ['charts:write'] });
    const body = new FormData();
    body.append('file', new Blob(['0']), 'A.000');
    const path = `/api/v1/charts/upload?token=${token}`;
    const answer = await app.fetch(path, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ status: 503, code: 'tokens_unavailable' });
    const { rows } = await database.query('SELECT updated_at FROM chart_upload');
    expect(rows).toEqual([{ updated_at: '0' }]); // Abandoned.
  });
});

describe('an isolate', () => {
  const START = Date.parse('2030-06-01T12:00:00Z');

  test.each([0, 1, 29, 59])(
    'refuses a revoked token within two minutes if the store reports changes a minute late (%d s after it read the list)',
    async (afterSeconds) => {
      const KV = lateNamespace();
      const list = { tokens: [] as string[], ending: {}, suspended: [], generations: {} };
      await KV.put('revoked-v1', JSON.stringify(list));
      const app = await freshApp(inject('demoCharts'), { KV });
      vi.useFakeTimers({ now: START, toFake: ['Date'] });
      try {
        const token = await tokenFor(app.keys);
        const headers = { authorization: `Bearer ${token}` };
        expect((await app.fetch(TILE, { headers })).status).toBe(200);
        vi.setSystemTime(START + afterSeconds * 1000);
        const tokens = [decodeJwt(token).jti];
        await KV.put('revoked-v1', JSON.stringify({ ...list, tokens }));
        let waited = 0;
        while ((await app.fetch(TILE, { headers })).status === 200) {
          waited += 5;
          expect(waited).toBeLessThanOrEqual(120);
          vi.setSystemTime(START + (afterSeconds + waited) * 1000);
        }
        expect(waited).toBeGreaterThan(0);
      } finally {
        vi.useRealTimers();
        vi.unstubAllGlobals();
      }
    },
  );

  test('reads the list again after half a minute, and ends a replaced token to the second', async () => {
    const KV = memoryNamespace();
    const list = { tokens: [] as string[], ending: {}, suspended: [], generations: {} };
    const publish = (more: object) => KV.put('revoked-v1', JSON.stringify({ ...list, ...more }));
    await publish({});
    const app = await freshApp(inject('demoCharts'), { KV });
    vi.useFakeTimers({ now: START, toFake: ['Date'] });
    try {
      const [gone, ending] = [await tokenFor(app.keys), await tokenFor(app.keys)];
      const statusAt = async (token: string, seconds: number) => {
        vi.setSystemTime(START + seconds * 1000);
        return (await app.fetch(TILE, { headers: { authorization: `Bearer ${token}` } })).status;
      };
      expect(await statusAt(gone, 0)).toBe(200);
      const at = START + 90_000;
      await publish({ tokens: [decodeJwt(gone).jti], ending: { [decodeJwt(ending).jti!]: at } });
      expect(await statusAt(gone, 29)).toBe(200);
      // The request that finds the list too old is still served, and fetches the list in the background.
      expect(await statusAt(gone, 30)).toBe(200);
      expect(await statusAt(gone, 31)).toBe(401);
      expect(await statusAt(ending, 89)).toBe(200);
      expect(await statusAt(ending, 90)).toBe(401);
      // After a pause, the list is read first.
      const other = await tokenFor(app.keys, { account: 'other', expiresInSeconds: 7200 });
      expect(await statusAt(other, 100)).toBe(200);
      await publish({ suspended: ['other'] });
      expect(await statusAt(other, 1000)).toBe(401);
    } finally {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });

  test.each([
    ['cannot be reached', () => Promise.reject(new Error('unreachable'))],
    ['is invalid', async () => ({ tokens: 'all' })],
  ])('accepts reads and no administration if its list %s', async (_, get) => {
    const app = await freshApp(inject('demoCharts'), {
      KV: { ...memoryNamespace(), get },
      ...database.bindings,
    });
    try {
      const headers = { authorization: `Bearer ${app.token}` };
      expect((await app.fetch(TILE, { headers })).status).toBe(200);
      // Writes query the database, so they still succeed.
      const init = {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: crypto.randomUUID() }),
      };
      expect((await app.fetch(STYLES, init)).status).toBe(201);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
