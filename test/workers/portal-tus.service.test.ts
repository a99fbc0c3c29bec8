// Resumable uploads of charts by tus 1.0: offsets, refusals and expiry. `resumable-uploads.system` runs the job
// of one after a lost connection.

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChartJobList, ChartUploadList } from '../../shared/contract/charts.ts';
import { type PortalService, startPortal, type UserName } from '../support/portal-service.ts';

const TUS = '/api/portal/v1/charts/uploads/tus';
const DAY_MS = 86_400_000;

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());

interface Sent {
  readonly user?: UserName;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A stream is sent without a length. */
  readonly body?: Uint8Array | ReadableStream;
}

async function send(method: string, path: string, { user = 'owner', headers, body }: Sent = {}) {
  const answer = await fetch(portal.crowd.service.address + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...(await portal.sessionOf(user)), ...headers },
    ...(body && { body: body as Uint8Array<ArrayBuffer>, duplex: 'half' as const }),
  });
  const text = await answer.text();
  const { code } = (text === '' ? {} : JSON.parse(text)) as { code?: string };
  return { status: answer.status, code, headers: answer.headers };
}

const nameHeader = (name: string) => ({
  'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
});
const create = (length: number, name = 'harbour.zip', sent: Sent = {}, query = '') =>
  send('POST', TUS + query, {
    ...sent,
    headers: { 'upload-length': `${length}`, ...nameHeader(name), ...sent.headers },
  });
const append = (path: string, offset: number, body: Uint8Array, user: UserName = 'owner') =>
  send('PATCH', path, { user, body, headers: partHeaders(offset) });
const partHeaders = (offset: number) => ({
  'upload-offset': `${offset}`,
  'content-type': 'application/offset+octet-stream',
});
/** The path of a new upload. */
const created = async (length: number): Promise<string> =>
  (await create(length)).headers.get('location')!;
const offsetOf = async (path: string) =>
  Number((await send('HEAD', path)).headers.get('upload-offset'));
const idOf = (path: string) => path.split('/').at(-1)!;

/** The names of the pieces in their order, by the database. */
async function stored(path: string): Promise<Buffer> {
  const { rows } = await portal.crowd.database.query(
    `SELECT account_id, files FROM chart_upload WHERE id = '${idOf(path)}'`,
  );
  const [{ account_id: account, files }] = rows as [
    { account_id: string; files: [{ pieces: string[] }] },
  ];
  const bucket = await portal.crowd.service.runtime.getR2Bucket('TILES');
  const pieces = files[0].pieces.map(async (piece) => {
    const found = await bucket.get(`chart-uploads/${account}/${idOf(path)}/0-${piece}`);
    return Buffer.from((await found!.arrayBuffer()) as ArrayBuffer);
  });
  return Buffer.concat(await Promise.all(pieces));
}

const jobsOf = async (path: string) => {
  const { json } = await portal.send('GET', '/jobs?limit=100', {
    headers: await portal.sessionOf('owner'),
  });
  return (json as ChartJobList).jobs.filter(({ uploadId }) => uploadId === idOf(path));
};

