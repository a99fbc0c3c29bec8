// Uploads of charts by hostile clients: requests of other sites, races, false headers, and uploads without limit.

import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendHttp } from '../support/http-client.ts';
import { type PortalService, startPortal, type UserName } from '../support/portal-service.ts';

const FORM = '/api/portal/v1/charts/upload';
const TUS = '/api/portal/v1/charts/uploads/tus';
const NAME = { 'upload-metadata': `filename ${Buffer.from('A.000').toString('base64')}` };
const TYPE = { 'content-type': 'application/offset+octet-stream' };
type Headers = Readonly<Record<string, string>>;

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal?.stop());
beforeEach(() => query('DELETE FROM chart_upload; DELETE FROM chart_job'));

const query = (text: string) => portal.crowd.database.query(text);
const address = (path: string) => portal.crowd.service.address + path;

/** An answer with its code, if it is an error. */
async function ask(method: string, path: string, headers: Headers, body?: string) {
  const answer = await sendHttp(Number(new URL(address(path)).port), path, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(body !== undefined && { body }),
  });
  const text = Buffer.from(answer.body).toString();
  const { code, detail } = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, string>;
  return { status: answer.status, code, detail, headers: answer.headers };
}
const askAs = async (
  user: UserName,
  method: string,
  path: string,
  headers: Headers,
  body?: string,
) => ask(method, path, { ...(await portal.sessionOf(user)), ...headers }, body);
const create = (length: number | string, user: UserName = 'owner', more: Headers = {}) =>
  askAs(user, 'POST', TUS, { 'upload-length': `${length}`, ...NAME, ...more });
const created = async (length: number): Promise<string> =>
  (await create(length)).headers['location']!;
const append = (path: string, offset: number | string, body: string, more: Headers = {}) =>
  askAs('owner', 'PATCH', path, { 'upload-offset': `${offset}`, ...TYPE, ...more }, body);
const offsetOf = async (path: string) =>
  Number((await askAs('owner', 'HEAD', path, {})).headers['upload-offset']);
/** Number of pieces in the bucket. */
async function piecesOf(path: string): Promise<number> {
  const bucket = await portal.crowd.service.runtime.getR2Bucket('TILES');
  const prefix = `chart-uploads/acme/${path.split('/').at(-1)}/`;
  return (await bucket.list({ prefix })).objects.length;
}

/** A PATCH whose body is sent later. */
function begin(path: string, headers: Headers, length: number) {
  let sent!: ClientRequest;
  const status = new Promise<number>((done, fail) => {
    sent = request(
      address(path),
      {
        method: 'PATCH',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', ...TYPE },
          ...{ 'content-length': `${length}`, ...headers },
        },
      },
      (answer) => {
        answer.resume();
        done(answer.statusCode!);
      },
    );
    sent.on('error', fail);
  });
  return { write: (bytes: string) => new Promise((done) => sent.write(bytes, done)), status };
}

describe('a page of another site', () => {
  let cookie: string | undefined;
  test.each([
    ['without Origin', {}],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a subdomain', { 'sec-fetch-site': 'same-site' }],
    ['with an opaque origin', { origin: 'null' }],
    ['with another origin', { origin: 'https://rival.example' }],
  ])('%s cannot use the cookie of a user', async (_, from) => {
    const path = await created(4);
    cookie ??= await portal.cookieOf('owner');
    const headers = { cookie, ...from } as Headers;
    const over = (method: string) => ({ 'x-http-method-override': method });
    // A form and plain text need no preflight.
    const plain = { 'content-type': 'text/plain' };
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    for (const [method, to, more] of [
      ['POST', TUS, { 'upload-length': '4', ...NAME, ...plain }],
      ['POST', FORM, form],
      ['POST', path, { ...over('DELETE'), ...plain }],
      ['POST', path, { ...over('PATCH'), ...TYPE, 'upload-offset': '0' }],
      ['PATCH', path, { ...TYPE, 'upload-offset': '0' }],
      ['DELETE', path, {}],
    ] as const) {
      expect([method, await ask(method, to, { ...headers, ...more }, '0000')]).toMatchObject([
        ...[method, { status: 403, code: 'cross_site_request' }],
      ]);
    }
    // A read that looks like a change is a read.
    expect((await ask('HEAD', path, { ...headers, ...over('DELETE') })).status).toBe(200);
    expect(await offsetOf(path)).toBe(0);
    const own = { ...headers, 'sec-fetch-site': 'same-origin' };
    expect((await ask('DELETE', path, own)).status).toBe(204);
  });
});

