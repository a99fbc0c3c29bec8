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

/** The resulting schema, for readers; never applied. A test compares it with the migrations. */
const SCHEMA_FILE = 'schema.sql';

/** The database was migrated with other files, so it cannot be migrated further. */
export class OtherMigrations extends Error {}

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
    .filter((name) => name.endsWith('.sql') && name !== SCHEMA_FILE)
    .sort();
  return names.map((name, at) => {
    const [, digits] = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name) ?? [];
    if (digits === undefined) throw new Error(`${name} is not named like 0001-what-it-does.sql.`);
    if (Number(digits) !== at + 1) {
      throw new Error(`${name} should have the number ${String(at + 1).padStart(4, '0')}.`);
    }
    const sql = readFileSync(join(folder, name), 'utf8');
    return { number: at + 1, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

/**
 * Apply what is missing. @returns the names applied
 * @throws OtherMigrations when a file was applied that is not here or was changed
 * @throws Error when the database knows more than the folder, or a file fails; what was applied
 * before it stays, nothing of it does
 */
export async function migrate(client: Client, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = [];
  await locked(client, async () => {
    await client.query(LEDGER);
  });
  for (const migration of migrations) {
    await locked(client, async () => {
      if (!(await pending(client, migrations)).includes(migration)) return;
      try {
        await client.query(migration.sql);
      } catch (error) {
        throw new Error(`${migration.name}: ${(error as Error).message}`, { cause: error });
      }
      const { number, name, sha256 } = migration;
      const record = 'INSERT INTO schema_migration (number, name, sha256) VALUES ($1, $2, $3)';
      await client.query(record, [number, name, sha256]);
      applied.push(name);
    });
  }
  await pending(client, migrations);
  return applied;
}

/** Migrations that are not applied yet, in order. @throws as `migrate` */
export async function pending(
  client: Client,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const ledger = await client.query(`SELECT to_regclass('schema_migration') AS found`);
  if (ledger.rows[0].found === null) return [...migrations];
  const { rows } = await client.query<Migration>(
    'SELECT number, name, sha256 FROM schema_migration ORDER BY number',
  );
  for (const { number, name, sha256 } of rows) {
    const file = migrations[number - 1];
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
  return migrations.slice(rows.length);
}

/** Uses a transaction lock, because a connection pooler does not preserve session locks. */
async function locked(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
