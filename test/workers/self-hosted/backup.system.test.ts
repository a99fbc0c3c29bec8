// A backup made while the service is written to, and restored into an empty place: the database row by
// row, the keys, the revoked tokens and the saved styles are those of the original.

import { spawn } from 'node:child_process';
import fs, {
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { ensureKeys, loadUserTokenSecret } from '../../../workers/host/admin/keys.ts';
import {
  restoreMark,
  startBareDatabase,
  startLocalDatabase,
  withClient,
} from '../../../workers/host/database/local-database.ts';
import { migrate, readMigrations } from '../../../workers/host/database/migrations.ts';
import { startOf } from '../../../workers/host/database/process.ts';
import { type BackupList, backUp, restore } from '../../../workers/host/serve/backup.ts';
import { claimState } from '../../../workers/host/serve/state-folder.ts';
import { copyIn } from '../../../workers/host/serve/table-copies.ts';
import { freshDatabase } from '../../support/database.ts';
import { REPLACED_MIGRATIONS, recordReplaced } from '../../support/replaced-migrations.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import {
  type Dist,
  discard,
  makeData,
  makeDist,
  runLeadline,
  type SelfHosted,
  startSelfHosted,
} from '../../support/self-hosted.ts';
import { runTokens } from '../../support/tokens-command.ts';

const STYLES = '/api/portal/v1/styles';
const REPORTS = '/api/v1/user-reports';
const SOUNDINGS = '/api/v1/user-reports/bathymetry';
const original = makeData();
const elsewhere = makeData();
const scratch = scratchFolder();
const backup = join(scratch, 'first');
let dist: Dist;
let service: SelfHosted;
let restored: SelfHosted | undefined;
/** Minted at the terminal, so that the database knows of it. */
let token: string;
let stopped: string;
let opaque: string;
let stoppedOpaque: string;

beforeAll(async () => {
  dist = await makeDist();
  service = await startSelfHosted({ dist, data: original, charts: inject('demoCharts') });
});
afterAll(async () => {
  await discard(restored, elsewhere);
  await discard(service, original);
  dist?.remove();
});

const ask = (of: SelfHosted, path: string, init: RequestInit = {}, by = token) =>
  fetch(of.address + path, { ...init, headers: { authorization: `Bearer ${by}` } });

async function tokens(...words: string[]): Promise<string> {
  const { code, out, complaint } = await runTokens([...words, '--data', original]);
  expect([code, complaint]).toEqual([0, expect.stringMatching(/^(This token .*\n)?$/)]);
  return out.trim();
}

