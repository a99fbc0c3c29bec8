// The token of a caller in style documents: it appears only in URLs of this service, whatever the
// parameters, saved styles and headers are.

import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { styleQuerySchema } from '../../shared/contract/style-params.ts';
import { COLOR_TOKENS } from '../../shared/style/palette.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';
import { isLong } from '../support/long-run.ts';
import { INDEX_ONLY } from '../support/style-assets.ts';

const SEED = 20_261_122;
const RUNS = isLong ? 1500 : 40;
const OWN = 'http://leadline.test';
const STYLES = '/api/portal/v1/styles';

/** Texts that a careless template of the document could replace with a token. */
const MARKS = [
  '~token~',
  '~TOKEN~',
  '~token~~token~',
  '{token}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template placeholder, as text
  '${token}',
  '%7Etoken%7E',
  '%257Etoken%257E',
  '%7Btoken%7D',
  '\\u007etoken\\u007e',
  '&token=',
  '?token=',
  '$&',
  '$1',
  '$$',
  '$`',
  "$'",
  '$<token>',
  ':token',
  '<token>',
  '%s',
  '"~token~"',
  'token',
];

const templates = (placeholders: string) => (mark: string) => [
  `https://foreign.example/${mark}/${placeholders}`,
  `https://foreign.example/${placeholders}?k=${mark}`,
  `http://foreign.example/${placeholders}?token=${mark}&a=b`,
  `https://${mark}.foreign.example/${placeholders}`,
];
const imagery = templates('{z}/{x}/{y}');
const letters = templates('{fontstack}/{range}');

const NAMES = Object.keys(styleQuerySchema.shape);
const anyMark = fc.oneof(fc.constantFrom(...MARKS), fc.string({ maxLength: 12 }));
const oneOf = (values: readonly string[]) => fc.constantFrom(...values);
const VALUES = fc.oneof(
  anyMark,
  anyMark.chain((mark) => oneOf([...imagery(mark), ...letters(mark)])),
  oneOf(['true', 'full', 'day', '4.5', 'Noto Sans Regular', 'SOUNDG-label']),
);
/** Parameters for which the document contains each kind of URL, with hostile values. */
const OPEN = { showSatellite: 'true', showUserReports: 'true' };
const queries = fc
  .tuple(
    fc.dictionary(oneOf([...NAMES, 'unknown', '~token~']), VALUES, { maxKeys: 2 }),
    anyMark.chain((mark) => oneOf(imagery(mark))),
    anyMark.chain((mark) => oneOf(letters(mark))),
  )
  .map(([some, satelliteTileUrl, glyphs]) => ({ ...OPEN, satelliteTileUrl, glyphs, ...some }));

type Text = readonly [path: string, text: string];

/** Each text of a document, including keys, with its path. */
function textsOf(value: unknown, path = '', found: Text[] = []): readonly Text[] {
  if (typeof value === 'string') found.push([path, value]);
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    found.push([`${path} (key)`, key]);
    textsOf(inner, `${path}/${key}`, found);
  }
  return found;
}

/** Decodes the escapes of a URL until none is left. */
function plain(text: string): string {
  try {
    const once = decodeURIComponent(text);
    return once === text ? text : plain(once);
  } catch {
    return text;
  }
}

