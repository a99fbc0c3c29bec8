// The tables as Drizzle sees them are the tables that the migrations made.

import { getTableConfig } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as portalTables from '../../../workers/service/db/portal-tables.ts';
import * as tables from '../../../workers/service/db/schema.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database?.stop());

test.each(
  Object.values({ ...tables, ...portalTables }).map((table) => [getTableConfig(table)] as const),
)('columns of $name: names, types and what may be absent', async ({ name, columns }) => {
  const { rows } = await database.query(
    `SELECT column_name AS name, udt_name AS type, is_nullable = 'NO' AS required
       FROM information_schema.columns WHERE table_name = $1 ORDER BY 1`,
    [name],
  );
  const pgName: Readonly<Record<string, string>> = {
    bigint: 'int8',
    'double precision': 'float8',
    integer: 'int4',
    smallint: 'int2',
    boolean: 'bool',
    'text[]': '_text',
    'uuid[]': '_uuid',
    'integer[]': '_int4',
  };
  const described = columns.map((column) => ({
    name: column.name,
    type: pgName[column.getSQLType()] ?? column.getSQLType(),
    required: column.notNull,
  }));
  expect(described.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(rows);
});
