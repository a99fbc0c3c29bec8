// Regions of the demo charts: the file as other programs read it, its tiles compared with the service,
// resumed downloads, refusals, and weekly changes.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { decodeTile } from '../../../shared/mvt/decode.ts';
import { spansOf } from '../../../shared/region/tile-ranges.ts';
import { runCommandLine } from '../../../tiles-build/commands/command-line.ts';
import { createClient } from '../../../workers/web/client/index.ts';
import { applyDelta, openRegion } from '../../../workers/web/client/region.ts';
import { type OpenApiDocument, responseCheck } from '../../support/openapi.ts';
import { fileSource } from '../../support/pmtiles-file.ts';
import { blobOf, earlierCharts, publishBeside } from '../../support/region-charts.ts';
import { type Service, startService } from '../../support/service.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const PORT = [-20.06, -30.06, -19.94, -29.94] as const;
const QUERY = `bbox=${PORT.join(',')}&maxZoom=15`;

let service: Service;
let folder: string;
let earlier: string;
let token: string;
/** The complete file of the port. */
let whole: Buffer;
let etag: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-regions-'));
  service = await startService({
    charts: inject('demoCharts'),
    assetsDir: inject('assets'),
    settings: { REGION_MAX_BYTES: '8000000' },
  });
  token = await service.token();
  earlier = await earlierCharts(inject('demoCharts'));
  await publishBeside(service, earlier);
  const answer = await service.get(`/api/v1/regions?${QUERY}`);
  expect(answer.status).toBe(200);
  whole = Buffer.from(await answer.arrayBuffer());
  etag = answer.headers.get('etag')!;
  expect(answer.headers.get('content-length')).toBe(`${whole.length}`);
});
afterAll(async () => {
  await service?.stop();
  for (const made of [folder, earlier]) if (made) rmSync(made, { recursive: true, force: true });
});

const get = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.get(`/api/v1/regions?${query}`, { headers, method });

const refusalOf = async (answer: Response) =>
  [answer.status, ((await answer.json()) as { code: string }).code] as const;

/** Runs an operator command and returns its output. */
async function charts(...words: string[]) {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await runCommandLine(words, { out: say, note: say, isTerminal: false });
  return { code, said: said.join('\n') };
}

const extract = async (from: string, out: string, box: readonly number[], zoom = 15) => {
  const path = join(folder, out);
  const words = ['--charts', from, '--assets', inject('assets'), '--bbox', box.join(',')];
  const done = await charts('extract', ...words, '--max-zoom', `${zoom}`, path);
  expect(done.code, done.said).toBe(0);
  return { path, said: done.said, bytes: readFileSync(path) };
};

test('the file of a region is a PMTiles archive that its library opens, with the stored tiles of the box', async () => {
  const path = join(folder, 'whole.pmtiles');
  writeFileSync(path, whole);
  const archive = new PMTiles(fileSource(path));
  const published = new PMTiles(fileSource(wholeArchive(inject('demoCharts'), 'enc-v2')));
  let stored = 0;
  for (let z = 0; z <= 15; z++) {
    for (const { left, right, top, bottom } of spansOf(PORT, z)) {
      for (let x = left; x <= right; x++) {
        for (let y = top; y <= bottom; y++) {
          const [own, theirs] = await Promise.all([
            archive.getZxy(z, x, y),
            published.getZxy(z, x, y),
          ]);
          expect(own === undefined, `${z}/${x}/${y}`).toBe(theirs === undefined);
          if (own === undefined) continue;
          stored++;
          expect(Buffer.from(own.data).equals(Buffer.from(theirs!.data))).toBe(true);
        }
      }
    }
  }
  const header = await archive.getHeader();
  expect([header.numAddressedTiles, header.clustered]).toEqual([stored, true]);
  expect(stored).toBeGreaterThan(50);
  expect(await archive.getMetadata()).toMatchObject({
    format: 'pbf',
    version: expect.any(String),
  });
});