/** The paths of texts that contain any part of the token. @throws if the URL is not ours */
function placesOf(token: string, document: unknown): string[] {
  const parts = token.split('.').slice(1);
  const places: string[] = [];
  for (const [path, text] of textsOf(document)) {
    const open = text.includes('%') ? plain(text) : text;
    if (![text, open].some((one) => parts.some((part) => one.includes(part)))) continue;
    expect(path).not.toContain('(key)');
    const address = new URL(text);
    expect(address.origin, path).toBe(OWN);
    expect(address.pathname, path).toMatch(/^\/api\//);
    expect(address.searchParams.getAll('token'), path).toEqual([token]);
    places.push(path);
  }
  return places;
}

const CHART = '/sources/chart/tiles/0';
const REPORTS = '/sources/userReports/tiles/0';

describe(`the token of the caller (seed ${SEED})`, () => {
  let database: TestDatabase;
  let app: DirectApp;
  beforeAll(async () => {
    database = await freshDatabase();
    app = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY, ...database.bindings });
  });
  afterAll(async () => {
    await database?.stop();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test('is in the same document, with and without compression', async () => {
    const plain = await get({});
    const packed = await get({}, { 'accept-encoding': 'gzip' });
    const encodings = [plain, packed].map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual([null, 'gzip']);
    const bytes = gunzipSync(new Uint8Array(await packed.arrayBuffer()));
    expect(bytes.toString()).toBe(await plain.text());
  });

  const get = async (query: Record<string, string>, headers: Record<string, string> = {}) => {
    const words = new URLSearchParams({ ...query, token: app.token });
    return app.fetch(`/api/v1/styles/base.json?${words}`, { headers });
  };
  const expectOnlyOwn = async (response: Response) => {
    expect(response.status).toBe(200);
    const document = (await response.json()) as { sources: object };
    const places = placesOf(app.token, document);
    const wanted = 'userReports' in document.sources ? [CHART, REPORTS] : [CHART];
    expect(places.sort()).toEqual(wanted);
  };

  test(`is put only into the URLs of the service, with each placeholder in each parameter`, async () => {
    let answered = 0;
    const marked = MARKS.flatMap((mark) =>
      NAMES.flatMap((name) => {
        if (name === 'satelliteTileUrl') return imagery(mark).map((value) => ({ [name]: value }));
        if (name === 'glyphs') return letters(mark).map((value) => ({ [name]: value }));
        return [{ [name]: mark }];
      }),
    );
    for (const [i, one] of marked.entries()) {
      if (!isLong && i % 5 !== 0) continue;
      const response = await get({ ...OPEN, ...one });
      if (response.status === 200) answered++;
      else expect([400, 404], JSON.stringify(one)).toContain(response.status);
      if (response.status === 200) await expectOnlyOwn(response);
      else expect(await response.text()).not.toContain(app.token);
    }
    expect(answered).toBeGreaterThan(isLong ? 60 : 12);
  });

  test(`goes to no other host, with any combination of parameters`, async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const response = await get(query);
        if (response.status !== 200) return;
        answered++;
        await expectOnlyOwn(response);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(answered).toBeGreaterThan(RUNS / 20);
  });

  test(`goes to no other host through the name, colours, settings and unknown keys of a saved style`, async () => {
    let saved = 0;
    for (const mark of MARKS) {
      await database.query('DELETE FROM saved_style');
      const body = {
        name: mark,
        parameters: {
          [mark]: mark,
          colors: { [mark.slice(0, 60)]: '#010203', [COLOR_TOKENS[0]!]: '#112233' },
          settings: {
            [mark]: mark,
            hideLayers: ['token'],
            showSatellite: true,
            showUserReports: true,
            satelliteTileUrl: imagery(mark)[1],
            glyphs: letters(mark)[1],
            font: 'token',
          },
        },
      };
      const made = await app.fetch(STYLES, {
        method: 'POST',
        headers: { authorization: `Bearer ${app.token}` },
        body: JSON.stringify(body),
      });
      if (made.status === 400) continue;
      expect(made.status).toBe(201);
      saved++;
      const { id } = (await made.json()) as { id: string };
      await expectOnlyOwn(await get({ styleId: id }));
      await expectOnlyOwn(await get({ styleName: mark }));
    }
    expect(saved).toBeGreaterThan(MARKS.length / 2);
  });

  test(`goes to no other host through headers`, async () => {
    for (const host of ['foreign.example', 'foreign.example/~token~', '~token~']) {
      const headers = {
        origin: `https://${host}`,
        referer: `https://${host}/`,
        host,
        forwarded: `host=${host};proto=https`,
        'x-forwarded-host': host,
        'x-forwarded-proto': 'https',
        'x-original-host': host,
        'x-original-url': `https://${host}/`,
      };
      await expectOnlyOwn(await get(OPEN, headers));
    }
  });

  test(`is only in our own URLs in raster.json and TileJSON`, async () => {
    for (const path of ['/api/v1/styles/raster.json', '/api/v2/tiles/enc-v2.json']) {
      const words = new URLSearchParams({ token: app.token, tiles: '~token~', '~token~': 'x' });
      const response = await app.fetch(`${path}?${words}`);
      expect(response.status).toBe(200);
      expect(placesOf(app.token, await response.json())).toHaveLength(1);
    }
  });
});

test('cached documents contain no token, and are built once for all callers', async () => {
  const made: unknown[] = [];
  vi.resetModules();
  vi.doMock('../../shared/style/document/build-style.ts', async (original) => {
    const real = await original<typeof import('../../shared/style/document/build-style.ts')>();
    const kept = (input: Parameters<typeof real.buildStyle>[0]) => {
      made.push(structuredClone(input));
      return real.buildStyle(input);
    };
    return { ...real, buildStyle: kept };
  });
  try {
    const { createApp } = await import('../../workers/service/app.ts');
    const app = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY }, createApp);
    const path = '/api/v1/styles/base.json?showUserReports=true&depthLimit=4.25';
    const byQuery = async (token: string) => (await app.fetch(`${path}&token=${token}`)).text();
    const { tokenFor } = await import('../support/service.ts');
    const other = await tokenFor(app.keys, { subject: 'other' });
    made.length = 0;
    const first = await byQuery(app.token);
    const second = await byQuery(other);
    const headers = { authorization: `Bearer ${app.token}` };
    const third = await (await app.fetch(path, { headers })).text();
    expect(made).toHaveLength(1);
    expect(JSON.stringify(made)).not.toContain(app.token);
    expect(first).toContain(app.token);
    expect(second).toContain(other);
    expect(second).not.toContain(app.token);
    for (const token of [app.token, other]) expect(third).not.toContain(token);
    expect(first.replaceAll(app.token, '')).toBe(second.replaceAll(other, ''));
  } finally {
    vi.doUnmock('../../shared/style/document/build-style.ts');
  }
});

test('a document with a token is compressed once for all requests with this token', async () => {
  let count = 0;
  const Original = CompressionStream;
  vi.stubGlobal(
    'CompressionStream',
    class extends Original {
      constructor(format: CompressionFormat) {
        super(format);
        count++;
      }
    },
  );
  try {
    const app = await freshApp(inject('demoCharts'), { ASSETS: INDEX_ONLY });
    const { tokenFor } = await import('../support/service.ts');
    const other = await tokenFor(app.keys, { subject: 'other' });
    const path = '/api/v1/styles/base.json?depthLimit=6.5';
    const packedWith = async (token: string) => {
      const headers = { 'accept-encoding': 'gzip' };
      const response = await app.fetch(`${path}&token=${token}`, { headers });
      return gunzipSync(await response.arrayBuffer()).toString();
    };
    const first = await packedWith(app.token);
    expect(await packedWith(app.token)).toBe(first);
    expect([count, first.includes(app.token)]).toEqual([1, true]);
    const second = await packedWith(other);
    expect([count, second.includes(app.token), second.includes(other)]).toEqual([2, false, true]);
  } finally {
    vi.stubGlobal('CompressionStream', Original);
  }
});
