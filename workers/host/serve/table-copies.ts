// Copies all tables to files and back with PostgreSQL's COPY, in one snapshot. A referenced table comes
// before the tables that refer to it.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Client, escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

export interface TableCopy {
  readonly table: string;
  readonly columns: string[];
  readonly rows: number;
  /** SHA-256 of the uncompressed text. */
  readonly sha256: string;
}

export interface SequenceValue {
  readonly sequence: string;
  readonly value: string;
}

/** A file is unreadable or does not match its hash or number of rows. */
export class DamagedCopy extends Error {}

const fileOf = (folder: string, table: string) => join(folder, `${table}.copy.gz`);
/** Excluded, because `migrate` writes it. */
const LEDGER = 'schema_migration';

const TABLES = `
  SELECT c.relname AS table,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    coalesce((SELECT array_agg(DISTINCT f.confrelid::regclass::text) FROM pg_constraint f
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid), '{}') AS refers,
    coalesce((SELECT array_agg(a.attname::text ORDER BY array_position(k.conkey, a.attnum))
      FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (k.conkey)
      WHERE k.conrelid = c.oid AND k.contype = 'p'), '{}') AS key
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relname <> '${LEDGER}'
  ORDER BY c.relname`;

interface Table {
  readonly table: string;
  readonly columns: string[];
  readonly refers: readonly string[];
  readonly key: readonly string[];
}

/** All tables, referenced tables first. @throws Error for circular references */
async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  let sorted: Table[] = [];
  let left = rows;
  while (left.length > 0) {
    const next = left.filter(
      ({ refers }) => !refers.some((to) => left.some((t) => t.table === to)),
    );
    if (next.length === 0)
      throw new Error('Tables have circular foreign keys, so they cannot be copied in order.');
    sorted = [...sorted, ...next];
    left = left.filter((table) => !next.includes(table));
  }
  return sorted;
}

const list = (names: readonly string[]) => names.map(escapeIdentifier).join(', ');

/** Write every table to a folder, in one snapshot. @param client the owner's, with no other use */
export async function copyOut(
  client: Client,
  folder: string,
): Promise<{ readonly tables: TableCopy[]; readonly sequences: SequenceValue[] }> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const tables: TableCopy[] = [];
    for (const { table, columns, key } of await tablesOf(client)) {
      const order = key.length === 0 ? '' : ` ORDER BY ${list(key)}`;
      const select = `SELECT ${list(columns)} FROM ${escapeIdentifier(table)}${order}`;
      const out = client.query(copyTo(`COPY (${select}) TO STDOUT`));
      const { counter, result } = counting();
      await pipeline(
        out,
        counter,
        createGzip(),
        createWriteStream(fileOf(folder, table), { mode: 0o600 }),
      );
      tables.push({ table, columns, ...result() });
    }
    const sequences = await client.query<SequenceValue>(
      `SELECT sequencename AS sequence, last_value::text AS value FROM pg_sequences
       WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
    );
    return { tables, sequences: sequences.rows };
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Compare every file with the list. @throws DamagedCopy for the first difference */
export async function checkCopies(folder: string, tables: readonly TableCopy[]): Promise<void> {
  for (const { table, rows, sha256 } of tables) {
    const { counter, result } = counting();
    try {
      await pipeline(createReadStream(fileOf(folder, table)), createGunzip(), counter, nowhere());
    } catch (error) {
      throw new DamagedCopy(
        `The backup of the table ${table} cannot be read: ${(error as Error).message}`,
      );
    }
    const found = result();
    if (found.sha256 !== sha256 || found.rows !== rows) {
      throw new DamagedCopy(
        `The backup of the table ${table} is damaged: its hash differs from the one in backup.json.`,
      );
    }
  }
}

/** @throws Error for the first of the tables that exists and has rows */
export async function assertEmpty(client: Client, tables: readonly TableCopy[]): Promise<void> {
  const copied = new Set(tables.map(({ table }) => table));
  for (const { table } of await tablesOf(client)) {
    if (!copied.has(table)) continue;
    const full = await client.query(
      `SELECT EXISTS (SELECT FROM ${escapeIdentifier(table)}) AS some`,
    );
    if (full.rows[0].some)
      throw new Error(
        `The table ${table} is not empty; nothing was restored. Restore into an empty database.`,
      );
  }
}

/**
 * Disable the triggers of tables: they check or complete new rows, but a backup has complete rows that
 * were valid when they were written. Foreign keys are still checked.
 * @returns a function that enables these triggers again
 */
async function disableTriggers(
  client: Client,
  tables: readonly TableCopy[],
): Promise<() => Promise<void>> {
  // A trigger in another mode than `O`, the default, keeps its mode.
  const { rows } = await client.query<{ table: string; trigger: string }>(
    `SELECT tgrelid::regclass::text AS table, tgname AS trigger FROM pg_trigger
     WHERE NOT tgisinternal AND tgenabled = 'O' AND tgrelid = ANY ($1::regclass[])`,
    [tables.map(({ table }) => escapeIdentifier(table))],
  );
  const alter = async (change: 'DISABLE' | 'ENABLE') => {
    for (const { table, trigger } of rows)
      await client.query(`ALTER TABLE ${table} ${change} TRIGGER ${escapeIdentifier(trigger)}`);
  };
  await alter('DISABLE');
  return () => alter('ENABLE');
}

/**
 * Restore all tables in one transaction.
 * @param changes statements to run on the restored tables, in the same transaction
 * @throws Error if a table already has rows
 */
export async function copyIn(
  client: Client,
  folder: string,
  { tables, sequences }: { tables: readonly TableCopy[]; sequences: readonly SequenceValue[] },
  changes: readonly string[],
): Promise<void> {
  const known = new Map((await tablesOf(client)).map((table, at) => [table.table, at]));
  const order = [...tables].sort((a, b) => (known.get(a.table) ?? 0) - (known.get(b.table) ?? 0));
  await client.query('BEGIN');
  try {
    await assertEmpty(client, tables);
    const enableTriggers = await disableTriggers(client, tables);
    for (const { table, columns, rows } of order) {
      const name = escapeIdentifier(table);
      const into = client.query(copyFrom(`COPY ${name} (${list(columns)}) FROM STDIN`));
      await pipeline(createReadStream(fileOf(folder, table)), createGunzip(), into);
      const counted = await client.query(`SELECT count(*)::integer AS rows FROM ${name}`);
      if (counted.rows[0].rows !== rows)
        throw new Error(`The table ${table} has fewer rows than its backup; nothing was restored.`);
    }
    await enableTriggers();
    for (const { sequence, value } of sequences) {
      await client.query('SELECT setval($1::regclass, $2::bigint)', [
        escapeIdentifier(sequence),
        value,
      ]);
    }
    for (const change of changes) await client.query(change);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Hashes the stream and counts rows: COPY writes one line for each row and escapes line breaks. */
function counting() {
  const hash = createHash('sha256');
  let rows = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
      done(null, chunk);
    },
  });
  return { counter, result: () => ({ rows, sha256: hash.digest('hex') }) };
}

const nowhere = () =>
  new Transform({
    transform(_chunk, _encoding, done) {
      done();
    },
  }).resume();
