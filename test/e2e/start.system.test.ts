// `npm start` from outside: it starts a service with a database, keeps stored data for the next start,
// and leaves no process running.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { childrenOf, isRunning } from '../support/processes.ts';
import { scriptOf } from '../support/programs.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { runTokens } from '../support/tokens-command.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const STYLES = '/api/portal/v1/styles';

const data = scratchFolder();
const running = new Set<ChildProcess>();
/** Each start takes some seconds, so the first one serves all tests up to the one that ends it. */
let first: Started;
beforeAll(async () => {
  chmodSync(data, 0o755);
  first = await start();
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

interface Started {
  readonly child: ChildProcess;
  readonly address: string;
  readonly token: string;
  /** The token of the printed link to the portal. */
  readonly link: string | undefined;
}

function start(environment: NodeJS.ProcessEnv = {}): Promise<Started> {
  const words = ['--charts', inject('demoCharts'), '--data', data];
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [scriptOf('workers/host/serve/start.ts'), ...words], {
    cwd: ROOT,
    env: { ...inherited, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  return new Promise((done, fail) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const address = /is ready: (\S+)/.exec(said)?.[1];
      const token = /Development token: (\S+)\s/.exec(said)?.[1];
      const link = /\/portal#link=(\S+)/.exec(said)?.[1];
      const isReady = /Ctrl-C stops the service/.test(said);
      if (isReady && address !== undefined && token !== undefined)
        done({ child, address, token, link });
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.on('close', () => {
      running.delete(child);
      fail(new Error(said));
    });
  });
}

const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  new Promise<number | null>((done) => {
    child.on('close', (code) => done(code));
    child.kill(signal);
  });

const askOnce = ({ address, token }: Started, path: string, init: RequestInit = {}) =>
  fetch(address + path, { ...init, headers: { authorization: `Bearer ${token}` } });

/** Retries while the database does not respond, as a client does: for two minutes at most. */
async function ask(started: Started, path: string, init?: RequestInit): Promise<Response> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const response = await askOnce(started, path, init);
    if (response.status !== 503 || Date.now() > deadline) return response;
    // A pause between requests avoids the rate limit.
    await new Promise((done) => setTimeout(done, 250));
  }
}

const names = async (started: Started) =>
  ((await (await ask(started, STYLES)).json()) as { name: string }[]).map(({ name }) => name);

const serverPid = () =>
  Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** The process IDs of the runtimes that a process started. */
const runtimesOf = (parent: number) =>
  childrenOf(parent).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workerd'),
  );

test('prints a link that signs an administrator in to the portal', async () => {
  const { address, link } = first;
  const answer = await fetch(`${address}/api/portal/v1/auth/loginByLink`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  expect(await answer.json()).toMatchObject({ user: { role: 'administrator' } });
});

test('a token is entered like any other, and a second terminal mints and revokes tokens', async () => {
  const tokens = async (...words: string[]) => {
    const { code, out, complaint } = await runTokens([...words, '--data', data]);
    expect([code, complaint]).toEqual([0, expect.stringMatching(/^(This token .*\n)?$/)]);
    return out.trim();
  };
  const listed = await tokens('list', '--account', 'development');
  expect(listed).toContain(decodeJwt(first.token).jti);
  const token = await tokens('mint', '--sub', 'me', '--scopes', 'styles:write');
  const minted = { ...first, token };
  expect((await ask(minted, STYLES)).status).toBe(200);
  await tokens('revoke', decodeJwt(token).jti!);
  const refused = await ask(minted, STYLES, { method: 'POST', body: '{"name":"Never"}' });
  expect(refused.status).toBe(401);
  expect((await ask(first, STYLES)).status).toBe(200);
});

test('PostgreSQL restarts with its data after it died', async () => {
  const created = await ask(first, STYLES, { method: 'POST', body: '{"name":"Before"}' });
  expect(created.status).toBe(201);
  const before = serverPid();
  process.kill(before, 'SIGKILL');
  const saved = await ask(first, STYLES, { method: 'POST', body: '{"name":"After"}' });
  expect(saved.status).toBe(201);
  expect(await names(first)).toEqual(expect.arrayContaining(['Before', 'After']));
  expect(serverPid()).not.toBe(before);
  expect(isRunning(before)).toBe(false);
});

test('the next start after a crash uses the database that is still running, has all data and ends cleanly', async () => {
  const created = await ask(first, STYLES, { method: 'POST', body: '{"name":"Kept"}' });
  expect(created.status).toBe(201);
  const saved = await names(first);
  expect(saved).toContain('Kept');
  const server = serverPid();
  const runtimes = runtimesOf(first.child.pid!);
  expect(runtimes).toHaveLength(2);
  await ended(first.child, 'SIGKILL');
  expect(isRunning(server)).toBe(true);
  const second = await start();
  expect(serverPid()).toBe(server);
  expect(runtimes.filter(isRunning)).toEqual([]);
  expect(await names(second)).toEqual(saved);
  expect(await ended(second.child, 'SIGTERM')).toBe(0);
  expect(isRunning(server)).toBe(false);
  expect(existsSync(join(data, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('charts are served without a database, and the missing database is reported', async () => {
  const started = await start({ PG_BIN: '/nonexistent/bin' });
  expect((await askOnce(started, STYLES)).status).toBe(503);
  expect((await askOnce(started, '/api/v2/tiles/enc-v2/14/7282/9623.mvt')).status).toBe(200);
  // Data from an earlier start may be in the edge store. Other responses are not defined.
  expect((await askOnce(started, '/api/v1/styles/base.json?styleName=Kept')).status).toBe(200);
  expect((await askOnce(started, '/api/v1/styles/base.json?styleName=Lost')).status).toBe(503);
  expect(await (await askOnce(started, '/readyz')).json()).toMatchObject({
    status: 'ready',
    database: 'none',
  });
  expect(await ended(started.child, 'SIGINT')).toBe(0);
});
