// Uploads of charts: who may upload, what is stored and rejected. `chart-uploads.system` runs the jobs.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ChartJob,
  ChartJobList,
  ChartSets,
  ChartUpload,
  ChartUploadList,
} from '../../shared/contract/charts.ts';
import { withClient } from '../../workers/host/database/local-database.ts';
import { endTokens } from '../../workers/host/registry/accounts.ts';
import { type PortalService, startPortal, type UserName } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  // One test waits until the list of ended tokens is read again.
  portal = await startPortal(undefined, { REVOCATION_REFRESH_MS: '1000' });
});
afterAll(() => portal?.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const CELL = Buffer.from('00000 3LE1 ');

interface Part {
  readonly name?: string;
  readonly bytes: Uint8Array;
}

const BOUNDARY = 'leadline-test-boundary';
/** The body of a form, byte by byte. */
const formOf = (parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, bytes }) => [
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"${name === undefined ? '' : `; filename="${name}"`}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);

async function upload(headers: Readonly<Record<string, string>>, raw: Uint8Array, query = '') {
  const address = `${portal.crowd.service.address}/api/portal/v1/charts/upload${query}`;
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...type, ...headers },
    body: raw as Uint8Array<ArrayBuffer>,
  });
  const json = (await answer.json()) as { code?: string; upload?: ChartUpload; detail?: string };
  return { status: answer.status, ...json };
}
const uploadAs = async (name: UserName, parts: readonly Part[], query = '') =>
  upload(await portal.sessionOf(name), formOf(parts), query);
const send = async (name: UserName, method: string, path: string, body?: object) =>
  portal.send(method, path, { headers: await portal.sessionOf(name), body });

/** The stored bytes of an upload, its pieces joined. */
async function stored(id: string): Promise<Buffer> {
  const bucket = await portal.crowd.service.runtime.getR2Bucket('TILES');
  const { objects } = await bucket.list({ prefix: `chart-uploads/acme/${id}/` });
  const keys = objects.map(({ key }) => key).sort((a, b) => numberOf(a) - numberOf(b));
  const pieces = await Promise.all(keys.map(async (key) => (await bucket.get(key))?.arrayBuffer()));
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as ArrayBuffer)));
}
const numberOf = (key: string) => Number(key.split('-').at(-1));

