// The typed client of the portal: it has every endpoint of the portal with the types of the examples, and each
// example of the OpenAPI document gets its documented answer through it.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLink, createUser } from '../../workers/host/registry/portal-users.ts';
import type { OpenApi, Operation } from '../../workers/service/http/openapi.ts';
import { createPortal, type PortalCall, TokenError } from '../../workers/web/client/portal.ts';
import { guideText, snippetsOf } from '../support/guides.ts';
import { jsonOf } from '../support/http-client.ts';
import { type ResponseCheck, responseCheck } from '../support/openapi.ts';
import { PORTAL, type PortalService, startPortal, users } from '../support/portal-service.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { softPasskey } from '../support/soft-passkey.ts';
import { BATHYMETRY, soundingAfter } from '../support/soundings.ts';
import { ROOT, textOf } from '../support/source-files.ts';
import { codeOf } from '../support/totp.ts';

const CLIENT = join(ROOT, 'workers/web/client/portal.ts');

/** The user of the examples. */
const USER = { username: 'harbour@example.com', password: 'not the password' };
/** The password that the example of a change sets. */
const NEW_PASSWORD = 'seven grey herons';

interface Example {
  readonly call: PortalCall;
  readonly operation: Operation;
  readonly given: { readonly id?: string; readonly query?: object; readonly body?: object };
  /** The documented answer. */
  readonly answer: unknown;
}

let portal: PortalService;
let check: ResponseCheck;
let examples: readonly Example[];
beforeAll(async () => {
  portal = await startPortal();
  const user = { account: 'operator', role: 'administrator' } as const;
  await portal.administer((one) =>
    createUser(one, { ...user, email: USER.username, password: USER.password }),
  );
  const document = await (await fetch(`${portal.crowd.service.address}/openapi.json`)).json();
  check = responseCheck(document as never);
  examples = examplesOf(document as OpenApi);
});
afterAll(() => portal?.stop());

function examplesOf({ paths }: OpenApi): Example[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      // `portal-charts` sends forms and the paths for tokens, `portal-tus` the parts of a file.
      const isFile =
        'multipart/form-data' in (operation.requestBody?.content ?? {}) || path.includes('/tus');
      if (!operation.tags.includes('Portal') || isFile || !path.startsWith(PORTAL)) return [];
      const call = `${method.toUpperCase()} ${path.slice(PORTAL.length)}` as PortalCall;
      const ok = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
      const answer = Object.values(ok[1].content ?? {})[0]?.example;
      const body = operation.requestBody?.content['application/json']?.example as object;
      const id = operation.parameters?.find((one) => one.in === 'path')?.example;
      const given = { ...(id !== undefined && { id: `${id}` }), ...(body && { body }) };
      return [{ call, operation, given, answer }];
    }),
  );
}