describe('a resumable upload', () => {
  test('has the bytes of one of two requests for the same offset, and no other pieces', async () => {
    const path = await created(10);
    const slow = begin(path, await portal.sessionOf('owner'), 10);
    await slow.write('slow ');
    expect((await append(path, 0, 'fast')).status).toBe(204);
    await slow.write('bytes');
    expect(await slow.status).toBe(409);
    expect([await offsetOf(path), await piecesOf(path)]).toEqual([4, 1]);
    expect((await append(path, 4, ' bytes')).status).toBe(204);
  });

  test('does not take bytes after the session has ended, and continues with another one', async () => {
    const path = await created(10);
    const session = await portal.newSession('owner');
    const late = begin(path, session, 10);
    await late.write('01234');
    expect((await portal.send('POST', '/auth/logout', { headers: session })).status).toBe(204);
    await late.write('56789');
    expect(await late.status).toBe(401);
    expect([await offsetOf(path), await piecesOf(path)]).toEqual([0, 0]);
    expect((await append(path, 0, '0123456789')).status).toBe(204);
  });

  test.each(['1.5', '1e3', '0x10', '+5', '05', '-0', 'Infinity', '9007199254740993'])(
    'is rejected with the length %s',
    async (length) => {
      expect(await create(length)).toMatchObject({ status: 400, code: 'bad_tus_request' });
    },
  );

  test.each([
    ['a length that follows', { 'upload-defer-length': '1' }],
    ['a part of another upload', { 'upload-concat': 'partial' }],
    ['other uploads', { 'upload-concat': `final;${TUS}/1` }],
    ['a repeated key', { 'upload-metadata': `${NAME['upload-metadata']},filename QQ==` }],
    ['a key of every object', { 'upload-metadata': `${NAME['upload-metadata']},__proto__ QQ==` }],
    ['a value that is not base64', { 'upload-metadata': 'filename Li4=Li4=' }],
  ])('is rejected with %s', async (_, headers) => {
    expect(await create(10, 'owner', headers)).toMatchObject({
      ...{ status: 400, code: 'bad_tus_request' },
    });
    expect((await query('SELECT FROM chart_upload')).rows).toEqual([]);
  });

  test.each(['-1', '1.5', 'x', '1e0', '00'])(
    'is not continued at the offset %s',
    async (offset) => {
      const path = await created(10);
      expect(await append(path, offset, '01234')).toMatchObject({
        ...{ status: 400, code: 'bad_tus_request' },
      });
      expect(await offsetOf(path)).toBe(0);
    },
  );

  test('keeps its length', async () => {
    const path = await created(4);
    expect((await append(path, 0, '0123', { 'upload-length': '8' })).status).toBe(400);
    expect((await append(path, 0, '0123')).status).toBe(204);
    expect((await query('SELECT bytes, state FROM chart_upload')).rows).toEqual([
      { bytes: '4', state: 'pending' },
    ]);
  });

  test('has at most 5,000 parts', async () => {
    const path = await created(10_000);
    await query(
      `UPDATE chart_upload SET bytes = 4999, files = jsonb_set(files, '{0,pieces}',
        (SELECT jsonb_agg(n) FROM generate_series(1, 4999) AS n))`,
    );
    expect((await append(path, 4999, '0')).status).toBe(204);
    expect(await append(path, 5000, '0')).toMatchObject({ status: 400, code: 'bad_tus_request' });
    expect(await piecesOf(path)).toBe(1);
  });
});