describe('POST /api/portal/v1/charts/upload', () => {
  test('stores the files of the form byte by byte and starts a job', async () => {
    // Longer than a piece, with line ends and beginnings of the boundary.
    const bytes = Buffer.alloc(17 * 2 ** 20, `\r\n--${BOUNDARY.slice(0, -1)}x\r`);
    const { status, upload: made } = await uploadAs('owner', [
      { name: '../a/Harbour 1.zip', bytes },
    ]);
    expect(status).toBe(200);
    expect(made).toMatchObject({ filename: 'Harbour_1.zip', fileSize: bytes.length });
    expect((await stored(made!.id)).equals(bytes)).toBe(true);
    const { json } = await send('member', 'GET', `/charts/uploads/${made!.id}`);
    expect((json as { upload: ChartUpload }).upload).toMatchObject({
      status: 'pending',
      uploaderEmail: 'owner@acme.example',
      isLive: false,
    });
    const jobs = (await send('member', 'GET', '/jobs?activeOnly=true')).json as ChartJobList;
    expect(jobs.jobs[0]).toMatchObject({ jobType: 'upload', uploadId: made!.id });
    expect(jobs.worker).toEqual({ isConnected: false, seenAt: null });
  });

  test.each(['member', 'moderator'] as const)('answers 403 to a %s', async (name) => {
    expect(await uploadAs(name, [{ name: 'A.000', bytes: CELL }])).toMatchObject({
      status: 403,
      code: 'role_required',
    });
  });

  test('lets only administrators upload to the public charts', async () => {
    const parts = [{ name: 'A.000', bytes: CELL }];
    expect((await uploadAs('owner', parts, '?target=public')).status).toBe(403);
    expect((await uploadAs('administrator', parts, '?target=public')).status).toBe(200);
  });

  test('needs the scope charts:write of a token, which only owners can give', async () => {
    const headers = (token: string) => ({ authorization: `Bearer ${token}` });
    const { service } = portal.crowd;
    const without = await service.token({ account: 'acme', scopes: ['tiles'] });
    const body = formOf([{ name: 'A.000', bytes: CELL }]);
    expect(await upload(headers(without), body)).toMatchObject({
      status: 403,
      code: 'scope_required',
    });
    const request = { body: { name: 'Uploads', scopes: ['charts:write'] } };
    const refused = await portal.send('POST', '/apiTokens', {
      ...request,
      headers: await portal.sessionOf('moderator'),
    });
    expect(refused.status).toBe(403);
    const { token } = await portal.makeToken(await portal.sessionOf('owner'), request.body);
    expect((await upload(headers(token), body)).status).toBe(200);
    const list = await fetch(`${service.address}/api/v1/jobs`, { headers: headers(token) });
    expect((await list.json()) as object[]).toContainEqual(
      expect.objectContaining({ job_type: 'upload', job_state: 'pending', percent_complete: 0 }),
    );
    expect((await upload(headers(token), body, '?target=public')).status).toBe(403);
  });

  test.each([
    ['a file of another kind', formOf([{ name: 'a.pdf', bytes: CELL }]), 400, 'bad_upload'],
    ['a form without a file', formOf([]), 400, 'bad_upload'],
    ['a field instead of a file', formOf([{ bytes: CELL }]), 400, 'bad_upload'],
    ['an empty file', formOf([{ name: 'A.000', bytes: Buffer.alloc(0) }]), 400, 'bad_upload'],
    ['a form that ends early', formOf([{ name: 'a.zip', bytes: CELL }], '--'), 400, undefined],
    ['bytes that are no form', CELL, 400, undefined],
    ['nothing', Buffer.alloc(0), 400, undefined],
    [
      'too many files',
      formOf(Array.from({ length: 101 }, (_, i) => ({ name: `A.${100 + i}`, bytes: CELL }))),
      400,
      'bad_upload',
    ],
  ])('rejects %s', async (_, body, status, code) => {
    const answer = await upload(await portal.sessionOf('rival'), body);
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(answer.code).toBe(code);
    const { json } = await send('rival', 'GET', '/charts/uploads');
    expect((json as { uploads: object[] }).uploads).toEqual([]);
  });

  test('rejects other bodies and targets', async () => {
    const headers = await portal.sessionOf('owner');
    const json = { ...headers, 'content-type': 'application/json' };
    expect((await upload(json, Buffer.from('{}'))).status).toBe(415);
    expect((await upload(headers, formOf([]), '?target=mine')).status).toBe(400);
  });

  test('answers 409 when too many uploads wait', async () => {
    const part = [{ name: 'A.000', bytes: CELL }];
    const statuses: number[] = [];
    for (let i = 0; i < 24; i++) statuses.push((await uploadAs('owner', part)).status);
    expect(statuses.at(-1)).toBe(409);
    expect(statuses[0]).toBe(200);
  });
});

describe('the token of the map', () => {
  test('reads tiles and styles and nothing else', async () => {
    const { status, json } = await send('member', 'POST', '/charts/mapToken');
    expect(status).toBe(201);
    const { token, expiresAt } = json as { token: string; expiresAt: number };
    expect(expiresAt).toBeGreaterThan(Date.now());
    expect(await portal.tile(token)).toBe(200);
    const { address } = portal.crowd.service;
    const ask = async (path: string, method = 'GET') =>
      (await fetch(`${address}${path}?token=${token}`, { method })).status;
    expect(await ask('/api/v2/tiles/enc-v2.json')).toBe(200);
    // This service has no symbols.
    expect(await ask('/api/v1/styles/base.json')).toBe(503);
    expect(await ask('/api/v1/jobs')).toBe(403);
    expect(await ask('/api/v1/names')).toBe(403);
    expect(await ask('/api/v1/user-reports', 'POST')).toBe(403);
    expect(await portal.tile(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBe(401);
    const { json: list } = await send('owner', 'GET', '/apiTokens');
    expect(list).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ scopes: ['tiles', 'styles'] })]),
    );
  });

  test('ends when all tokens of the account are revoked', async () => {
    const { json } = await send('rival', 'POST', '/charts/mapToken');
    const { token } = json as { token: string };
    await portal.administer((one) => endTokens(one, 'rival'));
    // Publishes the list of ended tokens.
    const other = await portal.makeToken(await portal.sessionOf('rival'));
    await send('rival', 'DELETE', `/apiTokens/${other.id}`);
    await expect.poll(() => portal.tile(token)).toBe(401);
    const later = (await send('rival', 'POST', '/charts/mapToken')).json as { token: string };
    expect(await portal.tile(later.token)).toBe(200);
  });
});

