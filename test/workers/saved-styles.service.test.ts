// Saved styles: the endpoints of the portal with a real database, their effect on a style document, and
// their access control.

import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { MAX_SAVED_STYLES } from '../../shared/contract/saved-style.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';
import { tokenFor } from '../support/service.ts';
import { INDEX_ONLY, memoryNamespace } from '../support/style-assets.ts';

const STYLES = '/api/portal/v1/styles';
const NIGHT_BRIDGE = {
  name: 'Night bridge',
  baseTheme: 'night',
  parameters: {
    colors: { DEPVS: '#112233', LANDA: '#AABBCC' },
    settings: { depthLimit: 7.5, depthUnits: 'feet', showLightSectors: false },
  },
};

let database: TestDatabase;
let app: DirectApp;
let check: ResponseCheck;
beforeAll(async () => {
  database = await freshDatabase();
  app = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY, ...database.bindings });
  check = responseCheck((await (await app.fetch('/openapi.json')).json()) as never);
});
afterAll(async () => {
  await database?.stop();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
beforeEach(() => database.query('DELETE FROM saved_style'));

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly text?: string | Uint8Array;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request, and checks the response against the OpenAPI document. */
async function ask(path: string, { method = 'GET', body, text, token, headers }: Sent = {}) {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await app.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token ?? app.token}`, ...headers },
    ...(sent === undefined ? {} : { body: sent as string }),
  });
  expect(await check(method, path, response)).toEqual([]);
  return response;
}
const create = async (body: unknown = NIGHT_BRIDGE, token?: string) => {
  const response = await ask(STYLES, { method: 'POST', body, ...(token && { token }) });
  expect(response.status).toBe(201);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  return (await response.json()) as any;
};
const refusal = async (response: Response) => {
  const { status, code } = (await response.json()) as { status: number; code: string };
  return [status, code];
};

describe('the portal', () => {
  test('creates, lists (newest first), reads, replaces and deletes styles', async () => {
    const first = await create();
    expect(first).toEqual({
      ...NIGHT_BRIDGE,
      parameters: {
        ...NIGHT_BRIDGE.parameters,
        colors: { DEPVS: '#112233', LANDA: '#aabbcc' },
      },
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.any(Number),
      updatedAt: first.createdAt,
    });
    const second = await create({ name: 'Plain' });
    expect(second).toMatchObject({ baseTheme: 'day', parameters: { colors: {}, settings: {} } });

    const path = `${STYLES}/${first.id}`;
    expect(await (await ask(path)).json()).toEqual(first);
    const list = (await (await ask(STYLES)).json()) as { name: string }[];
    expect(list.map(({ name }) => name).sort()).toEqual(['Night bridge', 'Plain']);
    await database.query('UPDATE saved_style SET created_at = created_at + 10000 WHERE id = $1', [
      first.id,
    ]);
    const again = (await (await ask(STYLES)).json()) as { name: string }[];
    expect(again.map(({ name }) => name)).toEqual(['Night bridge', 'Plain']);

    const changed = await ask(path, { method: 'PUT', body: { name: 'Wheelhouse' } });
    expect(await changed.json()).toMatchObject({
      id: first.id,
      name: 'Wheelhouse',
      baseTheme: 'day',
      parameters: { colors: {}, settings: {} },
    });
    expect((await ask(path, { method: 'DELETE' })).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expect(await refusal(await ask(path, { method }))).toEqual([404, 'style_not_found']);
    }
    const body = NIGHT_BRIDGE;
    expect(await refusal(await ask(path, { method: 'PUT', body }))).toEqual([
      404,
      'style_not_found',
    ]);
  });

  test('changes only the fields that a POST contains', async () => {
    const made = await create();
    const path = `${STYLES}/${made.id}`;
    const post = (body: object) => ask(path, { method: 'POST', body });
    expect(await (await post({ theme: 'dusk' })).json()).toEqual({
      ...made,
      baseTheme: 'dusk',
      updatedAt: expect.any(Number),
    });
    const changed = await post({ parameters: { settings: { soundingOpacity: 0.7 } } });
    expect(await changed.json()).toMatchObject({
      name: 'Night bridge',
      baseTheme: 'dusk',
      parameters: { colors: {}, settings: { soundingOpacity: 0.7 } },
    });
    await create({ name: 'Other' });
    expect(await refusal(await post({ name: 'Other' }))).toEqual([409, 'style_name_taken']);
    expect(await refusal(await post({ name: ' ' }))).toEqual([400, 'bad_style']);
    const unknown = await ask(`${STYLES}/42`, { method: 'POST', body: {} });
    expect(await refusal(unknown)).toEqual([404, 'style_not_found']);
  });

  test('increases updatedAt with each change, even within one millisecond', async () => {
    const now = Date.now();
    vi.useFakeTimers({ now, toFake: ['Date'] });
    try {
      const { id, updatedAt } = await create();
      const times = [updatedAt];
      for (const name of ['a', 'b']) {
        const response = await ask(`${STYLES}/${id}`, { method: 'PUT', body: { name } });
        times.push(((await response.json()) as { updatedAt: number }).updatedAt);
      }
      expect(times).toEqual([0, 1, 2].map((step) => now + step));
    } finally {
      vi.useRealTimers();
    }
  });

  test('keeps unknown keys, and treats null as absent', async () => {
    const parameters = {
      iconTheme: 'round',
      colors: { theirSlot: '#010203' },
      settings: { iconSet: 'simple', soundingOpacity: 0.5, depthLimit: null, nested: { a: [1] } },
    };
    const { id } = await create({ name: 'Theirs', baseTheme: null, parameters });
    const kept = (await (await ask(`${STYLES}/${id}`)).json()) as { parameters: object };
    expect(kept.parameters).toEqual(parameters);
    expect((await ask(`/api/v1/styles/base.json?styleId=${id}`)).status).toBe(200);
  });

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ name: 'a\u0007b' }, 'name'],
    [{ name: 'x', baseTheme: 'noon' }, 'baseTheme'],
    [{ name: 'x', parameters: [] }, 'parameters'],
    [{ name: 'x', parameters: { colors: { DEPVS: 'red' } } }, 'parameters.colors.DEPVS'],
    [{ name: 'x', parameters: { colors: { DEPVS: '#12345' } } }, 'parameters.colors.DEPVS'],
    [
      { name: 'x', parameters: { settings: { depthLimit: '3' } } },
      'parameters.settings.depthLimit',
    ],
    [
      { name: 'x', parameters: { settings: { depthLimit: 1e9 } } },
      'parameters.settings.depthLimit',
    ],
    [{ name: 'x', parameters: { settings: { depthlimit: 9 } } }, 'parameters.settings.depthlimit'],
    [{ name: 'x', parameters: { settings: { theme: 'day' } } }, 'parameters.settings.theme'],
    [{ name: 'x', parameters: { settings: { showNoData: 1 } } }, 'parameters.settings.showNoData'],
    [{ name: 'x', parameters: { settings: { font: '<b>' } } }, 'parameters.settings.font'],
    [
      { name: 'x', parameters: { settings: { hideLayers: 'a' } } },
      'parameters.settings.hideLayers',
    ],
    [
      { name: 'x', parameters: { settings: { satelliteTileUrl: 'ftp://a.example/{z}/{x}/{y}' } } },
      'parameters.settings.satelliteTileUrl',
    ],
    [{ name: 'x', parameters: { extra: 'y'.repeat(9000) } }, 'parameters'],
    [{ name: 'x\u0000' }, ''],
    [{ name: 'x', parameters: { extra: '\ud800' } }, ''],
    [{ name: 'x', parameters: { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } } }, ''],
  ])('refuses row %# and names %s', async (body, path) => {
    const response = await ask(STYLES, { method: 'POST', body });
    const problem = (await response.json()) as { code: string; errors: { path: string }[] };
    expect([response.status, problem.code]).toEqual([400, 'bad_style']);
    expect(problem.errors.map((one) => one.path)).toEqual([path]);
    expect((await database.query('SELECT count(*)::int AS n FROM saved_style')).rows).toEqual([
      { n: 0 },
    ]);
  });

  test.each([
    ['no JSON', { text: '{"name":' }, 400],
    ['no object', { text: '["name"]' }, 400],
    ['nothing', { text: '' }, 400],
    ['no UTF-8', { text: new Uint8Array([0x7b, 0xff, 0x7d]) }, 400],
    ['a number out of range', { text: '{"name":"x","parameters":{"a":1e400}}' }, 400],
    [
      'a number with more digits than are stored',
      { text: '{"name":"x","parameters":{"settings":{"other":12345678901234567890}}}' },
      400,
    ],
    [
      'ten thousand brackets',
      { text: `{"name":"x","a":${'['.repeat(1e4)}${']'.repeat(1e4)}}` },
      400,
    ],
    ['too much', { text: JSON.stringify({ name: 'x', a: 'y'.repeat(40_000) }) }, 413],
    ['something packed', { text: '{}', headers: { 'content-encoding': 'gzip' } }, 415],
    ['a form', { text: '{}', headers: { 'content-type': 'multipart/form-data' } }, 415],
  ])('refuses %s', async (_, sent, status) => {
    expect((await ask(STYLES, { method: 'POST', ...sent })).status).toBe(status);
  });

  test('gives a name to one style only, however many requests use it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => ask(STYLES, { method: 'POST', body: NIGHT_BRIDGE })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
    const { id } = await create({ name: 'Other' });
    const renamed = await ask(`${STYLES}/${id}`, { method: 'PUT', body: NIGHT_BRIDGE });
    expect(await refusal(renamed)).toEqual([409, 'style_name_taken']);
  });

  test('limits the number of styles per account', async () => {
    await database.query(
      `INSERT INTO saved_style SELECT gen_random_uuid(), 'tests', 'style ' || n, 'day', '{}', n, n
       FROM generate_series(1, $1) AS n`,
      [MAX_SAVED_STYLES],
    );
    const response = await ask(STYLES, { method: 'POST', body: NIGHT_BRIDGE });
    expect(await refusal(response)).toEqual([409, 'too_many_styles']);
  });

  test('separates the styles of accounts', async () => {
    const { id } = await create();
    const stranger = await tokenFor(app.keys, { account: 'strangers' });
    const path = `${STYLES}/${id}`;
    const asked = [
      ask(path, { token: stranger }),
      ask(path, { method: 'PUT', body: NIGHT_BRIDGE, token: stranger }),
      ask(path, { method: 'DELETE', token: stranger }),
      ask(`/api/v1/styles/base.json?styleId=${id}`, { token: stranger }),
      ask('/api/v1/styles/base.json?styleName=Night%20bridge', { token: stranger }),
    ];
    for (const response of await Promise.all(asked)) {
      expect(await refusal(response)).toEqual([404, 'style_not_found']);
    }
    expect(await (await ask(STYLES, { token: stranger })).json()).toEqual([]);
    await create(NIGHT_BRIDGE, stranger);
    expect((await ask(path)).status).toBe(200);
  });

  test('finds a style that another process saved a second ago', async () => {
    await ask(`/api/v1/styles/base.json?styleId=${(await create()).id}`);
    const other = crypto.randomUUID();
    await database.query(
      `INSERT INTO saved_style VALUES ($1, 'tests', 'from elsewhere', 'day', $2, 1, 1)`,
      [other, { colors: {}, settings: {} }],
    );
    const found = () => ask(`/api/v1/styles/base.json?styleId=${other}`);
    await expect.poll(async () => (await found()).status).toBe(200);
  });

  test('requires a token with the scope styles:write', async () => {
    const reader = await tokenFor(app.keys, { scopes: ['styles', 'tiles'] });
    expect(await refusal(await ask(STYLES, { token: reader }))).toEqual([403, 'scope_required']);
    expect((await app.fetch(STYLES)).status).toBe(401);
  });

  test.each(['nope', '../1', '%00', '%ff', 'a'.repeat(4000), 'null'])(
    'has no style under row %#',
    async (id) => {
      expect((await ask(`${STYLES}/${encodeURI(id)}`)).status).toBe(404);
    },
  );
});

describe('base.json with a saved style', () => {
  interface Document {
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly sprite: string;
    readonly layers: readonly { id: string; paint?: object; layout?: object }[];
  }
  const documentOf = async (query: string) => {
    const response = await ask(`/api/v1/styles/base.json?${query}`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(validateStyleMin(JSON.parse(text)).map(String)).toEqual([]);
    return { text, style: JSON.parse(text) as Document, etag: response.headers.get('etag')! };
  };

  test('uses its theme, colours and settings, and the query takes precedence', async () => {
    const { id } = await create();
    const { text, style } = await documentOf(`styleId=${id}`);
    expect(style.sprite).toMatch(/night$/);
    expect(style.metadata).toMatchObject({
      'leadline:depth-limit-meters': 7.5,
      'leadline:depth-units': 'feet',
    });
    expect(text).toContain('#112233');
    expect(text).toContain('#aabbcc');
    const plain = await documentOf('theme=night&depthLimit=7.5&depthUnits=feet&showLightSectors=0');
    expect(plain.text).not.toContain('#112233');
    expect(style.layers.map((layer) => layer.id)).toEqual(
      plain.style.layers.map((layer) => layer.id),
    );
    const asked = await documentOf(`styleId=${id}&depthLimit=2&theme=day`);
    expect(asked.style.metadata['leadline:depth-limit-meters']).toBe(2);
    expect(asked.style.metadata['leadline:depth-units']).toBe('feet');
    expect(asked.style.sprite).toMatch(/day$/);
    expect(asked.text).toContain('#112233');
  });

  test('is found by name, and an id takes precedence', async () => {
    const named = await create();
    const other = await create({ name: 'Other', parameters: { settings: { depthLimit: 11 } } });
    const byName = await documentOf('styleName=Night%20bridge');
    expect(byName.text).toBe((await documentOf(`styleId=${named.id}`)).text);
    expect(byName.text).toBe((await documentOf(`styleId=${named.id.toUpperCase()}`)).text);
    const both = await documentOf(`styleName=Night%20bridge&styleId=${other.id}`);
    expect(both.style.metadata['leadline:depth-limit-meters']).toBe(11);
    for (const query of ['styleName=night%20bridge', `styleId=${crypto.randomUUID()}`]) {
      const response = await ask(`/api/v1/styles/base.json?${query}`);
      expect(await refusal(response)).toEqual([404, 'style_not_found']);
    }
  });

  test('is fresh for 10 s, with a strong ETag that changes only with the style', async () => {
    const { id } = await create();
    const address = `/api/v1/styles/base.json?styleId=${id}`;
    const { etag } = await documentOf(`styleId=${id}`);
    expect(etag).toMatch(/^"[\w-]+"$/);
    const headers = { 'if-none-match': etag };
    const same = await ask(address, { headers });
    expect([same.status, same.headers.get('cache-control')]).toEqual([304, 'private, max-age=10']);
    await ask(`${STYLES}/${id}`, { method: 'PUT', body: { ...NIGHT_BRIDGE, name: 'Renamed' } });
    expect((await ask(address, { headers })).status).toBe(304);
    const parameters = { ...NIGHT_BRIDGE.parameters, colors: { DEPVS: '#112234' } };
    await ask(`${STYLES}/${id}`, { method: 'PUT', body: { name: 'Renamed', parameters } });
    expect((await ask(address, { headers })).status).toBe(200);
    await ask(`${STYLES}/${id}`, { method: 'DELETE' });
    expect((await ask(address, { headers })).status).toBe(404);
  });

  test('is seen by another isolate after a short time', async () => {
    const { id } = await create();
    const { etag } = await documentOf(`styleId=${id}`);
    await database.query(`UPDATE saved_style SET base_theme = 'dusk' WHERE id = $1`, [id]);
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
    try {
      const later = await documentOf(`styleId=${id}`);
      expect(later.etag).not.toBe(etag);
      expect(later.style.sprite).toMatch(/dusk$/);
    } finally {
      vi.useRealTimers();
    }
  });

  test('the styles are copied to the edge only when they change', async () => {
    const KV = memoryNamespace();
    const put = vi.spyOn(KV, 'put');
    const own = await freshApp(inject('demoCharts'), {
      ASSETS: INDEX_ONLY,
      KV,
      ...database.bindings,
    });
    const send = (path: string, method: string, body?: unknown) =>
      own.fetch(path, {
        method,
        headers: { authorization: `Bearer ${own.token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const made = (await (await send(STYLES, 'POST', NIGHT_BRIDGE)).json()) as { id: string };
    expect(put).toHaveBeenCalledTimes(1);
    expect(KV.texts.get('saved-styles-v1/tests')).toContain(made.id);
    for (let round = 0; round < 3; round++) {
      await send(`/api/v1/styles/base.json?styleId=${made.id}`, 'GET');
    }
    expect(put).toHaveBeenCalledTimes(1);
    await send(`${STYLES}/${made.id}`, 'DELETE');
    expect(KV.texts.get('saved-styles-v1/tests')).toBe('[]');
  });
});