describe('a form', () => {
  test.each(['xboundary=a', 'x="boundary=a"', 'boundary=', `boundary=${'a'.repeat(300)}`, 'x=y'])(
    'is rejected with the parameter %s',
    async (parameter) => {
      const headers = { 'content-type': `multipart/form-data; ${parameter}` };
      expect(await askAs('owner', 'POST', FORM, headers, '--a--')).toMatchObject({
        ...{ status: 400, code: 'bad_upload' },
      });
    },
  );
});

describe('an account', () => {
  test('cannot begin more uploads by ending them, until a worker has deleted them', async () => {
    for (let i = 0; i < 20; i++) {
      expect((await askAs('owner', 'DELETE', await created(10), {})).status).toBe(204);
    }
    expect(await create(10)).toMatchObject({ status: 409, code: 'uploads_full' });
    expect((await create(10, 'rival')).status).toBe(201);
    expect((await query('SELECT id, work_forget(id) FROM work_abandoned()')).rows).toHaveLength(20);
    expect((await create(10)).status).toBe(201);
  });

  test('cannot begin more uploads by deleting processed ones', async () => {
    const addUploads = (state: string, count: number) =>
      query(`INSERT INTO chart_upload (id, account_id, is_public, actor, filename, state)
        SELECT gen_random_uuid(), 'acme', false, 'test', 'A.000', '${state}' FROM generate_series(1, ${count})`);
    await addUploads('failed', 980);
    await addUploads('deleting', 19);
    const path = await created(10);
    expect(await create(10)).toMatchObject({ status: 409, code: 'uploads_full' });
    await query(`DELETE FROM chart_upload WHERE state = 'deleting'`);
    await addUploads('failed', 19);
    const refused = await create(10);
    expect(refused).toMatchObject({ status: 409, code: 'uploads_full' });
    expect(refused.detail).toContain('1,000 uploads');
    expect((await append(path, 0, '0123456789')).status).toBe(204);
  });

  test('cannot store files without limit', async () => {
    await created(2 ** 20);
    await query(`UPDATE chart_upload SET state = 'failed', announced_bytes = 99.5 * 1073741824`);
    expect((await create(2 ** 30)).detail).toContain('100 GiB');
    expect((await create(2 ** 29 - 1)).status).toBe(201);
  });

  test('starts at most 100 jobs of uploads in an hour', async () => {
    await query(`INSERT INTO chart_job (id, account_id, is_public, kind, state, created_at)
      SELECT gen_random_uuid(), 'acme', false, 'upload', 'succeeded', now_ms() - 3600000 + 30000 * n
      FROM generate_series(1, 100) AS n`);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const body =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="A.000"\r\n\r\n0\r\n--x--\r\n';
    for (const answer of [await create(10), await askAs('owner', 'POST', FORM, form, body)]) {
      expect(answer).toMatchObject({ status: 429, code: 'too_many_requests' });
      expect(answer.headers['retry-after']).toBe('600');
    }
    await query('UPDATE chart_job SET created_at = created_at - 60000');
    expect((await create(10)).status).toBe(201);
  });

  test('does not lose its uploads to forms that break off', async () => {
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="A.000"\r\n\r\n0';
    for (let i = 0; i < 20; i++) {
      expect((await askAs('owner', 'POST', FORM, form, body)).status).toBe(400);
    }
    const abandoned = async () =>
      (await query('SELECT id, work_forget(id) FROM work_abandoned()')).rows.length;
    let count = 0;
    await expect.poll(async () => (count += await abandoned()), { timeout: 30_000 }).toBe(20);
    expect((await create(10)).status).toBe(201);
  });
});
