// Backup and restore of the data that exists only in this service: the database, the keys and the edge
// store (revocation list, claims of opaque tokens, copies of saved styles). Charts are not included.

import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { missingKeyFiles } from '../admin/keys.ts';
import {
  assertRestored,
  restoreMark,
  startBareDatabase,
  withClient,
} from '../database/local-database.ts';
import { asCurrent, migrate, pending, readMigrations } from '../database/migrations.ts';
import { hasDatabase, removeDatabase } from '../database/postgres-server.ts';
import { startOf } from '../database/process.ts';
import { edgeStore, isOtherLeadline } from './state-folder.ts';
import { assertEmpty, checkCopies, copyIn, copyOut } from './table-copies.ts';

const LIST = 'backup.json';

const listSchema = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** Migrations applied to the database, in order. */
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(
    z.object({
      table: z.string().regex(/^[a-z_][a-z0-9_]*$/),
      columns: z.array(z.string()),
      rows: z.number().int().nonnegative(),
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.object({ sequence: z.string(), value: z.string() })),
  keys: z.array(z.string()),
});

export type BackupList = z.infer<typeof listSchema>;

/** A precondition of the backup or restore is not met. Nothing was changed. */
export class BackupRefused extends Error {}

export interface BackupSource {
  readonly data: string;
  /** Connection URL of the owner's login on an external server. */
  readonly databaseUrl: string | undefined;
}

/**
 * Write a backup. The service may be running.
 * @param into folder to create
 * @throws BackupRefused if the folder exists, or the source is not the data of a service; Error if a restore into the
 *   source is not complete
 */
