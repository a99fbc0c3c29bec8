// A copy of what only this service knows: the database, the keys, and what the edge's store holds (the
// list of stopped tokens, copies of saved styles). Charts are not in it; they are built again.

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { startBareDatabase, startLocalDatabase, withClient } from '../database/local-database.ts';
import { migrate, readMigrations } from '../database/migrations.ts';
import { edgeStore } from './state-folder.ts';
import { checkCopies, copyIn, copyOut } from './table-copies.ts';

const LIST = 'backup.json';

const listSchema = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** Migrations that the database had, in order. */
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

/** What is not as it must be; nothing was changed. */
export class BackupRefused extends Error {}

export interface BackupSource {
  readonly data: string;
  /** The owner's login of a server that somebody else looks after. */
  readonly databaseUrl: string | undefined;
}

/**
 * Write a backup, also while the service runs. @param into a folder that must not exist
 * @throws BackupRefused where it does
 */
export async function backUp(
  { data, databaseUrl }: BackupSource,
  into: string,
): Promise<BackupList> {
  if (existsSync(into)) throw new BackupRefused(`${into} is there already.`);
  const unfinished = `${into}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
  chmodSync(unfinished, 0o700);
  const database =
    databaseUrl === undefined
      ? await startLocalDatabase(data)
      : { ownerUrl: databaseUrl, stop: async () => undefined };
  try {
    const list = await withClient(database.ownerUrl, async (client): Promise<BackupList> => {
      const { rows } = await client.query<{ name: string; sha256: string }>(
        'SELECT name, sha256 FROM schema_migration ORDER BY number',
      );
      const copied = await copyOut(client, join(unfinished, 'tables'));
      // Listed as copied: keys may be changed at this moment.
      const copies = join(unfinished, 'keys');
      copyFolder(join(data, 'keys'), copies);
      const keys = existsSync(copies) ? readdirSync(copies).sort() : [];
      return { format: 1, madeAt: new Date().toISOString(), migrations: rows, keys, ...copied };
    });
    copyFolder(edgeStore(data), join(unfinished, 'edge'));
    // Written last: a folder without it is no backup.
    writeFileSync(join(unfinished, LIST), `${JSON.stringify(list, null, 1)}\n`, { mode: 0o600 });
    renameSync(unfinished, into);
    return list;
  } finally {
    await database.stop();
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Put a backup into an empty place: a data folder without keys and database, or a server whose
 * database holds nothing.
 * @throws BackupRefused, DamagedCopy before anything is written
 */
export async function restore(
  { data, databaseUrl }: BackupSource,
  from: string,
): Promise<BackupList> {
  const list = readList(from);
  await checkCopies(join(from, 'tables'), list.tables);
  // A service without them makes new ones, and refuses every token that was given out.
  const lost = list.keys.find((name) => !existsSync(join(from, 'keys', name)));
  if (lost !== undefined) throw new BackupRefused(`The backup lacks its key file ${lost}.`);
  const migrations = readMigrations();
  list.migrations.forEach(({ name, sha256 }, at) => {
    if (migrations[at]?.sha256 === sha256) return;
    throw new BackupRefused(`The backup has the migration ${name}, which this version has not.`);
  });
  for (const folder of ['keys', 'postgres']) {
    const isTaken = existsSync(join(data, folder)) && readdirSync(join(data, folder)).length > 0;
    if (isTaken) throw new BackupRefused(`${data} is not empty: it has ${folder}.`);
  }
  copyFolder(join(from, 'keys'), join(data, 'keys'));
  copyFolder(join(from, 'edge'), edgeStore(data));
  const database =
    databaseUrl === undefined
      ? await startBareDatabase(data)
      : { ownerUrl: databaseUrl, stop: async () => undefined };
  try {
    await withClient(database.ownerUrl, async (client) => {
      // As it was when it was copied; what came later is applied to what was restored.
      await migrate(client, migrations.slice(0, list.migrations.length));
      await copyIn(client, join(from, 'tables'), list.tables, list.sequences);
      await migrate(client, migrations);
    });
  } finally {
    await database.stop();
  }
  return list;
}

function readList(from: string): BackupList {
  const path = join(from, LIST);
  if (!existsSync(path)) throw new BackupRefused(`${from} is no backup: it has no ${LIST}.`);
  const parsed = listSchema.safeParse(jsonIn(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new BackupRefused(`${path} is damaged, or not one of ours.`);
  return parsed.data;
}

/** Undefined where a text is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function copyFolder(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}
