// Downloads from a local server with NOAA's and GitHub's responses: zips with an ENC_ROOT, entity tags, 404 pages
// and faults.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fetchCharts } from '../../../tiles-build/fetch/fetch-charts.ts';
import { readProvenance } from '../../../tiles-build/fetch/provenance.ts';
import { BACKGROUND_LAYERS } from '../../../tiles-build/fetch/sources.ts';
import { listen } from '../../support/listen.ts';
import { storeZip } from './support/store-zip.ts';

const cellZip = (name: string) =>
  storeZip({
    'ENC_ROOT/README.TXT': 'not for navigation',
    [`ENC_ROOT/${name}/${name}.000`]: 'base cell',
    [`ENC_ROOT/${name}/${name}.001`]: 'update',
  });

let server: Server;
let base: string;
let out: string;
let asked: string[];
/** Responses of the server by path. */
let answers: Map<string, (response: ServerResponse, tag: string | undefined) => void>;

function serve(path: string, body: string | Buffer, tag?: string): void {
  answers.set(path, (response, theirs) => {
    if (tag !== undefined && theirs === tag) response.writeHead(304).end();
    else {
      const headers = { 'content-length': Buffer.byteLength(body), ...(tag && { etag: tag }) };
      response.writeHead(200, headers).end(body);
    }
  });
}

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url!);
    const answer = answers.get(request.url!);
    if (answer) answer(response, request.headers['if-none-match']);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
  });
  base = `http://127.0.0.1:${await listen(server)}`;
});
afterAll(() => server.close());
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'leadline-fetch-'));
  asked = [];
  answers = new Map();
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

const lines: string[] = [];
const fetchCells = (
  cells: readonly string[],
  more: { withBackground?: boolean; now?: number } = {},
) =>
  fetchCharts({
    cells,
    withBackground: more.withBackground ?? false,
    out,
    sources: { noaa: `${base}/ENCs`, naturalEarth: `${base}/geojson` },
    now: more.now ?? 1_700_000_000_000,
    report: (line) => lines.push(line),
    retry: { pauseMs: 1, idleTimeoutMs: 500, maxBytes: 100_000 },
  });

