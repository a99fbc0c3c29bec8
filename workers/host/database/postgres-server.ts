// Runs the embedded PostgreSQL server: creates its data on first use, starts it on a free port, and stops
// it after its last use. If a server already runs on the same data, it is shared.

import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  POSTGRES_ENVIRONMENT,
  type PostgresPrograms,
  postgresPrograms,
  type RunAs,
  run,
} from './postgres-programs.ts';
import { commandOf, freePort } from './process.ts';
import { inTurn, type ServerUse, useServer } from './server-users.ts';

export interface PostgresServer {
  readonly port: number;
  /** Id of the postmaster process. */
  readonly pid: number;
  /** Actual folder of the data. */
  readonly folder: string;
  /** Resolves when the postmaster process has ended. */
  readonly ended: Promise<void>;
  /** Stop it, unless another process uses it. */
  stop(): Promise<void>;
}

type Survived = 'power failure' | 'killed server' | 'nothing';

interface ServerOptions {
  readonly folder: string;
  /** Password of the superuser `postgres`, set when the data is created. */
  readonly password: string;
  /** What the data survives. Surviving less is faster, for tests. Default: a power failure. */
  readonly survives?: Survived;
  /** Default: any free port. */
  readonly port?: number;
}

const SETTINGS = ['max_connections=60', 'shared_buffers=64MB', 'unix_socket_directories='];
/** A killed server loses nothing that the operating system has, which need not be on the disk yet. */
const SETTINGS_FOR: Readonly<Record<Survived, readonly string[]>> = {
  'power failure': [],
  'killed server': ['fsync=off', 'full_page_writes=off'],
  nothing: ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'],
};

/**
 * Start the server of a folder, or share the one that runs. Several processes may do so at once; the last
 * one that calls `stop` ends the server.
 * @throws Error with the output of the server if it does not start
 */
export function startPostgres(options: ServerOptions): Promise<PostgresServer> {
  return inTurn(options.folder, async () => {
    const use = useServer(options.folder);
    try {
      return await startOrShare(options, use);
    } catch (error) {
      use.end();
      throw error;
    }
  });
}

async function startOrShare(options: ServerOptions, use: ServerUse): Promise<PostgresServer> {
  const programs = await postgresPrograms();
  const folder = await placeFor(options.folder, programs.runAs);
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeData(folder, options.password, programs);
  const server = runningServer(folder) ?? (await spawnServer(options, folder, programs));
  const { pid, port, ended } = server;
  // A restart of the server registers a new use.
  void ended.then(() => use.end());
  return { port, pid, folder, ended, stop: stopper(server, options.folder, use) };
}

interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  readonly ended: Promise<void>;
  /** Let this process exit while the server runs. */
  leave(): void;
}

async function spawnServer(
  { port: wanted = 0, survives = 'power failure' }: ServerOptions,
  folder: string,
  programs: PostgresPrograms,
): Promise<ServerProcess> {
  const port = await freePort(wanted);
  const settings = [...SETTINGS, ...SETTINGS_FOR[survives]];
  const args = ['-D', folder, '-p', `${port}`, '-h', '127.0.0.1'];
  const child = spawn(programs.postgres, [...args, ...settings.flatMap((one) => ['-c', one])], {
    ...programs.runAs,
    env: POSTGRES_ENVIRONMENT,
    cwd: folder,
    // Ctrl-C must not reach the server, because other processes may use it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((done, fail) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
      if (output.includes('ready to accept connections')) done();
    });
    child.on('error', fail);
    child.on('close', () => fail(new Error(`PostgreSQL did not start: ${output.trim()}`)));
  });
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
  const leave = () => {
    child.unref();
    child.stderr.destroy();
  };
  return { pid: child.pid as number, port, ended, leave };
}

/** A function that stops the server after its last use. Also runs when this process exits. */
function stopper(
  { pid, ended, leave }: ServerProcess,
  folder: string,
  use: ServerUse,
): () => Promise<void> {
  // SIGINT is PostgreSQL's "fast" stop: sessions are ended, data is written, nothing is lost.
  const askIfLast = () => {
    const isLast = use.end();
    if (isLast) signal(pid, 'SIGINT');
    return isLast;
  };
  process.on('exit', askIfLast);
  void ended.then(() => process.off('exit', askIfLast));
  return () =>
    inTurn(folder, async () => {
      process.off('exit', askIfLast);
      if (!askIfLast()) return leave();
      for (let waited = 0; isServer(pid) && waited < 10_000; waited += 20) {
        await new Promise((done) => setTimeout(done, 20));
      }
    });
}

/** Poll for the end of a process that is not a child of this one. */
function endOf(pid: number): Promise<void> {
  return new Promise((done) => {
    const timer = setInterval(() => {
      if (isServer(pid)) return;
      clearInterval(timer);
      done();
    }, 500);
    timer.unref();
  });
}

/** Read postmaster.pid: the process id is on the first line, the port on the fourth. */
function runningServer(folder: string): ServerProcess | undefined {
  const path = join(folder, 'postmaster.pid');
  const lines = readIfThere(path).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!(pid > 0)) return undefined;
  if (isServer(pid))
    return port > 0 ? { pid, port, ended: endOf(pid), leave: () => undefined } : undefined;
  rmSync(path, { force: true });
  return undefined;
}

const isServer = (pid: number): boolean => isAlive(pid) && commandOf(pid).includes('postgres');

async function makeData(folder: string, password: string, programs: PostgresPrograms) {
  const { initdb, runAs } = programs;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  own(mkdirFor(unfinished), runAs);
  const secret = own(mkdtempSync(join(tmpdir(), 'leadline-secret-')), runAs);
  try {
    const file = join(secret, 'password');
    writeFileSync(file, password, { mode: 0o600 });
    own(file, runAs);
    const args = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${file}`];
    const kind = ['-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions'];
    await run(initdb, ['-D', unfinished, ...args, ...kind], runAs);
  } finally {
    rmSync(secret, { recursive: true, force: true });
  }
  // Rename, so that incomplete data is never used.
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
}

/**
 * The folder itself, or a folder in /var/tmp if the database's user cannot enter it. The path of the
 * latter is stored next to the folder.
 */
async function placeFor(folder: string, runAs: RunAs): Promise<string> {
  if (runAs.uid === undefined) return mkdirFor(folder);
  own(mkdirFor(folder), runAs);
  const mayEnter = await run('/bin/sh', ['-c', 'cd "$0"', folder], runAs).then(
    () => true,
    () => false,
  );
  if (mayEnter) return folder;
  const note = noteOf(folder);
  const known = readIfThere(note);
  if (known !== '' && existsSync(known)) return known;
  const elsewhere = mkdtempSync('/var/tmp/leadline-data-');
  chmodSync(elsewhere, 0o755);
  const place = own(mkdirFor(join(elsewhere, 'postgres')), runAs);
  writeFileSync(note, place);
  return place;
}

const noteOf = (folder: string): string => join(dirname(folder), 'postgres.place');

/** The folder, and the one in /var/tmp that replaces it if there is one. */
const placesOf = (folder: string): string[] => [folder, readIfThere(noteOf(folder)) || folder];

/** Whether there is a database in the folder, or in its replacement. */
export const hasDatabase = (folder: string): boolean =>
  placesOf(folder).some((place) => existsSync(join(place, 'PG_VERSION')));

/** Delete the data of a stopped server. */
export function removeDatabase(folder: string): void {
  for (const place of placesOf(folder)) rmSync(place, { recursive: true, force: true });
  rmSync(noteOf(folder), { force: true });
}

function mkdirFor(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

function own(path: string, { uid, gid }: RunAs): string {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  return path;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
