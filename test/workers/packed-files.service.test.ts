// Compressed static files of both self-hosted editions: the coding that the client prefers, decompressed
// with Node’s zlib to the bytes of the file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { closeConnections, sendHttp } from '../support/http-client.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  type SelfHosted,
  startSelfHosted,
} from '../support/self-hosted.ts';
import { type Service, startService } from '../support/service.ts';

const FILES = [
  ['/', 'index.html'],
  ['/docs/guides', 'docs/guides.html'],
  ['/page/chart.js', 'page/chart.js'],
  ['/page/chart.css', 'page/chart.css'],
  ['/page/maplibre-gl-worker.mjs', 'page/maplibre-gl-worker.mjs'],
  ['/assets.json', 'assets.json'],
] as const;
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const CODINGS = ['br', 'gzip'] as const;

const data = makeData();
let dist: Dist;
let local: Service;
let selfHosted: SelfHosted;
const ports = new Map<string, number>();
beforeAll(async () => {
  local = await startService({ charts: inject('demoCharts'), assetsDir: inject('assets') });
  dist = await makeDist();
  selfHosted = await startSelfHosted({ dist, data, charts: inject('demoCharts') });
  ports.set('npm start', local.port);
  ports.set('leadline serve', selfHosted.port);
});
afterAll(async () => {
  closeConnections();
  await local?.stop();
  await discard(selfHosted, data);
  dist?.remove();
});

const stored = (name: string) => readFileSync(join(inject('assets'), name));

describe.each(['npm start', 'leadline serve'])('static files of %s', (edition) => {
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    sendHttp(ports.get(edition)!, path, { method, headers });

  it('send the OpenAPI document as gzip to a client that accepts it', async () => {
    const plain = await ask('/openapi.json');
    const packed = await ask('/openapi.json', { 'accept-encoding': 'gzip' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(packed.headers['vary']).toContain('Accept-Encoding');
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect('content-encoding' in plain.headers).toBe(false);
    const other = await ask('/openapi.json', { 'accept-encoding': 'gzip', host: 'charts.example' });
    expect(gunzipSync(other.body).equals(plain.body)).toBe(false);
  });

  it.each(FILES)('send %s compressed to a client that accepts it', async (path, name) => {
    const tags = new Set<string>();
    const plain = await ask(path);
    expect([plain.status, 'content-encoding' in plain.headers]).toEqual([200, false]);
    expect(stored(name).equals(plain.body)).toBe(true);
    tags.add(plain.headers['etag']!);
    for (const coding of CODINGS) {
      const packed = await ask(path, { 'accept-encoding': coding });
      expect([packed.status, packed.headers['content-encoding']]).toEqual([200, coding]);
      expect(packed.headers['content-length']).toBe(`${packed.body.length}`);
      expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
      expect(stored(name).equals(UNPACK[coding](packed.body))).toBe(true);
      expect(packed.body.length).toBeLessThan(0.6 * plain.body.length);
      tags.add(packed.headers['etag']!);
    }
    expect(tags.size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*;q=0', undefined],
    ['identity, br;q=0.1', undefined],
    ['nothing', undefined],
  ])('use for %j the coding %s', async (header, coding) => {
    const { headers } = await ask('/page/chart.css', { 'accept-encoding': header });
    expect([headers['content-encoding'], headers['vary']]).toEqual([coding, 'Accept-Encoding']);
  });

  it('answer 304 only to the ETag of the same coding', async () => {
    const tagOf = async (coding: string) =>
      (await ask('/page/chart.js', { 'accept-encoding': coding })).headers['etag']!;
    for (const coding of ['br', 'gzip', 'identity']) {
      for (const other of ['br', 'gzip', 'identity']) {
        const wanted = { 'accept-encoding': coding, 'if-none-match': await tagOf(other) };
        const answer = await ask('/page/chart.js', wanted);
        expect([coding, other, answer.status]).toEqual([
          coding,
          other,
          coding === other ? 304 : 200,
        ]);
        expect(answer.headers['etag']).toBe(await tagOf(coding));
        expect(answer.headers['vary']).toBe('Accept-Encoding');
        if (coding === other) expect(answer.body.length).toBe(0);
      }
      const weak = { 'accept-encoding': coding, 'if-none-match': `"x", W/${await tagOf(coding)}` };
      expect((await ask('/page/chart.js', weak)).status).toBe(304);
    }
  });

  it('answer HEAD with the headers of GET', async () => {
    for (const [path] of FILES) {
      for (const coding of ['br', 'gzip', 'identity']) {
        const wanted = { 'accept-encoding': coding };
        const [get, head] = [await ask(path, wanted), await ask(path, wanted, 'HEAD')];
        expect([head.status, head.body.length]).toEqual([200, 0]);
        for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'])
          expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      }
    }
  });

  it('answer a range request with the whole file, and announce no ranges', async () => {
    const wanted = { 'accept-encoding': 'br', range: 'bytes=0-9' };
    const { status, headers, body } = await ask('/page/chart.js', wanted);
    expect([status, 'content-range' in headers, 'accept-ranges' in headers]).toEqual([
      200,
      false,
      false,
    ]);
    expect(stored('page/chart.js').equals(brotliDecompressSync(body))).toBe(true);
  });

  it('send glyphs of several fonts compressed to a client that accepts it', async () => {
    const { fonts } = JSON.parse(stored('assets.json').toString()) as {
      fonts: { template: string };
    };
    const path = fonts.template
      .replace('{fontstack}', encodeURIComponent('Noto Sans Bold,Noto Sans Regular'))
      .replace('{range}', '0-255');
    const plain = await ask(path);
    const packed = await ask(path, { 'accept-encoding': 'gzip, br' });
    expect([plain.status, 'content-encoding' in plain.headers]).toEqual([200, false]);
    expect([packed.status, packed.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(plain.body.length);
    for (const [{ headers }, coding] of [
      [plain, 'identity'],
      [packed, 'gzip'],
    ] as const) {
      expect(headers['vary']).toBe('Accept-Encoding');
      const wanted = { 'accept-encoding': coding, 'if-none-match': headers['etag']! };
      const again = await ask(path, wanted);
      expect([again.status, again.body.length]).toEqual([304, 0]);
      expect(again.headers['cache-control']).toMatch(/immutable/);
    }
    expect(packed.headers['etag']).not.toBe(plain.headers['etag']);
  });

  it('leave images uncompressed, because their format is compressed', async () => {
    const { headers, body } = await ask('/page/icon-192.png', { 'accept-encoding': 'br, gzip' });
    expect(['content-encoding' in headers, 'vary' in headers]).toEqual([false, false]);
    expect(stored('page/icon-192.png').equals(body)).toBe(true);
  });

  it('include an icon at /favicon.ico', async () => {
    const { status, headers, body } = await ask('/favicon.ico');
    expect([status, headers['content-type']]).toEqual([200, 'image/vnd.microsoft.icon']);
    // The reserved field, type 1 for icons, and the number of images. Each image is a PNG file.
    const bytes = Buffer.from(body);
    expect([bytes.readUInt16LE(0), bytes.readUInt16LE(2)]).toEqual([0, 1]);
    for (let i = 0; i < bytes.readUInt16LE(4); i++) {
      const offset = bytes.readUInt32LE(6 + 16 * i + 12);
      expect(bytes.subarray(offset + 1, offset + 4).toString()).toBe('PNG');
    }
  });
});
