// Runs the embedded PostgreSQL server: creates its data on first use, starts it on a free port, and stops
// it after its last use. If a server already runs on the same data, it is shared.

import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { replaceFile } from './create-once.ts';
import {
  POSTGRES_ENVIRONMENT,
  type PostgresPrograms,
  postgresPrograms,
  type RunAs,
  run,
  signedIds,
} from './postgres-programs.ts';
import { commandOf, freePort, readIfThere } from './process.ts';
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
  /** Longest wait for a server to be ready, which it may become later. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;
const NOT_READY =
  'PostgreSQL is still starting or stopping. After a power failure, a start may take minutes. Try again later.';

const DEFAULT: Survived = 'power failure';
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
export async function startPostgres(options: ServerOptions): Promise<PostgresServer> {
  const programs = await postgresPrograms();
  // Before anything is written next to the folder.
  assertOwner(options.folder, programs.runAs);
  return inTurn(options.folder, async () => {
    const use = useServer(options.folder);
    try {
      return await startOrShare(options, programs, use);
    } catch (error) {
      use.end();
      throw error;
    }
  });
}

async function startOrShare(
  options: ServerOptions,
  programs: PostgresPrograms,
  use: ServerUse,
): Promise<PostgresServer> {
  const folder = await placeFor(options.folder, programs.runAs);
  const isNew = !hasData(folder);
  try {
    if (isNew) await makeData(folder, options, programs);
    if (folder !== options.folder && noteIn(options.folder) !== folder)
      replaceFile(noteOf(options.folder), folder);
  } catch (error) {
    // Without a note, the next start makes another.
    if (isNew && folder !== options.folder)
      rmSync(dirname(folder), { recursive: true, force: true });
    throw error;
  }
  const server =
    (await runningServer(folder, options)) ?? (await spawnServer(options, folder, programs));
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
  { port: wanted = 0, survives = DEFAULT, patienceMs = PATIENCE_MS }: ServerOptions,
  folder: string,
  programs: PostgresPrograms,
): Promise<ServerProcess> {
  const port = await freePort(wanted);
  const settings = [...SETTINGS, ...SETTINGS_FOR[survives]];
  const args = ['-D', folder, '-p', `${port}`, '-h', '127.0.0.1'];
  const child = spawn(programs.postgres, [...args, ...settings.flatMap((one) => ['-c', one])], {
    ...signedIds(programs.runAs),
    env: POSTGRES_ENVIRONMENT,
    cwd: folder,
    // Ctrl-C must not reach the server, because other processes may use it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const leave = () => {
    child.unref();
    child.stderr.destroy();
  };
  let patience: NodeJS.Timeout | undefined;
  await new Promise<void>((done, fail) => {
    // If it was ended, it would have to begin again.
    patience = setTimeout(() => {
      leave();
      fail(new Error(NOT_READY));
    }, patienceMs);
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
      if (output.includes('ready to accept connections')) done();
    });
    child.on('error', fail);
    child.on('close', () => fail(new Error(`PostgreSQL did not start: ${output.trim()}`)));
  }).finally(() => clearTimeout(patience));
  const ended = new Promise<void>((done) => child.on('exit', () => done()));
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
        await pause(20);
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

/**
 * Read postmaster.pid: the process id, the folder, the time, the port and, on the eighth line, the state.
 * @throws Error if the server does not become ready
 */
async function runningServer(
  folder: string,
  { patienceMs = PATIENCE_MS }: ServerOptions,
): Promise<ServerProcess | undefined> {
  const path = join(folder, 'postmaster.pid');
  for (let waitedMs = 0; ; waitedMs += 20) {
    const [id, place = '', , port, , , , state] = readIfThere(path).split('\n');
    const pid = Number(id);
    if (!(pid > 0)) return undefined;
    // The id may be that of another server.
    if (!isServer(pid) || !isOn(pid, place)) break;
    if (state?.startsWith('ready'))
      return { pid, port: Number(port), ended: endOf(pid), leave: () => undefined };
    if (waitedMs >= patienceMs) throw new Error(NOT_READY);
    await pause(20);
  }
  rmSync(path, { force: true });
  return undefined;
}

/** A server that was started by hand may not have the folder in its arguments, but works in it. */
function isOn(pid: number, place: string): boolean {
  if (commandOf(pid).includes(place)) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(place);
  } catch {
    return false;
  }
}

const isServer = (pid: number): boolean => isAlive(pid) && commandOf(pid).includes('postgres');

const hasData = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'));