export async function backUp(source: BackupSource, into: string): Promise<BackupList> {
  if (existsSync(into))
    throw new BackupRefused(`${into} already exists. Name a folder that does not exist.`);
  assertService(source);
  const { data } = source;
  const unfinished = `${into}.part`;
  // First, because it can be refused, and then a folder of root must not stay.
  const database = await openBare(source);
  try {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
    chmodSync(unfinished, 0o700);
    const list = await withClient(database.ownerUrl, async (client): Promise<BackupList> => {
      const { rows } = await client.query<{ name: string; sha256: string }>(
        'SELECT name, sha256 FROM schema_migration ORDER BY number',
      );
      const copied = await copyOut(client, join(unfinished, 'tables'));
      // List the copies, because keys may change during the backup.
      const copies = join(unfinished, 'keys');
      copyFolder(keysIn(data), copies);
      const keys = readdirSync(copies).sort();
      return { format: 1, madeAt: new Date().toISOString(), migrations: rows, keys, ...copied };
    });
    copyFolder(edgeStore(data), join(unfinished, 'edge'));
    // Written last, so that an incomplete folder is not a valid backup.
    writeFileSync(join(unfinished, LIST), `${JSON.stringify(list, null, 1)}\n`, { mode: 0o600 });
    renameSync(unfinished, into);
    return list;
  } finally {
    await database.stop();
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The database without migrations: a backup must not change it. */
const openBare = async ({ data, databaseUrl }: BackupSource) =>
  databaseUrl === undefined
    ? startBareDatabase(data)
    : { ownerUrl: databaseUrl, stop: async () => undefined };

/** Otherwise a mistyped folder would become a new service, whose backup would be empty. */
function assertService({ data, databaseUrl }: BackupSource): void {
  assertRestored(data);
  const missing = missingKeyFiles(data);
  if (missing.length > 0)
    throw new BackupRefused(
      `${data} has no readable key file ${missing.join(' and ')}. Set --data to the data folder of the service.`,
    );
  if (databaseUrl === undefined && !hasDatabase(postgresIn(data)))
    throw new BackupRefused(
      `${data} has no readable database. Set --data to the data folder of the service, or DATABASE_OWNER_URL to its database.`,
    );
}

const keysIn = (data: string) => join(data, 'keys');
const postgresIn = (data: string) => join(data, 'postgres');

/**
 * Restore a backup into a data folder without keys and database, or into an empty external database.
 * @throws BackupRefused, DamagedCopy, or the error of `asCurrent`, before anything is written
 */
export async function restore(
  { data, databaseUrl }: BackupSource,
  from: string,
): Promise<BackupList> {
  const list = readList(from);
  await checkCopies(join(from, 'tables'), list.tables);
  // Without its keys, the service would create new ones and reject every issued token.
  const lost = list.keys.find((name) => !existsSync(join(from, 'keys', name)));
  if (lost !== undefined)
    throw new BackupRefused(
      `The backup is incomplete: its key file ${lost} is missing. Restore another backup.`,
    );
  const migrations = readMigrations();
  list.migrations.forEach(({ name, sha256 }, at) => {
    if (migrations[at]?.sha256 === sha256) return;
    throw new BackupRefused(
      `The backup contains the migration ${name}, which this version of Leadline lacks. Restore it with the version that made it.`,
    );
  });
  const isRepeated = wasInterrupted(data);
  if (databaseUrl !== undefined)
    await withClient(databaseUrl, async (client) => {
      await assertEmpty(client, list.tables);
      const applied = migrations.length - (await pending(client, migrations)).length;
      if (applied > list.migrations.length)
        throw new BackupRefused(
          'The tables of the database are newer than the backup. Restore into a database without tables.',
        );
    });
  const hadEdge = !isRepeated && existsSync(edgeStore(data));
  const clear = () => {
    removeDatabase(postgresIn(data));
    for (const folder of [keysIn(data), ...(hadEdge ? [] : [edgeStore(data)])])
      rmSync(folder, { recursive: true, force: true });
  };
  const mark = restoreMark(data);
  let isCopied = false;
  mkdirSync(data, { recursive: true });
  writeFileSync(mark, `${process.pid} ${startOf(process.pid)}`, { flush: true });
  try {
    if (isRepeated) {
      // The server of the restore that was killed may still run.
      if (hasDatabase(postgresIn(data)))
        await startBareDatabase(data).then(
          ({ stop }) => stop(),
          () => undefined,
        );
      clear();
    }
    copyFolder(join(from, 'keys'), keysIn(data));
    copyFolder(join(from, 'edge'), edgeStore(data));
    // Before the mark is deleted: a power failure must not leave empty keys without it.
    flushFiles(keysIn(data));
    flushFiles(edgeStore(data));
    await restoreDatabase({ data, databaseUrl }, from, list, () => {
      isCopied = true;
      rmSync(mark);
    });
  } catch (error) {
    // A foreign database keeps its rows, whose tokens need these keys.
    if (isCopied && databaseUrl !== undefined) throw error;
    // The folders were empty or missing before.
    try {
      clear();
      rmSync(mark, { force: true });
    } catch {
      // The next restore repeats it. It must not hide the error that made it necessary.
    }
    throw error;
  }
  return list;
}

/**
 * Whether a restore into the folder was killed.
 * @throws BackupRefused if it still runs, or if the folder has other keys or another database
 */
function wasInterrupted(data: string): boolean {
  if (existsSync(restoreMark(data))) {
    const [pid, start] = readFileSync(restoreMark(data), 'utf8').split(' ');
    const other = Number(pid);
    // Process ids are reused.
    if (start !== startOf(other) || !isOtherLeadline(other)) return true;
    throw new BackupRefused(`Process ${other} restores a backup into ${data}. Wait for its end.`);
  }
  const taken = isFilled(keysIn(data))
    ? 'keys'
    : isFilled(postgresIn(data)) || hasDatabase(postgresIn(data))
      ? 'postgres or postgres.place'
      : undefined;
  if (taken === undefined) return false;
  throw new BackupRefused(
    `${data} is not empty: it contains ${taken}. Restore into an empty folder.`,
  );
}

const isFilled = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/**
 * The worker builds the charts of every account again, because their builds are not in the backup. Links that were
 * used since must not work again, and emails must not be sent again.
 */
const CHANGES: Readonly<Record<string, string>> = {
  chart_set: "UPDATE chart_set SET public_build = ''",
  chart_set_build: 'DELETE FROM chart_set_build',
  portal_reset: 'DELETE FROM portal_reset',
  portal_verification: 'DELETE FROM portal_verification',
  portal_mail: 'DELETE FROM portal_mail',
};

async function restoreDatabase(
  source: BackupSource,
  from: string,
  list: BackupList,
  onCopied: () => void,
): Promise<void> {
  const migrations = readMigrations();
  const database = await openBare(source);
  try {
    await withClient(database.ownerUrl, async (client) => {
      // Restore into the schema of the backup, then apply newer migrations.
      await migrate(client, migrations.slice(0, list.migrations.length));
      const changes = list.tables.flatMap(({ table }) => CHANGES[table] ?? []);
      await copyIn(client, join(from, 'tables'), list, changes);
      onCopied();
      await migrate(client, migrations);
    });
  } finally {
    await database.stop();
  }
}

function readList(from: string): BackupList {
  const path = join(from, LIST);
  if (!existsSync(path))
    throw new BackupRefused(
      `${from} is not a backup: it has no ${LIST}. Name a folder that leadline backup created.`,
    );
  const parsed = listSchema.safeParse(jsonIn(readFileSync(path, 'utf8')));
  if (!parsed.success)
    throw new BackupRefused(`${path} is damaged or not a Leadline backup. Restore another backup.`);
  const migrations = asCurrent(parsed.data.migrations, readMigrations());
  return { ...parsed.data, migrations: [...migrations] };
}

/** @returns `undefined` if the text is not JSON */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function copyFolder(from: string, to: string): void {
  if (!existsSync(from)) return;
  // Two calls: mode 0700 on the data folder would lock out the database's user.
  mkdirSync(dirname(to), { recursive: true });
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

function flushFiles(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = openSync(join(entry.parentPath, entry.name), 'r');
    fsyncSync(file);
    closeSync(file);
  }
}