describe('a refresh of the public charts', () => {
  const refresh = (name: UserName) => send(name, 'POST', '/charts/refresh');
  const worker = (id: string) =>
    portal.crowd.database.query(`SELECT * FROM work_jobs('${id}', NULL, true)`);

  test('needs an administrator and a producer', async () => {
    expect((await refresh('owner')).status).toBe(403);
    expect((await refresh('administrator')).json).toMatchObject({
      status: 409,
      code: 'producer_missing',
    });
    const { json } = await send('administrator', 'GET', '/admin/chartSchedule');
    expect(json).toEqual({ every: 'never', nextAt: null, hasProducers: false });
    await worker('with producers');
    const { json: job } = await refresh('administrator');
    expect(job).toMatchObject({ jobState: 'pending' });
    // The active one is returned.
    expect((await refresh('administrator')).json).toEqual(job);
  });

  test('is permitted to tokens with charts:write of the account of an administrator', async () => {
    const body = { name: 'Refresh', scopes: ['charts:write'] };
    const ask = async (name: UserName) => {
      const { token } = await portal.makeToken(await portal.sessionOf(name), body);
      const headers = { authorization: `Bearer ${token}` };
      return (await portal.send('POST', '/api/v1/charts/refresh', { headers })).status;
    };
    expect([await ask('administrator'), await ask('rival')]).toEqual([200, 403]);
  });

  test('starts by the schedule, once when it is due', async () => {
    const { query } = portal.crowd.database;
    await query(`UPDATE chart_job SET state = 'succeeded' WHERE kind = 'refresh'`);
    const set = (every: string) => send('administrator', 'POST', '/admin/chartSchedule', { every });
    expect((await set('hourly')).status).toBe(400);
    expect((await set('day')).json).toMatchObject({ every: 'day', hasProducers: true });
    const active = async () =>
      (await query(`SELECT account_id FROM chart_job WHERE kind = 'refresh' AND state = 'pending'`))
        .rows;
    await query('SELECT work_schedule()');
    expect(await active()).toEqual([]);
    await query('UPDATE chart_schedule SET next_at = 1');
    await query('SELECT work_schedule()');
    await query('SELECT work_schedule()');
    expect(await active()).toEqual([{ account_id: 'operator' }]);
    expect((await set('never')).json).toMatchObject({ every: 'never', nextAt: null });
    const { rows } = await query(
      `SELECT detail ->> 'every' AS every FROM admin_act WHERE act = 'charts schedule' ORDER BY id`,
    );
    expect(rows).toEqual([{ every: 'day' }, { every: 'never' }]);
  });
});

