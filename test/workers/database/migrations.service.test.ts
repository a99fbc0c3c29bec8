// Migrations on a real server: each is applied once, in order, completely or not at all. Also the rights
// of the service login after the migrations.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startLocalDatabase, withClient } from '../../../workers/host/database/local-database.ts';
import {
  type Migration,
  migrate,
  OtherMigrations,
  pending,
  readMigrations,
} from '../../../workers/host/database/migrations.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { REPLACED_MIGRATIONS, recordReplaced } from '../../support/replaced-migrations.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-migrations-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.query('DROP SCHEMA IF EXISTS trial CASCADE');
});

/** Additional migration files on top of ours, in a separate schema. */
function filesWith(...sql: string[]): Migration[] {
  const ours = readMigrations();
  for (const { name, sql: text } of ours) writeFileSync(join(folder, name), text);
  for (const [at, text] of sql.entries()) {
    const number = String(Math.max(40, ours.at(-1)!.number) + at + 1).padStart(4, '0');
    writeFileSync(join(folder, `${number}-trial.sql`), text);
  }
  return readMigrations(folder);
}

const inTrial = async (work: (client: Client) => Promise<void>) => {
  const { rows } = await database.query('SELECT max(number) AS last FROM schema_migration');
  try {
    await withClient(database.ownerUrl, work);
  } finally {
    await database.query('DELETE FROM schema_migration WHERE number > $1', [rows[0].last]);
  }
};