describe('a backup', () => {
  test('a backup is made while the service runs', async () => {
    await tokens('account', 'create', 'acme', '--plan', 'enterprise');
    token = await tokens(
      ...['mint', '--account', 'acme', '--sub', 'me', '--scopes'],
      'styles:write,styles,reports:write,bathymetry:write,tiles',
    );
    stopped = await tokens('mint', '--account', 'acme', '--sub', 'other', '--scopes', 'tiles');
    await tokens('revoke', decodeJwt(stopped).jti!);
    const short = ['mint', '--opaque', '--account', 'acme', '--sub', 'short', '--scopes', 'tiles'];
    opaque = await tokens(...short);
    stoppedOpaque = await tokens(...short);
    await tokens('revoke', stoppedOpaque);
    const style = await ask(service, STYLES, {
      method: 'POST',
      body: '{"name":"SupervisedPart \\"ö\\\\"}',
    });
    expect(style.status).toBe(201);
    const soundings = Array.from({ length: 500 }, (_, i) => ({
      latitude: -20 + i / 1e5,
      longitude: -30,
      depth: i / 10,
      time: 1_700_000_000_000 + i * 1000,
    }));
    const body = JSON.stringify({ soundings, depthUnits: 'meters' });
    const sent = await ask(service, SOUNDINGS, { method: 'POST', body });
    expect([sent.status, await sent.text()]).toEqual([201, expect.stringContaining('500')]);
    // Rows that triggers would reject or change: a report of a blocked author, and an erased account.
    const position = { latitude: -20, longitude: -30 };
    const report = JSON.stringify({ reportType: 'hazard', position });
    expect((await ask(service, REPORTS, { method: 'POST', body: report })).status).toBe(201);
    const block = `INSERT INTO report_block (account_id, kind, name) VALUES ('acme', 'subject', 'me')`;
    await withDatabase(original, `${block} RETURNING 1 AS n`);
    await tokens('account', 'create', 'gone', '--plan', 'enterprise');
    await tokens('erase', '--account', 'gone', '--yes');
    const { code, said } = await runLeadline(['backup', backup, '--data', original]);
    expect([code, said]).toEqual([0, expect.stringContaining('saved_style, 1 rows')]);
    expect((await ask(service, '/readyz')).status).toBe(200);
  });

  test('a backup is never written over', async () => {
    const again = await runLeadline(['backup', backup, '--data', original]);
    expect(again).toEqual({
      code: 1,
      said: `${backup} already exists. Name a folder that does not exist.\n`,
    });
  });

  test('a backup that was damaged is refused, and nothing is written', async () => {
    const damaged = join(scratch, 'damaged');
    cpSync(backup, damaged, { recursive: true });
    const path = join(damaged, 'tables', 'saved_style.copy.gz');
    const bytes = readFileSync(path);
    bytes[bytes.length - 12]! ^= 1;
    writeFileSync(path, bytes);
    const refused = await runLeadline(['restore', damaged, '--data', elsewhere]);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('saved_style')]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('a backup whose keys or list were lost is refused, and nothing is written', async () => {
    const lacking = join(scratch, 'lacking');
    cpSync(backup, lacking, { recursive: true });
    const [key] = readdirSync(join(lacking, 'keys'));
    rmSync(join(lacking, 'keys', key!));
    const withoutKey = await runLeadline(['restore', lacking, '--data', elsewhere]);
    expect([withoutKey.code, withoutKey.said]).toEqual([1, expect.stringContaining(key!)]);
    const list = join(lacking, 'backup.json');
    writeFileSync(list, readFileSync(list, 'utf8').slice(0, 100));
    const withoutList = await runLeadline(['restore', lacking, '--data', elsewhere]);
    expect([withoutList.code, withoutList.said]).toEqual([1, expect.stringContaining(list)]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('a backup is put into an empty place only', async () => {
    const refused = await runLeadline(['restore', backup, '--data', original]);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('is not empty')]);
  });

  test('a database with rows is refused, and nothing is written', async () => {
    const { ownerUrl, stop } = await startBareDatabase(original);
    const refused = await runLeadline(['restore', backup, '--data', elsewhere], {
      DATABASE_OWNER_URL: ownerUrl,
    });
    await stop();
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('is not empty')]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('a restore that fails deletes what it wrote, so that it can be repeated', async () => {
    const other = join(scratch, 'other');
    cpSync(backup, other, { recursive: true });
    const list = join(other, 'backup.json');
    writeFileSync(list, readFileSync(list, 'utf8').replace('"base_theme"', '"unknown_column"'));
    const failed = await runLeadline(['restore', other, '--data', elsewhere]);
    expect(failed.code).toBe(1);
    const left = ['keys', 'postgres', 'store/edge'].filter((one) =>
      existsSync(join(elsewhere, one)),
    );
    expect(left).toEqual([]);
  });

  test('a place with a note of a lost database is refused, and nothing is written', async () => {
    const data = makeData();
    mkdirSync(data);
    writeFileSync(join(data, 'postgres.place'), join(data, 'lost'));
    const refused = restore({ data, databaseUrl: undefined }, backup);
    await expect(refused).rejects.toThrow('it contains postgres or postgres.place');
    expect(readdirSync(data)).toEqual(['postgres.place']);
    await discard(undefined, data);
  });

  test('the tables are restored completely with their changes, or not at all', async () => {
    const { ownerUrl, stop } = await freshDatabase();
    const list = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')) as BackupList;
    await withClient(ownerUrl, async (client) => {
      const refused = copyIn(client, join(backup, 'tables'), list, ['SELECT 1 / 0']);
      await expect(refused).rejects.toThrow('division by zero');
      expect((await client.query('SELECT FROM account')).rows).toEqual([]);
    });
    await stop();
  });

  test('a restore that was killed is repeated, and before nothing uses its database', async () => {
    // What it leaves: keys, an empty database and a server without users.
    const { ownerUrl } = await startBareDatabase(elsewhere);
    rmSync(join(elsewhere, 'postgres.users'), { recursive: true });
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 300_000)', 'leadline']);
    const mark = (start: string) => writeFileSync(restoreMark(elsewhere), `${other.pid} ${start}`);
    mark(startOf(other.pid!));
    const reason = 'is not complete. Repeat it';
    await expect(claimState(elsewhere)).rejects.toThrow(reason);
    await expect(startLocalDatabase(elsewhere)).rejects.toThrow(reason);
    const source = { data: elsewhere, databaseUrl: undefined };
    await expect(backUp(source, join(scratch, 'partial'))).rejects.toThrow(reason);
    await expect(restore(source, backup)).rejects.toThrow('Wait for its end.');
    // Now another process has the id.
    mark('1');
    const { code, said } = await runLeadline(['restore', backup, '--data', elsewhere]);
    other.kill('SIGKILL');
    expect([code, said]).toEqual([0, expect.stringContaining('restored')]);
    expect(existsSync(restoreMark(elsewhere))).toBe(false);
    await expect(withClient(ownerUrl, async () => undefined)).rejects.toThrow('ECONNREFUSED');
  });

  test('restored elsewhere equals the original, row by row', async () => {
    expect(existsSync(join(elsewhere, 'postgres.place'))).toBe(false);
    const again = join(scratch, 'again');
    expect((await runLeadline(['backup', again, '--data', elsewhere])).code).toBe(0);
    const [first, second] = [backup, again].map(
      (folder) => JSON.parse(readFileSync(join(folder, 'backup.json'), 'utf8')) as BackupList,
    );
    // Links that were used since must not work again.
    const isKept = ({ table }: { readonly table: string }) => table !== 'portal_verification';
    const listed = [first!, second!].map(({ tables, ...rest }) => ({
      ...{ ...rest, madeAt: '' },
      tables: tables.filter(isKept),
    }));
    expect(listed[1]).toEqual(listed[0]);
    for (const { table, rows } of first!.tables.filter(isKept)) {
      const [a, b] = [backup, again].map((folder) =>
        gunzipSync(readFileSync(join(folder, 'tables', `${table}.copy.gz`))).toString(),
      );
      expect([table, b]).toEqual([table, a]);
      expect(a!.split('\n').length - 1).toBe(rows);
    }
    // The names and sizes of the tables in PostgreSQL.
    const triggers = `SELECT count(*)::integer AS n FROM pg_trigger
      WHERE tgenabled = 'O' AND NOT tgisinternal`;
    expect(await withDatabase(elsewhere, triggers)).toBe(await withDatabase(original, triggers));
    const count = await withDatabase(elsewhere, 'SELECT count(*)::integer AS n FROM admin_act');
    expect(count).toBe(first!.tables.find(({ table }) => table === 'admin_act')!.rows);
    expect(count).toBeGreaterThan(2);
  });

  test('a backup restores a service elsewhere: signed and opaque tokens, saved styles, tracks, revoked tokens, new rows', async () => {
    // The start publishes opaque tokens from the database: their claims may be lost.
    const edge = join(elsewhere, 'store', 'edge');
    const claims = readdirSync(edge).filter((file) =>
      readFileSync(join(edge, file), 'utf8').includes('"acc":"acme"'),
    );
    expect(claims.length).toBeGreaterThan(0);
    for (const file of claims) rmSync(join(edge, file));
    restored = await startSelfHosted({ dist, data: elsewhere, charts: inject('demoCharts') });
    const styles = (await (await ask(restored, STYLES)).json()) as { name: string }[];
    expect(styles.map(({ name }) => name)).toEqual(['SupervisedPart "ö\\']);
    const text = await (await ask(restored, SOUNDINGS)).text();
    expect(text).toBe(await (await ask(service, SOUNDINGS)).text());
    const tile = '/api/v2/tiles/enc-v2/14/7282/9623.mvt';
    expect((await ask(restored, tile, {}, opaque)).status).toBe(200);
    for (const one of [stopped, stoppedOpaque]) {
      expect((await ask(restored, tile, {}, one)).status).toBe(401);
    }
    const more = await ask(restored, STYLES, { method: 'POST', body: '{"name":"New"}' });
    expect(more.status).toBe(201);
    // The audit trail continues with the next number.
    const minted = await runTokens([
      'mint',
      '--account',
      'acme',
      '--sub',
      'x',
      '--data',
      elsewhere,
    ]);
    expect(minted.code).toBe(0);
  });
});

describe('a backup of a development version', () => {
  const older = makeData();
  const newer = makeData();
  afterAll(async () => {
    await discard(undefined, older);
    await discard(undefined, newer);
  });

  test('does not migrate the database, and when restored, the charts of accounts are built again', async () => {
    await ensureKeys(older);
    await loadUserTokenSecret(older);
    const { ownerUrl, stop } = await startBareDatabase(older);
    await withClient(ownerUrl, async (client) => {
      await migrate(
        client,
        readMigrations().filter(({ number }) => number <= REPLACED_MIGRATIONS.length),
      );
      await recordReplaced(client);
      await client.query(`INSERT INTO chart_set VALUES ('acme', 'b1')`);
      await client.query(`INSERT INTO chart_set_build VALUES ('acme', 'a1', 1, '{}', '{}')`);
    });
    await stop();
    const folder = join(scratch, 'older');
    const options = { databaseUrl: undefined };
    const { migrations } = await backUp({ ...options, data: older }, folder);
    const applied = 'SELECT count(*)::integer AS n FROM schema_migration';
    expect(migrations).toEqual(REPLACED_MIGRATIONS);
    expect(await withDatabase(older, applied)).toBe(REPLACED_MIGRATIONS.length);
    const flushed: number[] = [];
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      if (existsSync(restoreMark(newer))) flushed.push(fstatSync(file).ino);
    });
    syncBuiltinESMExports();
    await restore({ ...options, data: newer }, folder);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    for (const key of readdirSync(join(newer, 'keys')))
      expect(flushed).toContain(statSync(join(newer, 'keys', key)).ino);
    expect(await withDatabase(newer, applied)).toBe(readMigrations().length);
    const jobs = `WITH asked AS MATERIALIZED (SELECT work_rebuild('b1'))
      SELECT count(*)::integer AS n FROM asked`;
    await withDatabase(newer, jobs);
    const rebuilds = `SELECT count(*)::integer AS n FROM chart_job
      WHERE kind = 'rebuild' AND account_id = 'acme'`;
    expect(await withDatabase(newer, rebuilds)).toBe(1);
    expect(await withDatabase(newer, 'SELECT count(*)::integer AS n FROM chart_set_build')).toBe(0);
  });

  test('a restore revives no link that sets a password, and no email', async () => {
    await withDatabase(
      newer,
      `WITH made AS (INSERT INTO account (id, plan) VALUES ('mailed', 'standard') RETURNING id),
        one AS (INSERT INTO portal_user (id, account_id, role, email)
          SELECT 'u', id, 'member', 'jane@acme.example' FROM made RETURNING id),
        link AS (INSERT INTO portal_reset SELECT id, id, id, now_ms() + 60000, 0, 0 FROM one),
        sign_in AS (INSERT INTO portal_verification VALUES ('v', 'v', '{}', now_ms() + 60000, 0, 0))
      INSERT INTO portal_mail (user_id) SELECT id FROM one RETURNING 1 AS n`,
    );
    const folder = join(scratch, 'mailed');
    await backUp({ databaseUrl: undefined, data: newer }, folder);
    const data = makeData();
    await restore({ databaseUrl: undefined, data }, folder);
    const left = `SELECT (SELECT count(*) FROM portal_reset)::integer
      + (SELECT count(*) FROM portal_verification)::integer
      + (SELECT count(*) FROM portal_mail)::integer AS n`;
    expect(await withDatabase(data, left)).toBe(0);
    await discard(undefined, data);
  });

  test('is refused by an empty database with newer tables', async () => {
    const { ownerUrl, stop } = await freshDatabase();
    const data = join(newer, '..', 'external');
    const refused = restore({ data, databaseUrl: ownerUrl }, join(scratch, 'older'));
    await expect(refused).rejects.toThrow('Restore into a database without tables');
    expect(existsSync(data)).toBe(false);
    await stop();
  });

  test('with some of the replaced migrations is refused with the version to start', async () => {
    const list = join(scratch, 'older', 'backup.json');
    const { migrations, ...rest } = JSON.parse(readFileSync(list, 'utf8')) as BackupList;
    writeFileSync(list, JSON.stringify({ ...rest, migrations: migrations.slice(0, 12) }));
    const data = join(newer, '..', 'third');
    const refused = restore({ data, databaseUrl: undefined }, join(scratch, 'older'));
    await expect(refused).rejects.toThrow('Start revision 43e83423');
    expect(existsSync(data)).toBe(false);
  });
});

test('a backup of a database that does not start leaves no folder', async () => {
  const data = makeData();
  await ensureKeys(data);
  await loadUserTokenSecret(data);
  mkdirSync(join(data, 'postgres'));
  writeFileSync(join(data, 'postgres', 'PG_VERSION'), '');
  const into = join(scratch, 'refused');
  const refused = backUp({ data, databaseUrl: undefined }, into);
  await expect(refused).rejects.toThrow('PostgreSQL did not start');
  expect(readdirSync(scratch).filter((name) => name.startsWith('refused'))).toEqual([]);
  await discard(undefined, data);
});

async function withDatabase(data: string, sql: string): Promise<number> {
  const { ownerUrl, stop } = await startBareDatabase(data);
  try {
    return await withClient(ownerUrl, async (client) => (await client.query(sql)).rows[0].n);
  } finally {
    await stop();
  }
}