test('the file of a region is a zip for other programs, with styles, symbols, glyphs and a description', () => {
  const path = join(folder, 'whole.zip');
  writeFileSync(path, whole);
  const program = `import sys,zipfile,json
z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps([z.namelist(), json.loads(z.read('region.json'))]))`;
  const [names, note] = JSON.parse(
    execFileSync('python3', ['-c', program, path], { maxBuffer: 1e8 }).toString(),
  ) as [string[], { bounds: number[]; charted: boolean; cells: { name: string }[] }];
  expect(names).toEqual(
    expect.arrayContaining([
      'region.json',
      'styles/day.json',
      'styles/night-live.json',
      'sprites/dusk@2x.png',
      'glyphs/Noto Sans Regular/0-255.pbf',
    ]),
  );
  expect(note.bounds).toEqual([...PORT]);
  expect(note.charted).toBe(true);
  expect(note.cells.map(({ name }) => name)).toContain('ZL5WICKE');
});

test('the file of a region contains each tile of the box like the service, including tiles that are not stored', async () => {
  const region = await openRegion(blobOf(whole));
  for (const z of [0, 3, 7, 9, 12, 13, 14, 15, 16]) {
    for (const { left, right, top, bottom } of spansOf(PORT, z)) {
      // The corners and every fifth of many tiles.
      for (let x = left; x <= right; x += x + 5 < right ? 5 : 1) {
        for (let y = top; y <= bottom; y += y + 5 < bottom ? 5 : 1) {
          const answer = await service.get(`/api/v2/tiles/enc-v2/${z}/${x}/${y}.mvt`);
          const theirs = Buffer.from(await answer.arrayBuffer());
          const own = (await region.tile({ z, x, y })) ?? new Uint8Array(0);
          expect(theirs.equals(own), `${z}/${x}/${y}`).toBe(true);
        }
      }
    }
  }
});

test('the file of a region contains no tile outside the region, not even a coarser one', async () => {
  const region = await openRegion(blobOf(whole));
  expect(await region.tile({ z: 12, x: 0, y: 0 })).toBeUndefined();
  expect(await region.tile({ z: 17, x: 58260, y: 76988 })).toBeUndefined();
  const outside = await region.protocol({ url: 'region://here/tiles/12/0/0' });
  expect(outside.data).toEqual(new Uint8Array(0));
  expect(decodeTile(outside.data as Uint8Array)).toEqual([]);
});

test('the file of a region equals the output of `charts extract`', async () => {
  const made = await extract(inject('demoCharts'), 'extract.pmtiles', PORT);
  expect(made.bytes.equals(whole)).toBe(true);
  expect(made.said).toMatch(/Not for navigation/);
});

test('the file of a region has features for queries, as a PMTiles archive after the tiles', async () => {
  const { note } = await openRegion(blobOf(whole));
  const { offset, bytes, tiles } = note.query!;
  const path = join(folder, 'query.pmtiles');
  writeFileSync(path, whole.subarray(offset, offset + bytes));
  const archive = new PMTiles(fileSource(path));
  expect((await archive.getHeader()).numAddressedTiles).toBe(tiles);
  expect(tiles).toBeGreaterThan(10);
  expect(bytes).toBeGreaterThan(1000);
});

test('an interrupted download resumes at its end, and the parts form the file', async () => {
  const cuts = [0, 1, 126, 127, 4000, 100_001, whole.length - 23, whole.length - 1, whole.length];
  const parts: Buffer[] = [];
  for (const [i, end] of cuts.slice(1).entries()) {
    const range = `bytes=${cuts[i]}-${end - 1}`;
    const answer = await get(QUERY, { range, 'if-match': etag });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      206,
      `bytes ${cuts[i]}-${end - 1}/${whole.length}`,
    ]);
    parts.push(Buffer.from(await answer.arrayBuffer()));
  }
  expect(Buffer.concat(parts).equals(whole)).toBe(true);
});

