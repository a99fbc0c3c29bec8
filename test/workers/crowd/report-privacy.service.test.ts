// The rights of the service's own login on reports, and the records of acts of administrators.

import type { Client } from 'pg';
import { describe, expect } from 'vitest';
import { withClient } from '../../../workers/host/database/local-database.ts';
import { type Caller, type CrowdService, REPORTS, refusalOf } from '../../support/crowd-service.ts';
import { crowdTest as test } from '../../support/fixtures.ts';

let crowd: CrowdService;
let anna: Caller;
test.beforeAll(async ({ crowd: started }) => {
  crowd = started;
  anna = await crowd.caller({ subject: 'anna' });
});

describe('the login of the service', () => {
  const asService = <T>(work: (client: Client) => Promise<T>) =>
    withClient(crowd.database.bindings.DATABASE_URL, work);

  test.each([
    'SELECT * FROM user_report',
    'SELECT * FROM report_vote',
    'UPDATE user_report SET upvotes = upvotes + 1',
    'DELETE FROM user_report',
    'DELETE FROM report_vote',
    'TRUNCATE report_vote',
    `INSERT INTO report_vote VALUES (gen_random_uuid(), 'a', 'b', '', 1, 0)`,
    `SELECT * FROM active_on_stretch(0, 0, 1, '{hazard}', 0, 0, 1, 1, 0, 1, gen_random_uuid())`,
  ])('the login of the service may not %s', async (statement) => {
    await asService(async (client) => {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    });
  });

  test('the login of the service is not led astray by names that a session puts first', async () => {
    await asService(async (client) => {
      await client.query('CREATE TEMP TABLE user_report (id uuid, deleted_at bigint)');
      await client.query('SET search_path = pg_temp, public');
      const { id } = await anna.report();
      const { rows } = await client.query('SELECT report_type FROM find_report($1)', [id]);
      expect(rows).toEqual([{ report_type: 'hazard' }]);
    });
  });
});

test('an administrator who deletes another’s report is written down; an owner who deletes is not', async () => {
  const acts = async () =>
    (await crowd.database.query('SELECT actor, act, account_id, token_id, detail FROM admin_act'))
      .rows;
  const [one, two, three] = [await anna.report(), await anna.report(), await anna.report()];
  await anna.delete(`${REPORTS}/${one!.id}`);
  const own = await crowd.caller({ subject: 'anna', scopes: ['reports:admin'] });
  await own.delete(`${REPORTS}/${two!.id}`);
  expect(await acts()).toEqual([]);
  const admin = await crowd.caller({
    subject: 'root',
    account: 'staff',
    scopes: ['reports:admin'],
  });
  await admin.delete(`${REPORTS}/${three!.id}`);
  await admin.delete(`${REPORTS}/${three!.id}`);
  expect(await acts()).toEqual([
    {
      actor: expect.stringMatching(/^token:[\w-]+$/),
      act: 'report delete',
      account_id: 'tests',
      token_id: expect.any(String),
      detail: { report: three!.id },
    },
  ]);
});

test('a token that was revoked writes nothing from then on, whatever the edge knows', async () => {
  const made = await anna.report();
  const gone = await crowd.caller({ subject: 'gone' });
  expect((await gone.vote(made.id, 'valid')).status).toBe(200);
  const { jti } = JSON.parse(Buffer.from(gone.token.split('.')[1]!, 'base64url').toString());
  await crowd.database.query(`INSERT INTO account (id, plan) VALUES ('tests', 'enterprise')`);
  await crowd.database.query(
    `INSERT INTO api_token (id, account_id, subject, kind, plan, pilot, scopes, origins,
       votes_for_users, generation, issued_at, expires_at, revoked_at)
     VALUES ($1, 'tests', 'gone', 'sk', 'standard', false, '{}', '{}', false, 0, 1, 9999999999999, 1)`,
    [jti],
  );
  for (const answer of [
    await gone.post(REPORTS, { reportType: 'hazard', position: { latitude: 1, longitude: 1 } }),
    await gone.vote(made.id, 'invalid'),
    await gone.delete(`${REPORTS}/${made.id}`),
  ]) {
    expect(refusalOf(answer)).toEqual([401, 'token_invalid']);
  }
  const { rows } = await crowd.database.query(
    'SELECT upvotes, downvotes FROM user_report WHERE id = $1',
    [made.id],
  );
  expect(rows).toEqual([{ upvotes: 1, downvotes: 0 }]);
});

test('nothing that a person wrote or is called is in the log', async () => {
  await anna.report({
    properties: { description: 'words-of-anna' },
    externalUserId: 'name-of-anna',
  });
  expect(crowd.service.log.join('\n')).toContain('"kind":"request"');
  expect(crowd.service.log.join('\n')).not.toMatch(/words-of-anna|name-of-anna|"anna"/);
});
