// The self-hosted edition as a separate process: `leadline serve` with its own data folder, and a TLS proxy
// in front of it.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { request as askPlain } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { inject } from 'vitest';
import { loadKeys, type TokenRequest } from '../../workers/host/admin/keys.ts';
import { packedFolder } from '../../workers/host/bundle/packed-folder.ts';
import { buildWorker } from '../../workers/host/serve/build.ts';
import { LIST } from '../../workers/host/serve/built.ts';
import { withFolderLock } from './folder-lock.ts';
import { listen } from './listen.ts';
import { environmentWith, runProgram } from './processes.ts';
import { scriptOf } from './programs.ts';
import { isTest, tokenFor } from './service.ts';
import { ROOT } from './source-files.ts';

const CLI = 'workers/host/serve/cli.ts';

/** Folders that a test file's services share: what `npm run build` makes. */
export interface Dist {
  readonly path: string;
  remove(): void;
}

export async function makeDist(): Promise<Dist> {
  // Bundled once in a run: a file gets a copy.
  const kept = join(inject('runFolder'), 'dist');
  await withFolderLock(`${kept}-lock`, async () => {
    if (!existsSync(join(kept, 'standalone', LIST))) await buildWorker(ROOT, kept);
  });
  const path = mkdtempSync(join(tmpdir(), 'leadline-dist-'));
  cpSync(kept, path, { recursive: true });
  symlinkSync(inject('assets'), join(path, 'assets'));
  symlinkSync(packedFolder(inject('assets')), join(path, 'packed'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A folder for state that PostgreSQL's own user may enter. */
export function makeData(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-state-'));
  chmodSync(folder, 0o755);
  return join(folder, 'data');
}

export interface LogLine {
  readonly kind: string;
  readonly part?: string;
  readonly state?: string;
  readonly pid?: number;
  readonly [member: string]: unknown;
}

export interface SelfHosted {
  readonly child: ChildProcess;
  readonly port: number;
  readonly address: string;
  readonly data: string;
  /** Everything it printed so far, line by line. */
  readonly lines: readonly string[];
  /** Its lines so far, as JSON. */
  log(): LogLine[];
  /** Wait for a line that was printed after the first `from` ones. */
  said(is: (line: LogLine) => boolean, from?: number): Promise<LogLine>;
  token(options?: Partial<TokenRequest>): Promise<string>;
  /** Settled with its exit code when nothing writes its lines any more. */
  readonly closed: Promise<number | null>;
  /** @returns the exit code and how long it took, milliseconds */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly ms: number }>;
}

export interface SelfHostedOptions {
  readonly dist: Dist;
  readonly data: string;
  readonly charts?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Started by `npm run serve`, as the guide says, rather than by Node. */
  readonly byNpm?: boolean;
}

/** Run a word of `leadline` to its end. */
export async function runLeadline(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  const { code, out, complaint } = await runProgram(CLI, words, environment);
  return { code, said: out + complaint };
}

function spawnLeadline(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  byNpm = false,
): ChildProcess {
  const [program, before] = byNpm
    ? (['npm', ['run', '--silent', 'leadline', '--']] as const)
    : ([
        process.execPath,
        isTest ? [scriptOf(CLI)] : ['--import', 'tsx', join(ROOT, CLI)],
      ] as const);
  return spawn(program, [...before, ...words], {
    cwd: ROOT,
    env: environmentWith(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Started and ready. */
export async function startSelfHosted(options: SelfHostedOptions): Promise<SelfHosted> {
  const { dist, data, charts } = options;
  const words = ['serve', '--data', data, ...(charts === undefined ? [] : ['--charts', charts])];
  const child = spawnLeadline(
    words,
    {
      PORT: '0',
      LEADLINE_DIST: dist.path,
      // Few tests upload charts.
      CHART_WORKER: 'off',
      ...options.environment,
    },
    options.byNpm,
  );
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  const listen = (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.filter((line) => line !== ''));
    for (const look of waiting) look();
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const closed = new Promise<number | null>((done) => child.on('close', done));
  const log = () => lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const said = (is: (line: LogLine) => boolean, from = 0) =>
    new Promise<LogLine>((done, fail) => {
      // Each line once: a service that is written to prints thousands.
      let next = from;
      const look = () => {
        for (; next < lines.length; next++) {
          const text = lines[next] as string;
          const line = text.startsWith('{') ? (JSON.parse(text) as LogLine) : undefined;
          if (line === undefined || !is(line)) continue;
          waiting.delete(look);
          return done(line);
        }
      };
      waiting.add(look);
      look();
      void closed.then((code) => fail(new Error(`It ended with ${code}.\n${lines.join('\n')}`)));
    });
  const ready = await said(({ kind, state }) => kind === 'service' && state === 'ready');
  const port = Number(ready['port']);
  return {
    child,
    port,
    address: `http://127.0.0.1:${port}`,
    data,
    lines,
    log,
    said,
    closed,
    token: async (request) => tokenFor(await loadKeys(data), request),
    end: async (signal) => {
      const startedAt = Date.now();
      child.kill(signal);
      const code = await closed;
      return { code, ms: Date.now() - startedAt };
    },
  };
}

/** Ends the remaining processes of a service and deletes its data folder. */
export async function discard(service: SelfHosted | undefined, data: string): Promise<void> {
  if (service !== undefined && service.child.exitCode === null) await service.end('SIGTERM');
  rmSync(join(data, '..'), { recursive: true, force: true });
}

export interface TlsProxy {
  readonly origin: string;
  close(): Promise<void>;
}

const certificate = generate([{ name: 'commonName', value: 'localhost' }], {
  keySize: 2048,
  extensions: [
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ],
});

/** HTTPS with a certificate of our own making. */
export async function httpsServer(
  handle: Parameters<typeof createServer>[1],
): Promise<{ readonly server: Server; readonly port: number }> {
  const { private: key, cert } = await certificate;
  const server = createServer({ key, cert }, handle as never);
  return { server, port: await listen(server) };
}

/** A TLS proxy as one puts before a service: it says who asks, at which host, and by which scheme. */
export async function startTlsProxy(target: number, hostname = 'localhost'): Promise<TlsProxy> {
  const { server, port } = await httpsServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': incoming.headers.host ?? '',
    };
    const { method, url: path } = incoming;
    const asked = askPlain({ host: '127.0.0.1', port: target, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(asked);
  });
  return {
    origin: `https://${hostname}:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