test('an interrupted download gets the length from HEAD and from the plan, before any tile is read', async () => {
  // Ranges apply only to GET (RFC 9110, section 14.2).
  for (const range of ['', 'bytes=0-9', `bytes=${whole.length}-`]) {
    const { status, headers } = await get(QUERY, range === '' ? {} : { range }, 'HEAD');
    const values = ['content-length', 'etag', 'content-range'].map((name) => headers.get(name));
    expect([range, status, ...values]).toEqual([range, 200, `${whole.length}`, etag, null]);
  }
  const plan = await (await service.get(`/api/v1/regions/plan?${QUERY}`)).json();
  expect(plan).toMatchObject({ bytes: whole.length, etag, charted: true, delta: null });
});

test('an interrupted download is refused with 412, or restarted with If-Range, if the charts have changed', async () => {
  const other = '"earlier-build-of-these.0123456789abcdef.0123456789abcdef"';
  const range = 'bytes=100-199';
  const refused = await get(QUERY, { range, 'if-match': other });
  expect(await refusalOf(refused)).toEqual([412, 'region_changed']);
  const anew = await get(QUERY, { range, 'if-range': other });
  expect([anew.status, Buffer.from(await anew.arrayBuffer()).equals(whole)]).toEqual([200, true]);
  const resumed = await get(QUERY, { range, 'if-range': etag });
  expect(resumed.status).toBe(206);
  await resumed.arrayBuffer();
});

test('a region, a part of it, a delta and each refusal conform to the OpenAPI document', async () => {
  const document = (await (await service.get('/openapi.json')).json()) as OpenApiDocument;
  const check = responseCheck(document);
  const { note } = await openRegion(blobOf(whole));
  const delta = `${QUERY}&from=${encodeURIComponent(note.id)}`;
  for (const [query, headers, status] of [
    [QUERY, {}, 200],
    [QUERY, { range: 'bytes=0-5' }, 206],
    [delta, {}, 200],
    [delta, { range: 'bytes=0-5' }, 206],
    [QUERY, { 'if-none-match': etag }, 304],
    [QUERY, { 'if-none-match': '*' }, 304],
    [QUERY, { 'if-match': '"x"' }, 412],
    [QUERY, { range: `bytes=${whole.length}-` }, 416],
    ['bbox=1', {}, 400],
  ] as const) {
    const answer = await get(query, headers);
    expect([query, answer.status]).toEqual([query, status]);
    expect(await check('GET', '/api/v1/regions', answer)).toEqual([]);
  }
});