describe('fetchCharts', () => {
  it('stores each zip unchanged in the cells folder, with its provenance', async () => {
    serve('/ENCs/US5WA22M.zip', cellZip('US5WA22M'));
    expect(await fetchCells(['us5wa22m', 'US5WA22M'])).toEqual({
      downloaded: 1,
      unchanged: 0,
      failures: [],
    });
    expect(readFileSync(join(out, 'cells/US5WA22M.zip'))).toEqual(cellZip('US5WA22M'));
    expect(await readProvenance(join(out, 'cells'))).toEqual({
      format: 1,
      sourcedAt: 1_700_000_000_000,
      sourceUrl: `${base}/ENCs`,
    });
  });

  it('sends a conditional request for an existing cell and keeps its download date', async () => {
    serve('/ENCs/US5WA22M.zip', cellZip('US5WA22M'), '"v1"');
    await fetchCells(['US5WA22M']);
    expect(await fetchCells(['US5WA22M'], { now: 1_800_000_000_000 })).toEqual({
      downloaded: 0,
      unchanged: 1,
      failures: [],
    });
    expect((await readProvenance(join(out, 'cells')))?.sourcedAt).toBe(1_700_000_000_000);
    serve('/ENCs/US5WA22M.zip', cellZip('US5WA22M'), '"v2"');
    expect((await fetchCells(['US5WA22M'])).downloaded).toBe(1);
  });

  it('reports a cell that does not exist and fetches the others', async () => {
    serve('/ENCs/US4AK4PG.zip', cellZip('US4AK4PG'));
    const fetched = await fetchCells(['US9XX99M', 'US4AK4PG', '../etc/passwd']);
    expect(fetched.downloaded).toBe(1);
    expect(fetched.failures).toEqual([
      '../ETC/PASSWD is not a valid cell name. Expected a name like US5WA22M.',
      `US9XX99M was not found at ${base}/ENCs/US9XX99M.zip.`,
    ]);
    expect(asked).toEqual(['/ENCs/US9XX99M.zip', '/ENCs/US4AK4PG.zip']);
  });

  it.each([
    ['a page instead of a zip', '<html>Maintenance</html>', 'is not a zip'],
    ['half a zip', cellZip('US5WA22M').subarray(0, 200), 'is not a zip'],
    ['another cell', cellZip('US4AK4PG'), 'does not contain this cell'],
    ['a file that is too large', Buffer.alloc(200_000), 'is larger than 100000 bytes'],
  ])('rejects %s and leaves no file', async (_name, body, message) => {
    serve('/ENCs/US5WA22M.zip', body);
    const { downloaded, failures } = await fetchCells(['US5WA22M']);
    expect(downloaded).toBe(0);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(message);
    expect(readdirSync(join(out, 'cells'))).toEqual([]);
  });

  const changed = cellZip('US5WA22M');
  changed[changed.indexOf('base cell')]! ^= 1;
  it.each([
    ['no zip', 'broken'],
    ['a zip with a changed byte', changed],
  ])('keeps the old zip if the new one is %s', async (_name, body) => {
    serve('/ENCs/US5WA22M.zip', cellZip('US5WA22M'), '"v1"');
    await fetchCells(['US5WA22M']);
    serve('/ENCs/US5WA22M.zip', body, '"v2"');
    expect((await fetchCells(['US5WA22M'])).failures).toHaveLength(1);
    expect(readFileSync(join(out, 'cells/US5WA22M.zip'))).toEqual(cellZip('US5WA22M'));
  });

  it('retries after a server error and fails after the fourth attempt', async () => {
    let left = 2;
    answers.set('/ENCs/US5WA22M.zip', (response) => {
      if (left-- > 0) response.writeHead(503).end();
      else response.end(cellZip('US5WA22M'));
    });
    expect((await fetchCells(['US5WA22M'])).downloaded).toBe(1);
    expect(asked).toHaveLength(3);

    answers.set('/ENCs/US4AK4PG.zip', (response) => response.writeHead(502).end());
    expect((await fetchCells(['US4AK4PG'])).failures).toEqual([
      `${base}/ENCs/US4AK4PG.zip returned status 502.`,
    ]);
    expect(asked).toHaveLength(7);
  });

  it.each([
    ['breaks the connection', (response: ServerResponse) => response.destroy()],
    [
      'breaks it halfway',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('PK', () => response.destroy());
      },
    ],
    ['stops sending', (response: ServerResponse) => response.writeHead(200).flushHeaders()],
  ])('reports a server that %s', async (_name, misbehave) => {
    answers.set('/ENCs/US5WA22M.zip', (response) => void misbehave(response));
    const { failures } = await fetchCells(['US5WA22M']);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/could not be read|announced/);
    expect(existsSync(join(out, 'cells/US5WA22M.zip'))).toBe(false);
  });

  it('fetches every layer of the background', async () => {
    const collection = JSON.stringify({ type: 'FeatureCollection', features: [] });
    for (const layer of BACKGROUND_LAYERS) serve(`/geojson/${layer}.geojson`, collection);
    const { downloaded, failures } = await fetchCells([], { withBackground: true });
    expect(failures).toEqual([]);
    expect(downloaded).toBe(BACKGROUND_LAYERS.length);
    expect(readFileSync(join(out, 'background/ne_10m_land.geojson'), 'utf8')).toBe(collection);
  });

  it('rejects a background that is not a feature collection', async () => {
    for (const layer of BACKGROUND_LAYERS) serve(`/geojson/${layer}.geojson`, '{"message":"no"}');
    const { failures } = await fetchCells([], { withBackground: true });
    expect(failures).toEqual(
      BACKGROUND_LAYERS.map(
        (layer) => `${layer}: the download is not a GeoJSON feature collection.`,
      ),
    );
  });
});

it('readProvenance returns undefined if the file is missing or invalid', async () => {
  expect(await readProvenance(out)).toBeUndefined();
  writeFileSync(join(out, 'leadline-source.json'), '{');
  expect(await readProvenance(out)).toBeUndefined();
  writeFileSync(join(out, 'leadline-source.json'), '{"format":2}');
  expect(await readProvenance(out)).toBeUndefined();
});