describe('jobs', () => {
  const jobs = async (): Promise<ChartJob[]> =>
    ((await send('owner', 'GET', '/jobs')).json as ChartJobList).jobs as ChartJob[];

  test('are cancelled and retried by owners, once', async () => {
    const [job] = await jobs();
    const path = `/jobs/${job!.id}`;
    expect((await send('member', 'POST', `${path}/cancel`)).status).toBe(403);
    expect((await send('owner', 'POST', `${path}/retry`)).status).toBe(409);
    const cancelled = await send('owner', 'POST', `${path}/cancel`);
    expect(cancelled.json).toMatchObject({ jobState: 'cancelled' });
    expect((await send('owner', 'POST', `${path}/cancel`)).status).toBe(409);
    expect((await send('owner', 'POST', `${path}/retry`)).json).toMatchObject({
      jobState: 'pending',
    });
  });

  test('are followed by events until they end, without an open transaction', async () => {
    const job = (await jobs()).findLast(({ jobState }) => jobState === 'pending')!;
    const path = `/jobs/${job.id}/events`;
    expect((await send('rival', 'GET', path)).status).toBe(404);
    const { address } = portal.crowd.service;
    const headers = await portal.sessionOf('owner');
    const response = await fetch(`${address}/api/portal/v1${path}`, { headers });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const { query } = portal.crowd.database;
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (state: string) => {
      while (!text.includes(`"jobState":"${state}"`)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The stream ended: ${text}`);
        text += value;
      }
    };
    await until('pending');
    const { rows } = await query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
    );
    expect(rows).toEqual([]);
    const change = (state: string) =>
      query('UPDATE chart_job SET state = $1, updated_at = updated_at + 1 WHERE id = $2', [
        ...[state, job.id],
      ]);
    await change('processing');
    await until('processing');
    await change('failed');
    await until('failed');
    expect((await reader.read()).done).toBe(true);
    const again = {
      ...headers,
      'last-event-id': /^id: (\d+)$/m.exec(text.split('event: job').at(-1)!)![1]!,
    };
    const { status } = await fetch(`${address}/api/portal/v1${path}`, { headers: again });
    expect(status).toBe(204);
  });

  test('of an upload end when the upload is deleted', async () => {
    const [job] = await jobs();
    const path = `/charts/uploads/${job!.uploadId}`;
    expect((await send('member', 'DELETE', path)).status).toBe(403);
    expect((await send('owner', 'DELETE', path)).status).toBe(200);
    const [last, ...others] = await jobs();
    expect(last).toMatchObject({ jobType: 'delete', uploadId: job!.uploadId });
    expect(others.find(({ id }) => id === job!.id)).toMatchObject({ isCancelled: true });
    expect((await send('owner', 'POST', `/jobs/${last!.id}/cancel`)).status).toBe(409);
  });

  test.each([
    ['GET', `/charts/uploads/${UNKNOWN}`],
    ['DELETE', '/charts/uploads/x'],
    ['GET', `/jobs/${UNKNOWN}`],
    ['POST', `/jobs/${UNKNOWN}/cancel`],
    ['POST', "/jobs/';--/retry"],
  ])('and uploads with an unknown id are 404: %s %s', async (method, path) => {
    expect((await send('owner', method, path)).status).toBe(404);
  });

  test('show a worker that asked for jobs as connected', async () => {
    await withClient(portal.crowd.database.ownerUrl, (client) =>
      client.query("SELECT * FROM work_jobs('here', NULL)"),
    );
    const { json } = await send('owner', 'GET', '/jobs');
    expect((json as ChartJobList).worker.isConnected).toBe(true);
  });
});

describe('versions of the charts', () => {
  const put = (id: string, publishedAt: number, uploads: readonly string[]) =>
    portal.crowd.database.query(
      `INSERT INTO chart_set_build VALUES ('acme', '${id}', ${publishedAt}, '{${uploads}}', '{A}')`,
    );
  const back = (name: UserName, id: string) => send(name, 'POST', `/charts/sets/${id}/return`);

  test('are listed for the account, newest first, with those that can become current', async () => {
    const { json: listed } = await send('owner', 'GET', '/charts/uploads');
    await put('first', 1, [UNKNOWN]);
    const { uploads } = listed as ChartUploadList;
    await put('second', 2, [uploads.find(({ status }) => status !== 'deleting')!.id]);
    await put('third', 3, []);
    const { json } = await send('member', 'GET', '/charts/sets');
    const states = (json as ChartSets).sets.map((one) => [one.id, one.isCurrent, one.canReturn]);
    expect(states).toEqual([
      ['third', true, false],
      ['second', false, true],
      ['first', false, false],
    ]);
    expect((await send('rival', 'GET', '/charts/sets')).json).toEqual({ sets: [] });
  });

  test('become current by a job of an owner, which the audit trail names', async () => {
    expect((await back('member', 'second')).status).toBe(403);
    expect((await back('rival', 'second')).status).toBe(404);
    expect((await back('owner', 'unknown')).json).toMatchObject({ code: 'set_not_found' });
    for (const id of ['third', 'first']) {
      expect((await back('owner', id)).json).toMatchObject({ status: 409, code: 'set_conflict' });
    }
    expect((await back('owner', 'second')).json).toMatchObject({
      jobType: 'rollback',
      jobState: 'pending',
    });
    // One at a time: a return cannot be cancelled.
    expect((await back('owner', 'second')).json).toMatchObject({ status: 409 });
    const { rows } = await portal.crowd.database.query(
      `SELECT account_id, detail FROM admin_act WHERE act = 'charts rollback'`,
    );
    expect(rows).toEqual([{ account_id: 'acme', detail: { buildId: 'second' } }]);
  });
});