test('an interrupted download is 304 if nothing changed, and 416 beyond the end', async () => {
  const same = await get(QUERY, { 'if-none-match': etag });
  expect(same.status).toBe(304);
  const beyond = await get(QUERY, { range: `bytes=${whole.length}-` });
  expect(beyond.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  expect(await refusalOf(beyond)).toEqual([416, 'range_not_satisfiable']);
});

test('an interrupted download is resumed by one call of the client, from the given byte', async () => {
  const { regions } = createClient({ address: service.address, token });
  const plan = await regions.plan({ bbox: PORT, maxZoom: 15 });
  const parts = [whole.subarray(0, 1000)];
  for await (const { at, bytes } of regions.download(plan, {
    start: 1000,
    partBytes: 2_000_000,
  })) {
    expect(at).toBe(parts.reduce((sum, { length }) => sum + length, 0));
    parts.push(Buffer.from(bytes));
  }
  expect(Buffer.concat(parts).equals(whole)).toBe(true);
});

test('the changes of a week are a small delta that turns the older file into a new extract', async () => {
  const old = await extract(earlier, 'old.pmtiles', PORT);
  const { note } = await openRegion(blobOf(old.bytes));
  const { regions } = createClient({ address: service.address, token });
  const plan = await regions.plan({ bbox: PORT, maxZoom: 15, from: note.id });
  expect(plan.delta).toMatchObject({ from: note.id, changed: 2, removed: 1 });
  const parts: Uint8Array[] = [];
  for await (const { bytes } of regions.downloadDelta(plan)) parts.push(bytes);
  const delta = blobOf(...parts);
  expect(delta.size).toBe(plan.delta!.bytes);
  expect(delta.size).toBeLessThan(whole.length / 20);
  const made: Uint8Array[] = [];
  for await (const bytes of applyDelta(blobOf(old.bytes), delta)) made.push(bytes);
  expect(Buffer.concat(made).equals(whole)).toBe(true);
  for (const cut of [3, 11, 200, delta.size - 1]) {
    const broken = applyDelta(blobOf(old.bytes), delta.slice(0, cut));
    await expect(broken.next()).rejects.toThrow();
  }
  await expect(applyDelta(blobOf(whole), delta).next()).rejects.toThrow(
    'The delta is for a different region file.',
  );
});

test('the changes of a week are empty if the file is current', async () => {
  const { note } = await openRegion(blobOf(whole));
  const plan = (await (
    await service.get(`/api/v1/regions/plan?${QUERY}&from=${note.id}`)
  ).json()) as { delta: { bytes: number; changed: number; removed: number } };
  expect(plan.delta).toMatchObject({ changed: 0, removed: 0 });
  expect(plan.delta.bytes).toBeLessThan(400);
});

test.each([
  ['a build that was deleted', 'no-such-build-of-ours.0123456789abcdef.0123456789abcdef'],
  ['another box', 'earlier-build-of-these.0123456789abcdef.0123456789abcdef'],
])('the changes of a week are 404 for a file of %s', async (_, from) => {
  expect(await refusalOf(await get(`${QUERY}&from=${from}`))).toEqual([404, 'region_not_known']);
});

describe('a box', () => {
  test('across 180° is one region of both sides', async () => {
    const answer = await get('bbox=179.5,-10,-179.5,10&maxZoom=6');
    const region = await openRegion(new Blob([await answer.arrayBuffer()]));
    expect(region.note.bounds).toEqual([179.5, -10, -179.5, 10]);
    for (const x of [0, 63]) {
      const own = await region.tile({ z: 6, x, y: 31 });
      const theirs = await service.get(`/api/v2/tiles/enc-v2/6/${x}/31.mvt`);
      expect(Buffer.from(await theirs.arrayBuffer()).equals(own ?? new Uint8Array(0))).toBe(true);
    }
    expect(await region.tile({ z: 6, x: 32, y: 31 })).toBeUndefined();
  });

  test('without charts is marked as empty in the plan and in the file', async () => {
    const query = 'bbox=100,10,101,11&maxZoom=15';
    const plan = await (await service.get(`/api/v1/regions/plan?${query}`)).json();
    expect(plan).toMatchObject({ charted: false, cells: [] });
    const region = await openRegion(new Blob([await (await get(query)).arrayBuffer()]));
    expect(region.note.charted).toBe(false);
    expect(region.note.notices[0]).toMatch(/^No chart lies in this region/);
    const made = await extract(inject('demoCharts'), 'none.pmtiles', [100, 10, 101, 11]);
    expect(made.said).toContain('No chart lies in this region');
  });

  test('ends at the deepest zoom of the service, or at the requested lower zoom', async () => {
    const lastOf = async (maxZoom: number) => {
      const answer = await service.get(
        `/api/v1/regions/plan?bbox=${PORT.join(',')}&maxZoom=${maxZoom}`,
      );
      const { lastZoom, storedZoom } = (await answer.json()) as Record<string, number>;
      return [lastZoom, storedZoom];
    };
    expect(await lastOf(16)).toEqual([16, 15]);
    expect(await lastOf(15)).toEqual([16, 15]);
    expect(await lastOf(14)).toEqual([14, 14]);
    expect(await lastOf(0)).toEqual([0, 0]);
  });

  test.each([
    ['nothing', ''],
    ['no zoom', 'bbox=1,2,3,4'],
    ['no box', 'maxZoom=3'],
    ['a box of three numbers', 'bbox=1,2,3&maxZoom=3'],
    ['a box upside down', 'bbox=1,4,3,2&maxZoom=3'],
    ['a box without area', 'bbox=1,2,1,4&maxZoom=3'],
    ['a line', 'bbox=1,2,3,2&maxZoom=3'],
    ['the pole alone', 'bbox=1,86,3,90&maxZoom=3'],
    ['words', 'bbox=west,south,east,north&maxZoom=3'],
    ['values that are not finite', 'bbox=NaN,0,Infinity,1&maxZoom=3'],
    ['a zoom too deep', 'bbox=1,2,3,4&maxZoom=17'],
    ['a zoom with a fraction', 'bbox=1,2,3,4&maxZoom=3.5'],
    ['a zoom below zero', 'bbox=1,2,3,4&maxZoom=-1'],
    ['two boxes', 'bbox=1,2,3,4&bbox=2,3,4,5&maxZoom=3'],
    ['an invalid older file', 'bbox=1,2,3,4&maxZoom=3&from=../../current.json'],
  ])('is 400 with the name of the parameter for %s', async (_, query) => {
    for (const path of ['', '/plan']) {
      const answer = await service.get(`/api/v1/regions${path}?${query}`);
      expect(await refusalOf(answer)).toEqual([400, 'bad_region']);
    }
  });
});

describe('a region of many bytes', () => {
  test('is 413 by the plan of the account, and the error names the way to larger ones', async () => {
    const large = 'bbox=-30,-38,-10,-22&maxZoom=15';
    const standard = await service.token({ plan: 'standard' });
    const answer = await get(large, { authorization: `Bearer ${standard}` });
    const problem = (await answer.json()) as { code: string; detail: string; limitBytes: number };
    expect([answer.status, problem.code, problem.limitBytes]).toEqual([
      413,
      'region_too_large',
      8_000_000,
    ]);
    expect(problem.detail).toMatch(/charts extract/);
    const enterprise = await get(large, {}, 'HEAD');
    expect(enterprise.status).toBe(200);
  });

  test('a box of nearly the whole world is planned or refused in a short time', async () => {
    const answer = await get('bbox=-179.99,-85,179.99,85&maxZoom=16', {}, 'HEAD');
    expect([200, 413]).toContain(answer.status);
  });
});

test('a token without the tiles scope is 403, and a missing token 401', async () => {
  const other = await service.token({ scopes: ['query'] });
  const refused = await get(QUERY, { authorization: `Bearer ${other}` });
  expect(await refusalOf(refused)).toEqual([403, 'scope_required']);
  const none = await fetch(`${service.address}/api/v1/regions?${QUERY}`);
  expect(none.status).toBe(401);
});

test('each tile of a region is complete: it decompresses to the content of its checksum', async () => {
  const region = await openRegion(blobOf(whole));
  const damaged = Buffer.from(whole);
  // A byte in the tiles: after the header, well before the end of the archive of tiles.
  const { bytes } = region.note.chart;
  for (let at = bytes - 2000; at < bytes; at++) damaged[at]! ^= 0xff;
  const harmed = await openRegion(blobOf(damaged));
  const reads: Promise<unknown>[] = [];
  for (const { left, right, top, bottom } of spansOf(PORT, 15)) {
    for (let x = left; x <= right; x++) {
      for (let y = top; y <= bottom; y++) reads.push(harmed.tile({ z: 15, x, y }));
    }
  }
  const ends = await Promise.allSettled(reads);
  expect(ends.some(({ status }) => status === 'rejected')).toBe(true);
});
