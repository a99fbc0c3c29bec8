// Fonts of a style: those that the service has glyphs of, in queries and in saved styles, and the
// glyphs of lists of them.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { readGlyphRange } from '../../shared/raster/glyphs.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type DirectApp, freshApp } from '../support/direct-app.ts';

type Done = (error: Error | null, glyphs: Uint8Array) => void;
/** The package brings no types. */
const fontnik: { composite(ranges: readonly Uint8Array[], done: Done): void } = createRequire(
  import.meta.url,
)('fontnik');

const BASE = '/api/v1/styles/base.json';
const STYLES = '/api/portal/v1/styles';
const THERE = ['Noto Sans Bold', 'Noto Sans Italic', 'Noto Sans Regular'];
const ELSEWHERE = 'https://letters.example/{fontstack}/{range}.pbf';

/** The static assets of a folder, as the platform serves them. */
const folder = (root: string) => ({
  fetch: async (input: Request | string) => {
    const { pathname } = new URL(typeof input === 'string' ? input : input.url);
    try {
      return new Response(readFileSync(join(root, decodeURIComponent(pathname))));
    } catch {
      return new Response(null, { status: 404 });
    }
  },
});

let database: TestDatabase;
let app: DirectApp;
beforeAll(async () => {
  database = await freshDatabase();
  const ASSETS = folder(inject('assets'));
  app = await freshApp(inject('demoCharts'), { ASSETS, ...database.bindings });
});
afterAll(async () => {
  await database?.stop();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const send = (path: string, method = 'GET', body?: unknown) =>
  app.fetch(path, {
    method,
    headers: { authorization: `Bearer ${app.token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const styleOf = (query: Record<string, string>) => send(`${BASE}?${new URLSearchParams(query)}`);

interface Document {
  readonly glyphs: string;
  readonly layers: readonly { id: string; layout?: Record<string, unknown> }[];
}
const fontOf = async (response: Response) => {
  expect(response.status).toBe(200);
  const { layers } = (await response.json()) as Document;
  return layers.find(({ id }) => id === 'SOUNDG-label')!.layout!['text-font'];
};
const refusalOf = async (response: Response) => {
  expect(response.status).toBe(400);
  const body = (await response.json()) as {
    code: string;
    error: string;
    errors: { path: string; message: string }[];
  };
  return { code: body.code, error: body.error, ...body.errors[0]! };
};

describe('the available fonts', () => {
  test('the available fonts are the folders of the glyphs', () => {
    const root = join(inject('assets'), 'fonts');
    const [hash] = readdirSync(root);
    expect(readdirSync(join(root, hash!)).sort()).toEqual(THERE);
  });

  test.each(['Roboto Regular', 'noto sans regular', 'constructor', 'Roboto Regular,Arial'])(
    'font=%s, whose glyphs nobody has, is 400 and names them',
    async (font) => {
      const refusal = await refusalOf(await styleOf({ font }));
      expect(refusal).toMatchObject({ code: 'bad_style_parameter', path: 'font' });
      for (const name of THERE) {
        expect(refusal.message).toContain(name);
        expect(refusal.error).toContain(name);
      }
    },
  );

  test.each([
    ['Noto Sans Bold', ['Noto Sans Bold']],
    ['Noto Sans Italic', ['Noto Sans Italic']],
    ['Noto Sans Bold, Noto Sans Regular', ['Noto Sans Bold', 'Noto Sans Regular']],
    ['Roboto Regular,Noto Sans Regular', ['Noto Sans Regular']],
  ])('font=%s is drawn with its available fonts', async (font, used) => {
    expect(await fontOf(await styleOf({ font }))).toEqual(['literal', used]);
  });

  test.each(['Noto Sans', 'Roboto Regular, Noto Sans', 'Noto Sans,Noto Sans Bold'])(
    'font=%s returns the document without a font',
    async (font) => {
      const [asked, plain] = await Promise.all([styleOf({ font }), styleOf({})]);
      expect(await asked.json()).toEqual(await plain.json());
    },
  );

  test('the available fonts matter only if `glyphs` is the source of this service', async () => {
    const font = 'Roboto Regular,Arial';
    expect(await fontOf(await styleOf({ font, glyphs: ELSEWHERE }))).toEqual([
      'literal',
      ['Roboto Regular', 'Arial'],
    ]);
    const { glyphs } = (await (await styleOf({})).json()) as Document;
    expect((await refusalOf(await styleOf({ font, glyphs }))).path).toBe('font');
  });
});

test('a saved style with an unavailable font is rejected, and the available fonts are listed', async () => {
  const save = (settings: object) =>
    send(STYLES, 'POST', { name: crypto.randomUUID(), parameters: { settings } });
  const refusal = await refusalOf(await save({ font: 'Roboto Regular' }));
  expect(refusal).toMatchObject({ code: 'bad_style', path: 'parameters.settings.font' });
  for (const name of THERE) expect(refusal.message).toContain(name);
  const allowed = [
    { font: 'Noto Sans Bold' },
    { font: 'Noto Sans' },
    { font: 'Roboto Regular,Noto Sans Bold' },
    { font: 'Roboto Regular', glyphs: ELSEWHERE },
  ];
  for (const settings of allowed) expect((await save(settings)).status).toBe(201);
  const { id } = (await (await save({})).json()) as { id: string };
  const body = { name: 'x', parameters: { settings: { font: 'Roboto Regular' } } };
  expect((await refusalOf(await send(`${STYLES}/${id}`, 'PUT', body))).code).toBe('bad_style');
});

test('a saved style whose font was removed has the default fonts, but not for a font of the query', async () => {
  const body = {
    name: 'Elsewhere',
    parameters: { settings: { font: 'Roboto Regular', glyphs: ELSEWHERE } },
  };
  const { id } = (await (await send(STYLES, 'POST', body)).json()) as { id: string };
  expect(await fontOf(await styleOf({ styleId: id }))).toEqual(['literal', ['Roboto Regular']]);
  await database.query(
    `UPDATE saved_style SET parameters = '{"colors":{},"settings":{"font":"Roboto Regular"}}' WHERE id = $1`,
    [id],
  );
  const later = Date.now() + 60_000;
  vi.useFakeTimers({ now: later, toFake: ['Date'] });
  try {
    expect(await fontOf(await styleOf({ styleId: id }))).toEqual(await fontOf(await styleOf({})));
    const refusal = await refusalOf(await styleOf({ styleId: id, font: 'Arial' }));
    expect(refusal).toMatchObject({ code: 'bad_style_parameter', path: 'font' });
    const elsewhere = await fontOf(await styleOf({ styleId: id, glyphs: ELSEWHERE }));
    expect(elsewhere).toEqual(['literal', ['Roboto Regular']]);
    expect((await styleOf({ styleId: id, font: 'Noto Sans Bold' })).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

describe('glyphs of a list of fonts', () => {
  const rangeOf = async (fonts: string, range: string) => {
    const { glyphs } = (await (await styleOf({})).json()) as Document;
    const address = glyphs
      .replace('{fontstack}', encodeURIComponent(fonts))
      .replace('{range}', range);
    const response = await app.fetch(address.replace('http://leadline.test', ''));
    return { response, bytes: new Uint8Array(await response.clone().arrayBuffer()) };
  };

  test.each(['0-255', '256-511', '768-1023', '8192-8447'])(
    'glyphs of a list of fonts hold each letter of range %s as fontnik’s composite of them does',
    async (range) => {
      const fonts = ['Noto Sans Bold', 'Noto Sans Regular'];
      const { response, bytes } = await rangeOf(fonts.join(','), range);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toContain('immutable');
      const single = await Promise.all(
        fonts.map(async (font) => (await rangeOf(font, range)).bytes),
      );
      const composite = await new Promise<Uint8Array>((resolve, reject) => {
        fontnik.composite(
          single.map((one) => Buffer.from(one)),
          (error, made) => (error === null ? resolve(made) : reject(error)),
        );
      });
      // As text: comparing thousands of bytes one by one takes minutes.
      const sorted = (glyphs: Uint8Array) =>
        [...readGlyphRange(glyphs).values()]
          .sort((a, b) => a.code - b.code)
          .map(({ field, ...glyph }) =>
            JSON.stringify([glyph, Buffer.from(field).toString('hex')]),
          );
      const ours = sorted(bytes);
      expect(ours.length).toBeGreaterThan(10);
      expect(ours).toEqual(sorted(composite));
    },
  );

  test('glyphs of a list of fonts skip unavailable fonts, and are empty if no font has the range', async () => {
    const both = await rangeOf('Roboto Regular,Noto Sans Regular', '0-255');
    const one = await rangeOf('Noto Sans Regular', '0-255');
    expect([...readGlyphRange(both.bytes).keys()]).toEqual([...readGlyphRange(one.bytes).keys()]);
    for (const fonts of ['Roboto Regular,Arial', 'Noto Sans Bold,Noto Sans Regular']) {
      const { response, bytes } = await rangeOf(fonts, '64000-64255');
      expect([response.status, bytes.length]).toEqual([200, 0]);
    }
  });

  test.each(['Open Sans Regular,Arial Unicode MS Regular', 'Roboto Regular', 'constructor'])(
    'glyphs of %s, which are not available, are those of Noto Sans Regular',
    async (fonts) => {
      const { response, bytes } = await rangeOf(fonts, '0-255');
      const regular = await rangeOf('Noto Sans Regular', '0-255');
      expect(response.status).toBe(200);
      expect([...readGlyphRange(bytes)]).toEqual([...readGlyphRange(regular.bytes)]);
    },
  );
});

describe('glyphs that cannot be read', () => {
  /** @param broken end of the path of a file that the assets list, but cannot read */
  const answerOf = async (broken: string, status: number, fonts: string) => {
    const { fetch } = folder(inject('assets'));
    const ASSETS = {
      fetch: async (input: Request | string) => {
        const { pathname } = new URL(typeof input === 'string' ? input : input.url);
        const isBroken = decodeURIComponent(pathname).endsWith(broken);
        return isBroken ? new Response(null, { status }) : fetch(input);
      },
    };
    const faulty = await freshApp(inject('demoCharts'), { ASSETS });
    const style = await faulty.fetch(BASE, {
      headers: { authorization: `Bearer ${faulty.token}` },
    });
    const { glyphs } = (await style.json()) as Document;
    const path = glyphs
      .replace('http://leadline.test', '')
      .replace('{fontstack}', encodeURIComponent(fonts))
      .replace('{range}', '0-255');
    return faulty.fetch(path);
  };

  test.each([
    ['/Noto Sans Bold/0-255.pbf', 404, 'Noto Sans Bold,Noto Sans Regular'],
    ['/Noto Sans Bold/0-255.pbf', 503, 'Noto Sans Bold,Noto Sans Regular'],
    ['/Noto Sans Regular/0-255.pbf', 404, 'Roboto Regular'],
    ['/Noto Sans Regular/0-255.pbf', 503, 'Noto Sans Regular'],
  ])('%s with status %s are 503 for %s, which clients do not keep', async (...given) => {
    const response = await answerOf(...given);
    expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(await response.json()).toMatchObject({ code: 'artwork_unavailable' });
  });
});