async function makeData(
  folder: string,
  { password, survives = DEFAULT }: ServerOptions,
  { initdb, runAs }: PostgresPrograms,
): Promise<void> {
  if (readdirSync(folder).length > 0)
    throw new Error(
      `${folder} contains files, but its file PG_VERSION is missing. Restore the database from a backup, or move the folder to another place to begin with an empty database.`,
    );
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  own(mkdirFor(unfinished), runAs);
  const secret = own(mkdtempSync(join(tmpdir(), 'leadline-secret-')), runAs);
  try {
    const file = join(secret, 'password');
    writeFileSync(file, password, { mode: 0o600 });
    own(file, runAs);
    const args = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${file}`];
    const kind = ['-E', 'UTF8', '--no-locale', '--no-instructions'];
    const speed = survives === 'power failure' ? [] : ['--no-sync'];
    await run(initdb, ['-D', unfinished, ...args, ...kind, ...speed], runAs);
  } finally {
    rmSync(secret, { recursive: true, force: true });
  }
  // Rename, so that incomplete data is never used.
  renameSync(unfinished, folder);
}

/**
 * @throws Error if the folder belongs to another user, who may have a database in it: root would take it
 * away, and other users cannot look into it
 */
function assertOwner(folder: string, { uid }: RunAs): void {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  const user = uid ?? process.getuid?.();
  if (user === undefined || owner === undefined || owner === user) return;
  // `placeFor` gives these to the user of the database, or has a message of its own.
  if (uid === undefined ? noteIn(folder) !== '' : owner === 0) return;
  throw new Error(
    `${folder} belongs to another user, with the id ${owner}. Run this command as that user.`,
  );
}

/**
 * The folder itself, or one in /var/lib or /var/tmp if the database's user cannot enter it. The path of the
 * latter is stored next to the folder as soon as it has data.
 * @throws Error if there is data that cannot be found or entered: an empty database must not replace it
 */
async function placeFor(folder: string, runAs: RunAs): Promise<string> {
  own(mkdirFor(folder), runAs);
  const mayEnter = runAs.uid === undefined || (await canEnter(folder, runAs));
  const known = noteIn(folder);
  if (mayEnter && (hasData(folder) || known === '')) return folder;
  if (known !== '') {
    if (hasData(known)) return known;
    throw new Error(lostText(folder, known, runAs));
  }
  if (hasData(folder))
    throw new Error(
      `The user of the database, with the id ${runAs.uid}, cannot enter ${folder}. Permit all users to enter the folders above it.`,
    );
  const elsewhere = mkdtempSync(join(parentElsewhere(), 'leadline-data-'));
  chmodSync(elsewhere, 0o755);
  return own(mkdirFor(join(elsewhere, 'postgres')), runAs);
}

/** Some systems empty /var/tmp, so it is used only where root cannot write to /var/lib. */
function parentElsewhere(): string {
  try {
    accessSync('/var/lib', constants.W_OK);
    return '/var/lib';
  } catch {
    return '/var/tmp';
  }
}

const canEnter = (folder: string, runAs: RunAs): Promise<boolean> =>
  run('/bin/sh', ['-c', 'cd "$0"', folder], runAs).then(
    () => true,
    () => false,
  );

/** Only root can look into the folder of another user. */
const lostText = (folder: string, known: string, { uid }: RunAs): string =>
  uid === undefined && existsSync(known)
    ? `The database is in ${known} and belongs to another user. As root, replace the empty folder ${folder} with it, and change its owner.`
    : `The database is missing: it was in ${known}. Restore it from a backup, or delete ${noteOf(folder)} to begin with an empty database.`;

const noteOf = (folder: string): string => join(dirname(folder), 'postgres.place');

/** The folder that replaces this one; empty without a note. @throws Error if the note cannot be read */
function noteIn(folder: string): string {
  try {
    return readFileSync(noteOf(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
}

/** Whether there is a database in the folder, or a note of its replacement, which may be lost. */
export const hasDatabase = (folder: string): boolean => hasData(folder) || noteIn(folder) !== '';

/** Delete the data of a stopped server. */
export function removeDatabase(folder: string): void {
  const elsewhere = noteIn(folder);
  for (const place of [folder, elsewhere || folder])
    rmSync(place, { recursive: true, force: true });
  rmSync(noteOf(folder), { force: true });
  if (elsewhere !== '') rmdirSync(dirname(elsewhere));
}

function mkdirFor(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

function own(path: string, { uid, gid }: RunAs): string {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  return path;
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