describe('migrations', () => {
  test('are all applied to a test database, and none is missing', async () => {
    await withClient(database.ownerUrl, async (client) => {
      expect(await pending(client, readMigrations())).toEqual([]);
      expect(await migrate(client, readMigrations())).toEqual([]);
    });
  });

  test('are applied once and in order, however many runs there are in parallel', async () => {
    const files = filesWith(
      'CREATE SCHEMA trial; CREATE TABLE trial.first (a int)',
      'INSERT INTO trial.first VALUES (1)',
    );
    await inTrial(async (client) => {
      const run = () => withClient(database.ownerUrl, (another) => migrate(another, files));
      const applied = await Promise.all([run(), run(), run(), run()]);
      expect(applied.flat().sort()).toEqual(files.slice(-2).map(({ name }) => name));
      expect((await client.query('SELECT * FROM trial.first')).rows).toEqual([{ a: 1 }]);
    });
  });

  test('leave no trace of a failed file, and keep the earlier ones', async () => {
    const files = filesWith(
      'CREATE SCHEMA trial',
      'CREATE TABLE trial.half (a int); SELECT 1 / 0',
      'CREATE TABLE trial.never (a int)',
    );
    await inTrial(async (client) => {
      await expect(migrate(client, files)).rejects.toThrow(/trial\.sql: division by zero/);
      expect((await pending(client, files)).map(({ number }) => number)).toEqual(
        files.slice(-2).map(({ number }) => number),
      );
      const tables = `SELECT to_regclass('trial.half') AS half, to_regclass('trial.never') AS never`;
      expect((await client.query(tables)).rows).toEqual([{ half: null, never: null }]);
    });
  });

  test('do not wait long for locks of a machine that is lost', async () => {
    const files = filesWith(`CREATE SCHEMA trial; CREATE TABLE trial.limits AS
      SELECT current_setting('lock_timeout') AS lock, current_setting('tcp_keepalives_idle') AS idle`);
    await inTrial(async (client) => {
      await migrate(client, files);
      const { rows } = await client.query('SELECT * FROM trial.limits');
      expect(rows).toEqual([{ lock: '30s', idle: '20' }]);
      expect((await client.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
    });
  });

  test('refuse a file that was changed after it was applied', async () => {
    await inTrial(async (client) => {
      await migrate(client, filesWith('CREATE SCHEMA trial'));
      const changed = filesWith('CREATE SCHEMA trial; -- changed');
      await expect(migrate(client, changed)).rejects.toThrow(/changed after it was applied/);
    });
  });

  test('refuse a database with migrations of other names, and do not change it', async () => {
    await inTrial(async (client) => {
      await migrate(client, filesWith('CREATE SCHEMA trial'));
      const others = filesWith('CREATE SCHEMA trial', 'CREATE TABLE trial.never (a int)').map(
        (file) => ({ ...file, name: file.name.replace('-trial', '-other') }),
      );
      await expect(migrate(client, others)).rejects.toThrow(
        /-trial\.sql where this code has .*-other/,
      );
      const { rows } = await client.query(`SELECT to_regclass('trial.never') AS never`);
      expect(rows).toEqual([{ never: null }]);
    });
  });

  test('accept those of a development version as the files that replaced them, then apply later ones', async () => {
    await inTrial(async (client) => {
      const files = filesWith('CREATE SCHEMA trial');
      const recorded = async () =>
        (await client.query('SELECT name, sha256 FROM schema_migration ORDER BY number')).rows;
      await recordReplaced(client);
      const old = await recorded();
      expect(old.slice(0, 40)).toEqual(REPLACED_MIGRATIONS);
      expect(await pending(client, files)).toEqual(files.slice(-1));
      expect(await recorded()).toEqual(old);
      expect(await migrate(client, files)).toEqual([files.at(-1)!.name]);
      expect(await recorded()).toEqual(files.map(({ name, sha256 }) => ({ name, sha256 })));
    });
  });

  test.each([
    ['fewer', 'DELETE FROM schema_migration WHERE number = 40', 'Start revision 43e83423', false],
    [
      'changed',
      `UPDATE schema_migration SET sha256 = repeat('0', 64) WHERE number = 7`,
      '0001-runtime-role.sql where this code has',
      true,
    ],
  ])('refuse a development version with %s files, and do not change it', async (...row) => {
    const [, change, text, isOther] = row;
    await inTrial(async (client) => {
      await recordReplaced(client);
      await client.query(change);
      const refused = await migrate(client, readMigrations()).catch((error: Error) => error);
      expect((refused as Error).message).toContain(text);
      // Its remedy is an empty database.
      expect(refused instanceof OtherMigrations).toBe(isOther);
      const first = 'SELECT name, sha256 FROM schema_migration WHERE number = 1';
      expect((await client.query(first)).rows).toEqual(REPLACED_MIGRATIONS.slice(0, 1));
      await recordReplaced(client);
      await migrate(client, readMigrations());
    });
  });

  test('refuse a server that is too old, and do not change it', async () => {
    const old = {
      asked: [] as string[],
      query: async (sql: string) => {
        old.asked.push(sql);
        return { rows: [{ number: 150_018, name: '15.18' }] };
      },
    };
    const refused = migrate(old as never, readMigrations());
    await expect(refused).rejects.toThrow('PostgreSQL 15.18. Leadline needs PostgreSQL 16');
    expect(old.asked).toHaveLength(1);
  });

  test('refuse a schema in which the service may create objects, with the statement to run', async () => {
    await inTrial(async (client) => {
      await client.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
      const refused = migrate(client, readMigrations());
      await expect(refused).rejects.toThrow('run in this database: REVOKE CREATE ON SCHEMA public');
      await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
      expect(await migrate(client, readMigrations())).toEqual([]);
    });
  });

  test('refuse a database with more migrations than the code', async () => {
    await inTrial(async (client) => {
      await migrate(client, filesWith('CREATE SCHEMA trial'));
      await expect(migrate(client, readMigrations())).rejects.toThrow(/newer than this code/);
    });
  });

  test.each([
    [['0001-a.sql', '0003-b.sql'], /0002/],
    [['0001-a.sql', '0001-b.sql'], /0002/],
    [['0001-a.sql', 'b.sql'], /not named like/],
    [['0002-a.sql'], /0001/],
  ])('refuse files named %j', (names, complaint) => {
    for (const name of names) writeFileSync(join(folder, name), 'SELECT 1');
    expect(() => readMigrations(folder)).toThrow(complaint);
  });
});

describe('the local database', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'leadline-old-data-'));
    // The user of the database must have access.
    chmodSync(data, 0o755);
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  test('names the folder to delete if other migrations made it, and then starts empty', async () => {
    const before = await startLocalDatabase(data);
    await withClient(before.ownerUrl, async (client) => {
      await client.query(
        `UPDATE schema_migration SET name = '0003-user-reports.sql' WHERE number = 3`,
      );
      await client.query(`INSERT INTO account (id, plan) VALUES ('lost', 'standard')`);
    });
    await before.stop();

    const refused = await startLocalDatabase(data).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(refused).toContain('has the migration 0003-user-reports.sql where this code has 0003-');
    const [, folder] = /delete (\S+):/.exec(refused) ?? [];
    expect(folder).toBe(join(data, 'postgres'));

    rmSync(folder!, { recursive: true });
    const after = await startLocalDatabase(data);
    try {
      await withClient(after.ownerUrl, async (client) => {
        expect((await client.query('SELECT * FROM account')).rows).toEqual([]);
      });
    } finally {
      await after.stop();
    }
  });
});

describe('the login of the service', () => {
  const asService = <T>(work: (client: Client) => Promise<T>) =>
    withClient(database.bindings.DATABASE_URL, work);

  test.each([
    'CREATE TABLE mine (a int)',
    'CREATE SCHEMA mine',
    'CREATE ROLE mine',
    'SELECT * FROM schema_migration',
    'DELETE FROM schema_migration',
    'DROP TABLE schema_migration',
    'ALTER ROLE leadline_runtime SUPERUSER',
    `COPY (SELECT 1) TO '/tmp/leadline-copy'`,
  ])('may not %s', async (statement) => {
    await asService(async (client) => {
      await expect(client.query(statement)).rejects.toMatchObject({
        code: expect.stringMatching(/^(42501|0LP01)$/),
      });
    });
  });

  test('has time limits set by the server', async () => {
    await asService(async (client) => {
      const settings = await client.query(
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
      );
      expect(settings.rows).toEqual([{ statement: '3s', lock: '1s' }]);
    });
  });

  test('requires its password', async () => {
    const url = new URL(database.bindings.DATABASE_URL);
    url.password = 'guessed';
    const client = new Client({ connectionString: url.href });
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' });
  });
});
