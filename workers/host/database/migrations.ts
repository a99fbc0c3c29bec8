// Applies numbered SQL files to a database: forward only, in order, each once and in its own transaction.
// An applied file must not change.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client } from 'pg';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

const MIGRATIONS_FOLDER = resolve(import.meta.dirname, '../../../migrations');

/** A file that was applied to a database. */
export type AppliedMigration = Pick<Migration, 'name' | 'sha256'>;

/**
 * Development versions had the files 0001 to 0040, which the first files replaced with the same schema. Later
 * files continue with 0041. `sha256` is the digest of the lines "<name> <digest>" of the replaced files.
 */
const REPLACED = {
  count: 40,
  by: 14,
  first: '0001-runtime-role.sql',
  last: '0040-stated-users.sql',
  sha256: '78749adb471ba607ac1dabee0d9b81deb482ebce2c538a64d729570141c45f0d',
};

/** The database was migrated with other files, so it cannot be migrated further. */
export class OtherMigrations extends Error {}

/** Oldest supported major version of PostgreSQL. */
const LEAST_VERSION = 16;

/** Advisory lock of migrations. */
const LOCK = 5_323_235;

const LEDGER = `
  CREATE TABLE IF NOT EXISTS schema_migration (
    number integer PRIMARY KEY,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

/** Read the migrations. @throws Error for an invalid name, a gap or a duplicate number */
export function readMigrations(folder = MIGRATIONS_FOLDER): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name, at) => {
    const [, digits] = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name) ?? [];
    if (digits === undefined) throw new Error(`${name} is not named like 0001-what-it-does.sql.`);
    const number = at < REPLACED.by ? at + 1 : at + 1 + REPLACED.count - REPLACED.by;
    if (Number(digits) !== number) {
      throw new Error(`${name} should have the number ${String(number).padStart(4, '0')}.`);
    }
    const sql = readFileSync(join(folder, name), 'utf8');
    return { number, name, sql, sha256: digest(sql) };
  });
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The applied files, with the current names and digests if they begin with the replaced files.
 * @throws Error if they begin with only some of the replaced files
 */
export function asCurrent(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): readonly AppliedMigration[] {
  const first = applied.slice(0, REPLACED.count);
  const lines = first.map(({ name, sha256 }) => `${name} ${sha256}\n`).join('');
  if (first[0]?.name === REPLACED.first && first.at(-1)?.name !== REPLACED.last)
    throw new Error(
      'The database is of a development version with fewer than 40 migrations. Start revision 43e83423 on it once, then start this version. Restore a backup with that revision, then make a new backup.',
    );
  if (digest(lines) !== REPLACED.sha256) return applied;
  return [...migrations.slice(0, REPLACED.by), ...applied.slice(REPLACED.count)];
}

/**
 * Apply what is missing. @returns the names applied
 * @throws OtherMigrations when a file was applied that is not here or was changed
 * @throws Error if the server is too old, the database is of a development version before 0040, the database
 * has migrations that the folder lacks, or a file fails. Files before the failed one stay applied; the failed
 * one changes nothing. Also if the service's role may create objects in the schema `public`.
 */
export async function migrate(client: Client, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = [];
  await requireVersion(client);
  await locked(client, LOCK, async () => {
    await client.query(LEDGER);
    await renameReplaced(client, migrations);
  });
  for (const migration of migrations) {
    await locked(client, LOCK, async () => {
      if (!(await pending(client, migrations)).includes(migration)) return;
      try {
        await client.query(migration.sql);
      } catch (error) {
        throw new Error(`${migration.name}: ${(error as Error).message}`, { cause: error });
      }
      await record(client, migration);
      applied.push(migration.name);
    });
  }
  await pending(client, migrations);
  await requireRestricted(client);
  return applied;
}

/**
 * Before PostgreSQL 15, every role could create objects in a new database, and only the owner of the schema
 * can change this. @throws Error
 */
async function requireRestricted(client: Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT FROM pg_roles WHERE rolname = 'leadline_runtime'
     AND has_schema_privilege(oid, 'public', 'CREATE')`,
  );
  if (rows.length > 0)
    throw new Error(
      'The login of the service may create objects in the schema public. As its owner or a superuser, run in this database: REVOKE CREATE ON SCHEMA public FROM PUBLIC; Then repeat the command.',
    );
}

/** Older versions read a list of reports hundreds of times more slowly. @throws Error */
async function requireVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `SELECT current_setting('server_version_num')::integer AS number,
       current_setting('server_version') AS name`,
  );
  const [{ number, name }] = rows as [(typeof rows)[number]];
  if (number < LEAST_VERSION * 10_000) {
    throw new Error(
      `The server has PostgreSQL ${name}. Leadline needs PostgreSQL ${LEAST_VERSION} or newer.`,
    );
  }
}

/** Migrations that are not applied yet, in order. @throws as `migrate` */
export async function pending(
  client: Client,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const ledger = await client.query(`SELECT to_regclass('schema_migration') AS found`);
  if (ledger.rows[0].found === null) return [...migrations];
  const known = asCurrent(await appliedTo(client), migrations);
  for (const [at, { name, sha256 }] of known.entries()) {
    const file = migrations[at];
    if (file === undefined)
      throw new Error(`The database is newer than this code: it has ${name}.`);
    if (file.name !== name) {
      throw new OtherMigrations(
        `The database has the migration ${name} where this code has ${file.name}: its tables are ` +
          'those of another version, from which none leads to this one.',
      );
    }
    if (file.sha256 !== sha256) {
      throw new OtherMigrations(
        `${name} was changed after it was applied. Put it back as it was, and add a new file.`,
      );
    }
  }
  return migrations.slice(known.length);
}

async function appliedTo(client: Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'SELECT name, sha256 FROM schema_migration ORDER BY number',
  );
  return rows;
}

async function record(client: Client, { number, name, sha256 }: Migration): Promise<void> {
  const row = 'INSERT INTO schema_migration (number, name, sha256) VALUES ($1, $2, $3)';
  await client.query(row, [number, name, sha256]);
}

/** Record the files that replaced those of a development version as applied, instead of these. */
async function renameReplaced(client: Client, migrations: readonly Migration[]): Promise<void> {
  const applied = await appliedTo(client);
  if (asCurrent(applied, migrations) === applied) return;
  await client.query('DELETE FROM schema_migration WHERE number <= $1', [REPLACED.count]);
  for (const migration of migrations.slice(0, REPLACED.by)) await record(client, migration);
}

/**
 * Run `work` in a transaction with an advisory lock, because a connection pooler does not preserve session locks.
 * Another machine with the lock may be lost.
 * @throws Error if a lock is not free within 30 seconds
 */
export async function locked(
  client: Client,
  lock: number,
  work: () => Promise<void>,
): Promise<void> {
  await client.query("BEGIN; SET LOCAL lock_timeout = '30s'; SET LOCAL tcp_user_timeout = 50000");
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