describe('a resumable upload', () => {
  const bytes = Buffer.from(new Uint8Array(20 * 2 ** 20).map((_, i) => i * 7 + (i >> 13)));

  test('stores the bytes of several requests and starts one job after the last', async () => {
    const { status, headers } = await create(bytes.length, '../a/Harbour 1.zip');
    expect(status).toBe(201);
    const path = headers.get('location')!;
    expect(path).toMatch(new RegExp(`^${TUS}/[0-9a-f-]{36}$`));
    expect(Date.parse(headers.get('upload-expires')!)).toBeGreaterThan(Date.now());
    const parts = [0, 5_000_000, 18_000_000, bytes.length];
    for (const [i, end] of parts.slice(1).entries()) {
      expect(await jobsOf(path)).toEqual([]);
      const answer = await append(path, parts[i]!, bytes.subarray(parts[i], end));
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, `${end}`]);
      expect(await offsetOf(path)).toBe(end);
    }
    expect((await stored(path)).equals(bytes)).toBe(true);
    expect(await jobsOf(path)).toMatchObject([{ jobType: 'upload', jobState: 'pending' }]);
    const { json } = await portal.send('GET', '/charts/uploads', {
      headers: await portal.sessionOf('member'),
    });
    expect((json as ChartUploadList).uploads).toMatchObject([
      { id: idOf(path), filename: 'Harbour_1.zip', fileSize: bytes.length, status: 'pending' },
    ]);
  });

  test('keeps the bytes that arrived before the connection was lost', async () => {
    const path = await created(bytes.length);
    const half = 12 * 2 ** 20;
    const headers = {
      ...{ 'tus-resumable': '1.0.0', 'content-length': `${bytes.length}` },
      ...(await portal.sessionOf('owner')),
      ...partHeaders(0),
    };
    const lost = request(portal.crowd.service.address + path, { method: 'PATCH', headers });
    lost.on('error', () => undefined);
    await new Promise((done) => lost.write(bytes.subarray(0, half), done));
    // The first piece is stored while the request continues.
    await expect.poll(() => offsetOf(path), { timeout: 30_000 }).toBeGreaterThan(0);
    lost.destroy();
    // So is the rest, which is shorter than a piece.
    await expect.poll(() => offsetOf(path), { timeout: 30_000 }).toBeGreaterThan(8 * 2 ** 20);
    const offset = await offsetOf(path);
    expect(offset).toBeLessThan(bytes.length);
    for (let at = offset; at < bytes.length; ) {
      const { status } = await append(path, at, bytes.subarray(at));
      // The lost request may still store its last bytes.
      expect([204, 409]).toContain(status);
      at = await offsetOf(path);
    }
    expect((await stored(path)).equals(bytes)).toBe(true);
    expect(await jobsOf(path)).toHaveLength(1);
  });

  test('accepts the first bytes when it is created', async () => {
    const body = bytes.subarray(0, 1000);
    const headers = { 'content-type': 'application/offset+octet-stream' };
    const answer = await create(2000, 'a.000', { headers, body });
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '1000']);
  });

  test('has the metadata that the client sent', async () => {
    for (const metadata of [
      'filename QS4wMDA=,is_confidential,note YR==',
      'filename Li4vQi56aXA=',
    ]) {
      const made = await create(10, '', { headers: { 'upload-metadata': metadata } });
      const { headers } = await send('HEAD', made.headers.get('location')!);
      expect(headers.get('upload-metadata')).toBe(metadata);
      expect(headers.get('upload-length')).toBe('10');
    }
  });

  test('accepts POST instead of other methods, for clients behind proxies', async () => {
    const path = await created(10);
    const override = (method: string, headers = {}, body?: Uint8Array) =>
      send('POST', path, {
        headers: { 'x-http-method-override': method, ...headers },
        ...(body && { body }),
      });
    const { status, headers } = await override('PATCH', partHeaders(0), Buffer.from('0123'));
    expect([status, headers.get('upload-offset')]).toEqual([204, '4']);
    expect((await override('head')).headers.get('upload-offset')).toBe('4');
    expect((await override('DELETE')).status).toBe(204);
    expect((await send('HEAD', path)).status).toBe(410);
    expect((await send('POST', path)).status).toBe(405);
  });

  test('lets pages of other origins read its headers', async () => {
    const path = await created(10);
    for (const method of ['HEAD', 'OPTIONS', 'GET']) {
      const { headers } = await send(method, path);
      const exposed = headers.get('access-control-expose-headers')!.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining(['Location', 'Tus-Resumable', 'Upload-Expires', 'Upload-Offset']),
      );
    }
  });

  test('is found below the path for tokens', async () => {
    const { token } = await portal.makeToken(await portal.sessionOf('owner'), {
      ...{ name: 'Resumable', scopes: ['charts:write'] },
    });
    const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
      fetch(portal.crowd.service.address + path, {
        method,
        headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${token}`, ...headers },
        ...(body && { body }),
      });
    const made = await ask('POST', '/api/v1/charts/upload/tus', {
      ...{ 'upload-length': '4', ...nameHeader('A.000') },
    });
    const path = made.headers.get('location')!;
    expect(path).toMatch(/^\/api\/v1\/charts\/upload\/tus\//);
    expect((await ask('PATCH', path, partHeaders(0), '0000')).status).toBe(204);
    const toPublic = { 'upload-length': '4', ...nameHeader('A.000') };
    expect((await ask('POST', `${TUS}?target=public`, toPublic)).status).toBe(403);
  });
});

describe('a resumable upload is rejected', () => {
  test('with 409 if the offset is wrong, and does not change', async () => {
    const path = await created(10);
    expect((await append(path, 0, Buffer.from('01234'))).status).toBe(204);
    for (const offset of [0, 4, 6, 10]) {
      expect(await append(path, offset, Buffer.from('56'))).toMatchObject({
        ...{ status: 409, code: 'upload_offset_conflict' },
      });
    }
    expect((await stored(path)).toString()).toBe('01234');
  });

  test('with 404 for other accounts and unknown ids, and 403 for members', async () => {
    const path = await created(10);
    const body = Buffer.from('01234');
    for (const [method, headers] of [['HEAD'], ['PATCH', partHeaders(0)], ['DELETE']] as const) {
      const sent = { headers, ...(method === 'PATCH' && { body }) };
      expect((await send(method, path, { ...sent, user: 'rival' })).status).toBe(404);
      expect((await send(method, path, { ...sent, user: 'member' })).status).toBe(403);
      for (const id of ['00000000-0000-4000-8000-000000000000', "x';--"]) {
        expect((await send(method, `${TUS}/${encodeURIComponent(id)}`, sent)).status).toBe(404);
      }
    }
    expect(await offsetOf(path)).toBe(0);
  });

  test('with 413 above the limit of uploads, and above its own length', async () => {
    expect(await create(2 ** 30 + 1)).toMatchObject({ status: 413, code: 'body_too_large' });
    expect((await create(2 ** 30)).status).toBe(201);
    const path = await created(4);
    expect(await append(path, 0, Buffer.from('01234'))).toMatchObject({
      ...{ status: 413, code: 'body_too_large' },
    });
    expect(await offsetOf(path)).toBe(0);
  });

  test.each([
    ['a file of another kind', { ...nameHeader('a.pdf') }, 400, 'bad_upload'],
    ['no name', { 'upload-metadata': 'type eA==' }, 400, 'bad_upload'],
    ['an empty file', { 'upload-length': '0' }, 400, 'bad_upload'],
    ['invalid metadata', { 'upload-metadata': 'filename ?' }, 400, 'bad_tus_request'],
    ['an invalid length', { 'upload-length': 'x' }, 400, 'bad_tus_request'],
    ['another version', { 'tus-resumable': '0.2.2' }, 412, 'tus_version_not_supported'],
  ])('with %s', async (_, headers, status, code) => {
    expect(await create(10, 'a.zip', { headers })).toMatchObject({ status, code });
  });

  test('without its headers', async () => {
    const path = await created(10);
    const body = Buffer.from('01234');
    const { 'content-type': type, 'upload-offset': offset } = partHeaders(0);
    expect(await send('PATCH', path, { headers: { 'content-type': type }, body })).toMatchObject({
      status: 400,
      code: 'bad_tus_request',
    });
    for (const wrong of [{}, { 'content-type': 'text/plain' }]) {
      const headers = { 'upload-offset': offset, ...wrong };
      expect(await send('PATCH', path, { headers, body })).toMatchObject({
        ...{ status: 415, code: 'unsupported_media_type' },
      });
    }
    const headers = { ...partHeaders(0), 'content-type': 'Application/Offset+Octet-Stream; q=1' };
    expect((await send('PATCH', path, { headers, body })).status).toBe(204);
    expect((await send('GET', path)).status).toBe(405);
    expect((await send('GET', TUS)).status).toBe(405);
  });

  test('with 415 if a body is compressed', async () => {
    const path = await created(10);
    const body = Buffer.from('01234');
    for (const [method, to, headers] of [
      ['PATCH', path, { ...partHeaders(0), 'content-encoding': 'br' }],
      ['POST', TUS, { 'upload-length': '5', ...nameHeader('A.000'), 'content-encoding': 'gzip' }],
      [
        ...(['POST', '/api/portal/v1/charts/upload'] as const),
        { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'deflate' },
      ],
    ] as const) {
      expect(await send(method, to, { headers, body })).toMatchObject({
        ...{ status: 415, code: 'unsupported_media_type' },
      });
    }
    expect(await offsetOf(path)).toBe(0);
  });

  test('with 413 if a body without a length is too long, and starts no job', async () => {
    const length = 8 * 2 ** 20;
    for (const excess of [1, 100_000]) {
      const path = await created(length);
      const body = new ReadableStream({
        start(controller) {
          for (const bytes of [length - 5, 5, excess]) controller.enqueue(new Uint8Array(bytes));
          controller.close();
        },
      });
      const answer = await send('PATCH', path, { headers: partHeaders(0), body });
      expect(answer).toMatchObject({ status: 413, code: 'body_too_large' });
      expect(await offsetOf(path)).toBe(0);
      expect(await jobsOf(path)).toEqual([]);
      expect((await append(path, 0, new Uint8Array(length))).status).toBe(204);
    }
  });

  test('with a problem document that has the headers of the protocol', async () => {
    const path = await created(10);
    const version = { 'tus-resumable': '2.0.0' };
    for (const [status, method, to, headers] of [
      [400, 'POST', TUS, { 'upload-length': '-1' }],
      [401, 'HEAD', path, { authorization: 'Bearer x' }],
      [404, 'DELETE', `${TUS}/${crypto.randomUUID()}`, {}],
      [405, 'PUT', path, {}],
      [405, 'POST', path, { 'x-http-method-override': 'PUT' }],
      [409, 'PATCH', path, partHeaders(7)],
      [412, 'POST', TUS, version],
      [412, 'HEAD', path, version],
    ] as const) {
      const answer = await send(method, to, { headers });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
      expect(answer.headers.get('tus-version')).toBe(status === 412 ? '1.0.0' : null);
    }
  });

  test('with 400 if its metadata is too long', async () => {
    const headers = {
      'upload-metadata': `${nameHeader('A.000')['upload-metadata']},${'x'.repeat(4096)}`,
    };
    expect(await create(10, '', { headers })).toMatchObject({
      status: 400,
      code: 'bad_tus_request',
    });
  });

  test('for the public charts, except from administrators', async () => {
    const query = '?target=public';
    expect((await create(10, 'a.zip', {}, query)).status).toBe(403);
    const path = (await create(10, 'a.zip', { user: 'administrator' }, query)).headers.get(
      'location',
    )!;
    expect((await append(path, 0, Buffer.from('0123456789'), 'administrator')).status).toBe(204);
  });

  test('with 409 when too many uploads wait, as other uploads', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++)
      statuses.push((await create(10, 'a.zip', { user: 'rival' })).status);
    expect(statuses).toEqual([...Array(20).fill(201), 409]);
  });
});

describe('a resumable upload ends', () => {
  const { query } = { query: (text: string) => portal.crowd.database.query(text) };

  test('24 hours after its last bytes, and a worker then deletes it', async () => {
    const path = await created(10);
    await append(path, 0, Buffer.from('01234'));
    const age = (ms: number) =>
      query(`UPDATE chart_upload SET updated_at = now_ms() - ${ms} WHERE id = '${idOf(path)}'`);
    await age(DAY_MS - 60_000);
    expect((await send('HEAD', path)).status).toBe(200);
    await age(DAY_MS + 1000);
    expect((await send('HEAD', path)).status).toBe(410);
    expect(await append(path, 5, Buffer.from('56789'))).toMatchObject({
      ...{ status: 410, code: 'upload_expired' },
    });
    const { rows } = await query('SELECT id, work_forget(id) FROM work_abandoned()');
    expect(rows).toContainEqual(expect.objectContaining({ id: idOf(path) }));
    expect((await send('HEAD', path)).status).toBe(404);
  });

  test('when it is deleted, unless it is complete', async () => {
    const path = await created(10);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('HEAD', path)).status).toBe(410);
    expect(await send('DELETE', path)).toMatchObject({ status: 410, code: 'upload_expired' });
    const { rows } = await query('SELECT id, work_forget(id) FROM work_abandoned()');
    expect(rows).toMatchObject([{ id: idOf(path) }]);
    const complete = await created(4);
    await append(complete, 0, Buffer.from('0123'));
    expect(await send('DELETE', complete)).toMatchObject({ status: 400, code: 'bad_tus_request' });
    expect(await offsetOf(complete)).toBe(4);
    expect(await jobsOf(complete)).toHaveLength(1);
  });
});

test('OPTIONS describes the protocol', async () => {
  const { status, headers } = await send('OPTIONS', TUS);
  expect(status).toBe(204);
  expect(headers.get('tus-version')).toBe('1.0.0');
  expect(headers.get('tus-max-size')).toBe('1073741824');
  expect(headers.get('tus-extension')).toBe('creation,creation-with-upload,expiration,termination');
  expect(headers.get('access-control-allow-headers')).toContain('Upload-Offset');
});