test('every endpoint has an example of each body, parameter of the path and JSON answer', () => {
  const missing = examples.flatMap(({ call, operation, given, answer }) => {
    const lacksBody = operation.requestBody !== undefined && given.body === undefined;
    const lacksId = call.includes('{') && given.id === undefined;
    const [ok] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    const isJson = Object.keys(ok![1].content ?? {}).some((type) => type.includes('json'));
    return lacksBody || lacksId || (isJson && answer === undefined) ? [call] : [];
  });
  expect(examples.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('the client has exactly the endpoints of the document, with the types of the examples', async () => {
  const program = join(scratchFolder(), 'examples.ts');
  const lines = examples.flatMap(({ call, given, answer }) => [
    `await portal.call(${JSON.stringify(call)}, ${JSON.stringify(given)});`,
    ...(typeof answer === 'object'
      ? [`(${JSON.stringify(answer)}) satisfies PortalCalls[${JSON.stringify(call)}]['answer'];`]
      : []),
  ]);
  writeFileSync(
    program,
    `import { createPortal, type PortalCall, type PortalCalls } from ${JSON.stringify(CLIENT)};
     const portal = createPortal({ address: '' });
     ${lines.join('\n')}
     ${JSON.stringify(examples.map(({ call }) => [call, true]))} satisfies [PortalCall, true][];
     ({ ${examples.map(({ call }) => `${JSON.stringify(call)}: 0`).join(', ')} }) satisfies Record<PortalCall, 0>;
     // @ts-expect-error: no such endpoint
     await portal.call('GET /nothing');
     // @ts-expect-error: the id is missing
     await portal.call('DELETE /apiTokens/{id}');
     // @ts-expect-error: no such field
     await portal.call('POST /apiTokens', { body: { title: 'x' } });`,
  );
  const options =
    '--ignoreConfig --strict --noEmit --exactOptionalPropertyTypes --target es2022 --module esnext --moduleResolution bundler --allowImportingTsExtensions --skipLibCheck --types node';
  const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  const found = await promisify(execFile)(
    'node',
    [compiler, ...options.split(' '), '--typeRoots', `${ROOT}/node_modules/@types`, program],
    { cwd: ROOT },
  ).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  expect(found).toBe('');
});

/** Requests that make a thing for the examples with an id. */
const MAKERS: Readonly<Record<string, (number: number) => Promise<string>>> = {
  '/apiTokens/{id}': async () => (await make('POST /apiTokens', {})).id,
  '/team/{id}': async (number) =>
    (await make('POST /team', { username: `jane-${number}@example.com` })).user.userId,
  '/tracks/{id}': async () => {
    const sender = await portal.crowd.caller({ account: 'operator' });
    const answer = await sender.post(BATHYMETRY, { soundings: [soundingAfter(0)] });
    return (jsonOf(answer) as { tracks: { id: string }[] }).tracks[0]!.id;
  },
  '/reports/{id}': async () => (await (await portal.crowd.caller()).report()).id,
  '/blocks/{id}': async (number) => {
    const { id } = await (await portal.crowd.caller({ subject: `sailor-${number}` })).report();
    const client = await signedIn();
    const { report } = await client.call('POST /reports/{id}/block', { id });
    return `${report.blockId}`;
  },
  '/charts/uploads/{id}': async () => (await makeUpload()).id,
  '/charts/sets/{id}': async () => {
    await portal.crowd.database.query(
      `INSERT INTO chart_set_build VALUES ('operator', 'earlier', 1, '{}', '{}'), ('operator', 'current', 2, '{}', '{}')`,
    );
    return 'earlier';
  },
  '/user/passkeys/{id}': async () => (await makePasskey()).id,
  '/jobs/{id}/events': makeCancelledJob,
  '/jobs/{id}/retry': makeCancelledJob,
  '/jobs/{id}': async () => jobOf(await makeUpload()),
  '/admin/accounts/{id}': async (number) =>
    (await make('POST /admin/accounts', { id: `acme-${number}` })).id,
};

/** Values that replace those of an example, because they exist already or do not exist. */
const CHANGES: Readonly<Record<string, () => Promise<object>>> = {
  'POST /auth/loginByLink': async () => ({
    link: await portal.administer((one) => createLink(one, USER.username)),
  }),
  'POST /auth/resetPassword': async () => {
    const link = crypto.randomUUID();
    const hash = createHash('sha256').update(`reset-password:${link}`).digest('base64url');
    await portal.crowd.database.query(
      `INSERT INTO portal_reset SELECT $1, $1, id, now_ms() + 60000, 1, 1 FROM portal_user WHERE email = $2`,
      [hash, users.rival.email],
    );
    return { link };
  },
  'POST /admin/accounts': async () => ({ id: 'example' }),
  'POST /user/secondFactor': async () => ({ password: USER.password }),
  'POST /user/secondFactor/end': async () => ({ password: USER.password }),
  'POST /user/secondFactor/confirm': async () => {
    const client = await signedIn();
    const body = { password: USER.password };
    return { code: codeOf((await client.call('POST /user/secondFactor', { body })).uri) };
  },
  'POST /user/passkeys': async () => {
    const { challenge } = await (await signedIn()).call('POST /user/passkeys/start', { body: {} });
    return { credential: newSoftPasskey().create(challenge) };
  },
  'POST /auth/loginByPasskey': async () => {
    const { passkey } = await makePasskey();
    return {
      credential: passkey.get((await (await signedIn()).call('POST /auth/passkey')).challenge),
    };
  },
  'POST /user/passwordChange': async () => {
    const user = `(SELECT id FROM portal_user WHERE email = '${USER.username}')`;
    await portal.crowd.database.query(
      `UPDATE portal_user SET two_factor_enabled = false WHERE id = ${user}`,
    );
    return {};
  },
};

let session = '';

/** Signs in only if an example has ended the session, because checking a password takes long. */
async function signedIn(seen?: (response: Response, method: string) => Promise<void>) {
  const { address } = portal.crowd.service;
  const headers = { authorization: `Bearer ${session}` };
  if (!(await fetch(`${address}${PORTAL}/auth/whoami`, { headers })).ok) {
    const client = createPortal({ address });
    await client.signIn(USER);
    session = client.session;
  }
  return createPortal({
    address,
    session,
    retries: 0,
    fetch: async (address, sent) => {
      const response = await fetch(address, sent);
      await seen?.(response, sent!.method!);
      return response;
    },
  });
}

async function makeUpload(): Promise<{ readonly id: string }> {
  await signedIn();
  const body = new FormData();
  body.append('file', new Blob(['no cell']), 'XX5HARB1.000');
  const { address } = portal.crowd.service;
  const headers = { authorization: `Bearer ${session}` };
  const answer = await fetch(`${address}${PORTAL}/charts/upload`, {
    method: 'POST',
    headers,
    body,
  });
  return ((await answer.json()) as { upload: { id: string } }).upload;
}

const newSoftPasskey = () => softPasskey(new URL(portal.crowd.service.address).origin);

async function makePasskey() {
  const client = await signedIn();
  const passkey = newSoftPasskey();
  const { challenge } = await client.call('POST /user/passkeys/start', { body: {} });
  const body = { name: 'Laptop', credential: passkey.create(challenge) };
  return { passkey, id: (await client.call('POST /user/passkeys', { body })).id };
}

async function makeCancelledJob(): Promise<string> {
  const id = await jobOf(await makeUpload());
  await (await signedIn()).call('POST /jobs/{id}/cancel', { id });
  return id;
}

async function jobOf({ id }: { readonly id: string }): Promise<string> {
  const { upload } = await (await signedIn()).call('GET /charts/uploads/{id}', { id });
  return upload.jobId as string;
}

async function make<Call extends PortalCall>(call: Call, more: object) {
  const { body } = examples.find((one) => one.call === call)!.given;
  const client = await signedIn();
  return client.call(call, { body: { ...body, ...more } } as never);
}

test('every example gets its documented answer', async () => {
  const faults: unknown[] = [];
  // A worker that decrypts charts.
  await portal.crowd.database.query(
    "SELECT work_jobs('worker', '66B5CBFDF7E4139D5B6086C23130', true)",
  );
  // A worker that sends email.
  await portal.crowd.database.query("SELECT work_mail('hash')");
  // The last two change what the others sign in with.
  const last = ['POST /user/secondFactor/confirm', 'POST /user/passwordChange'];
  const inOrder = [...examples].sort((a, b) => last.indexOf(a.call) - last.indexOf(b.call));
  for (const [number, { call, given, operation }] of inOrder.entries()) {
    const [, path = ''] = call.split(' ');
    const maker = Object.keys(MAKERS).find((start) => path.startsWith(start));
    if (path.includes('{') && maker === undefined) faults.push([call, 'has no maker']);
    const id = maker === undefined ? given.id : await MAKERS[maker]!(number);
    const body = given.body && { ...given.body, ...(await CHANGES[call]?.()) };
    const client = await signedIn(async (response, method) => {
      const said = await check(method, new URL(response.url).pathname, response);
      if (!response.ok || said.length > 0) {
        faults.push([operation.operationId, response.status, said, await response.clone().text()]);
      }
    });
    await client
      .call(call, { ...given, ...(id && { id }), ...(body && { body }) } as never)
      .catch((error: unknown) => faults.push([call, `${error}`]));
  }
  expect(faults).toEqual([]);
});

test('the samples of the README and of the guide create and end a token', async () => {
  const pages = [textOf('workers/web/client/README.md'), guideText('tokens-and-origins.md')];
  const address = portal.crowd.service.address;
  for (const [number, page] of pages.entries()) {
    const sample = snippetsOf(page).find(({ language }) => language === 'typescript')!;
    const script = join(scratchFolder(), `sample-${number}.mjs`);
    const contents = sample.text
      .replace(/'(ADDRESS|https:\/\/charts\.example)'/, `'${address}'`)
      .replace('not the password', NEW_PASSWORD)
      .replace('@leadline/client/portal', CLIENT);
    const stdin = { contents, loader: 'ts', resolveDir: ROOT } as const;
    await build({ stdin, outfile: script, bundle: true, format: 'esm' });
    const { stdout } = await promisify(execFile)('node', [script]);
    expect(stdout.trim()).toMatch(/^[0-9a-f]{32}$/);
  }
});

test('a client without a session and one whose session has ended throw a TokenError', async () => {
  const client = createPortal({ address: portal.crowd.service.address });
  expect(client.session).toBe('');
  await expect(client.call('GET /usage')).rejects.toThrow(TokenError);
  const body = { username: 'member@acme.example', password: 'seven grey herons' };
  expect(await client.signIn(body)).toMatchObject({ username: body.username, role: 'member' });
  const other = createPortal({
    address: portal.crowd.service.address,
    session: client.session,
  });
  expect(await other.call('GET /apiTokens', { query: { limit: 1, ended: true } })).toEqual([]);
  await other.call('POST /auth/logoutEverywhere');
  await expect(client.call('GET /auth/whoami')).rejects.toMatchObject({
    code: 'session_required',
  });
});
