// Uploads of charts: who may upload, what is stored, and what is rejected. `chart-uploads.system` runs
// the jobs.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChartJob, ChartJobList, ChartUpload } from '../../shared/contract/charts.ts';
import { withClient } from '../../workers/host/database/local-database.ts';
import { type PortalService, startPortal, type UserName } from '../support/portal-service.ts';

let portal: PortalService;
beforeAll(async () => {
  portal = await startPortal();
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
const send = async (name: UserName, method: string, path: string) =>
  portal.send(method, path, { headers: await portal.sessionOf(name) });

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
    // Nothing that could be processed was recorded.
    const { json } = await send('rival', 'GET', '/charts/uploads');
    expect((json as { uploads: object[] }).uploads).toEqual([]);
  });

  test('rejects other bodies and unknown parameters', async () => {
    const headers = await portal.sessionOf('owner');
    const json = { ...headers, 'content-type': 'application/json' };
    expect((await upload(json, Buffer.from('{}'))).status).toBe(415);
    expect((await upload(headers, formOf([]), '?target=mine')).status).toBe(400);
    expect((await upload(headers, formOf([]), '?other=1')).status).toBe(400);
  });

  test('answers 409 when too many uploads wait', async () => {
    const part = [{ name: 'A.000', bytes: CELL }];
    const statuses: number[] = [];
    for (let i = 0; i < 24; i++) statuses.push((await uploadAs('owner', part)).status);
    expect(statuses.at(-1)).toBe(409);
    expect(statuses[0]).toBe(200);
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
