// A new password by a link in an email: what is sent, to whom, and what the link does.

import { beforeAll, expect, test } from 'vitest';
import { createLink, suspendUser } from '../../workers/host/registry/portal-users.ts';
import { startCrowdService } from '../support/crowd-service.ts';
import { linkTo, type MailServer } from '../support/mail-server.ts';
import { NEW_PASSWORD, ORIGIN, usePasswordMails } from '../support/password-mails.ts';
import {
  PASSWORD,
  PORTAL,
  type PortalService,
  type UserName,
  users,
} from '../support/portal-service.ts';
import { codeOf } from '../support/totp.ts';

const mails = usePasswordMails();
const { query, hasMail, withWork, stopWork, forget, reset, pending, newUser } = mails;
let portal: PortalService;
let server: MailServer;
beforeAll(() => {
  ({ portal, server } = mails.started());
});

/** As if the last emails were an hour old. */
const passTime = () => query('UPDATE portal_mailed SET at = now_ms() - 3600000');

async function sessionOf(email: string) {
  const { json } = await portal.signIn(email);
  return { authorization: `Bearer ${(json as { token: { id: string } }).token.id}` };
}

test('the service sends no email before a worker with a mail server is connected', async () => {
  expect(await hasMail()).toBe(false);
  for (const address of [users.member.email, 'nobody@acme.example']) {
    const { json } = await forget(address);
    expect(json).toMatchObject({ status: 409, code: 'mail_not_configured' });
  }
  const { json } = await portal.send('POST', '/team', {
    headers: await portal.sessionOf('owner'),
    body: { username: 'unmailed@acme.example', role: 'member' },
  });
  expect(json).toMatchObject({ isMailed: false });
});

test('a link sets the password once, and ends the sessions and the other links', async () => {
  await withWork();
  const email = await newUser('forgetful');
  const session = await sessionOf(email);
  const answer = await forget(` ${email.toUpperCase()} `);
  expect([answer.status, answer.json]).toEqual([202, { message: expect.any(String) }]);
  const link = await linkTo(server, email);
  const mail = server.mails.at(-1)!;
  expect(mail.to).toEqual([email]);
  expect(mail.headers).toEqual(
    expect.arrayContaining([
      'From: Charts <charts@leadline.example>',
      `To: ${email}`,
      'Subject: Choose a password for charts.example',
      'Auto-Submitted: auto-generated',
    ]),
  );
  expect(mail.text).toContain(`\n${ORIGIN}/portal#password=${link}\r\n`);
  // The database has no link, and the password still works.
  for (const table of ['portal_mail', 'portal_reset']) {
    const { rows } = await query(`SELECT t::text AS row FROM ${table} AS t`);
    expect(JSON.stringify(rows)).not.toContain(link);
  }
  expect(await portal.whoami(session)).toBe(200);
  const { rows } = await query('SELECT expires_at - created_at AS life FROM portal_reset');
  expect(rows).toEqual([{ life: '86400000' }]);
  expect(await reset(link, 'short')).toEqual([400, 'bad_portal_request']);
  expect(await reset('\0')).toEqual([401, 'sign_in_failed']);
  const answers = await Promise.all([reset(link), reset(link), reset(link)]);
  expect(answers.map(([status]) => status).sort()).toEqual([204, 401, 401]);
  expect(await portal.whoami(session)).toBe(401);
  expect((await portal.signIn(email)).status).toBe(401);
  expect((await portal.signIn(email, NEW_PASSWORD)).status).toBe(200);
});

test('an unknown address and a suspended user get the same answer and no email', async () => {
  await withWork();
  const suspended = await newUser('suspended');
  await portal.administer((one) => suspendUser(one, suspended, true));
  const known = await newUser('known');
  const before = server.mails.length;
  const answers: { status: number; json: unknown }[] = [];
  for (const address of [suspended, 'nobody@acme.example', '\0', known]) {
    const { status, json } = await forget(address);
    answers.push({ status, json });
  }
  expect(answers).toEqual(Array.from({ length: 4 }, () => answers[0]));
  expect(answers[0]!.status).toBe(202);
  await linkTo(server, known);
  await expect.poll(pending).toBe(0);
  expect(server.mails.slice(before).map(({ to }) => to)).toEqual([[known]]);
});

test('a request writes a row for every address, so that all take the same time', async () => {
  await withWork();
  await stopWork();
  await forget(users.rival.email);
  await forget('nobody@acme.example');
  expect(await pending()).toBe(2);
});

test('a user who is suspended before the email is sent gets none and delays no other', async () => {
  await withWork();
  await stopWork();
  const email = await newUser('late');
  const other = await newUser('later');
  await forget(email);
  await forget(other);
  await portal.administer((one) => suspendUser(one, email, true));
  const { rows } = await query(`SELECT address FROM work_mail('hash')`);
  expect(rows).toEqual([{ address: other }]);
  expect(await pending()).toBe(1);
});

test('a user gets one email in five minutes, also if strangers repeat the request', async () => {
  await withWork();
  const email = await newUser('popular');
  await forget(email);
  const link = await linkTo(server, email);
  await expect.poll(pending).toBe(0);
  await forget(email);
  await expect.poll(pending).toBe(0);
  expect(server.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
  for (const count of [2, 3, 4, 5]) {
    await passTime();
    await forget(email);
    await linkTo(server, email, count);
    await expect.poll(pending).toBe(0);
  }
  await passTime();
  await forget(email);
  await expect.poll(pending).toBe(0);
  expect(server.mails.filter(({ to }) => to.includes(email))).toHaveLength(5);
  expect(await reset(link)).toEqual([204, undefined]);
  expect(await reset(await linkTo(server, email, 5))).toEqual([401, 'sign_in_failed']);
});

test('a link has an end, and a suspended user cannot use it', async () => {
  await withWork();
  const email = await newUser('slow');
  await forget(email);
  const link = await linkTo(server, email);
  await query('UPDATE portal_reset SET expires_at = 1');
  expect(await reset(link)).toEqual([401, 'sign_in_failed']);
  await query('UPDATE portal_reset SET expires_at = now_ms() + 600000');
  await portal.administer((one) => suspendUser(one, email, true));
  expect(await reset(link)).toEqual([403, 'user_suspended']);
  await portal.administer((one) => suspendUser(one, email, false));
  expect((await portal.signIn(email)).status).toBe(200);
  expect(await reset(link)).toEqual([204, undefined]);
});

test('new links and new users with the same address do not end the limits of emails', async () => {
  await withWork();
  const email = 'victim@acme.example';
  const body = { username: email, role: 'member' };
  const headers = await portal.sessionOf('owner');
  await query(
    `INSERT INTO portal_mailed
     SELECT sha256($1::text::bytea), now_ms() - 3600000 FROM generate_series(1, 4)`,
    [email],
  );
  for (let user = 0; user < 2; user++) {
    const { json } = await portal.send('POST', '/team', { headers, body });
    expect(json).toMatchObject({ isMailed: user === 0 });
    const path = `/team/${(json as { user: { userId: string } }).user.userId}`;
    await expect.poll(pending).toBe(0);
    await portal.send('POST', `${path}/link`, { headers });
    await forget(email);
    await expect.poll(pending).toBe(0);
    // The fifth of the day was the invitation of the first user.
    expect(server.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
    expect((await portal.send('DELETE', path, { headers })).status).toBe(204);
    await passTime();
  }
});

test('a request for an unknown address at the same time as a worker stops no email', async () => {
  await query(`CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO portal_mail (user_id) VALUES (NULL); RETURN NULL; END $$`);
  await query('CREATE TRIGGER late AFTER DELETE ON portal_mail EXECUTE FUNCTION late()');
  try {
    expect((await query(`SELECT FROM work_mail('hash')`)).rows).toEqual([]);
  } finally {
    await query('DROP FUNCTION late CASCADE');
  }
});

test('a worker is connected also after a clock was set back', async () => {
  await withWork();
  await stopWork();
  await query('UPDATE portal_mail_sender SET seen_at = now_ms() + 3600000');
  expect(await hasMail()).toBe(false);
  await query(`SELECT FROM work_mail('hash')`);
  expect(await hasMail()).toBe(true);
});

test.each([
  ['a new sign-in link', (email: string) => portal.administer((one) => createLink(one, email))],
  [
    'a change of the password',
    async (email: string) => {
      const body = { password: 'nine grey herons', currentPassword: PASSWORD };
      const headers = await sessionOf(email);
      await portal.send('POST', '/user/passwordChange', { headers, body });
    },
  ],
  [
    'the end of the password',
    (email: string) =>
      query(
        'DELETE FROM portal_credential USING portal_user AS one WHERE user_id = one.id AND email = $1',
        [email],
      ),
  ],
])('%s ends a link in an email, also if that is not sent yet', async (name, act) => {
  await withWork();
  const email = await newUser(name.replaceAll(' ', '-'));
  await forget(email);
  const link = await linkTo(server, email);
  await stopWork();
  await forget(email);
  expect(await pending()).toBe(1);
  await act(email);
  expect(await pending()).toBe(0);
  expect(await reset(link)).toEqual([401, 'sign_in_failed']);
});

test('a second factor stays, and no session starts without its code', async () => {
  await withWork();
  const email = await newUser('double');
  const headers = await sessionOf(email);
  const body = { password: PASSWORD };
  const made = await portal.send('POST', '/user/secondFactor', { headers, body });
  const { uri } = made.json as unknown as { uri: string };
  await portal.send('POST', '/user/secondFactor/confirm', { headers, body: { code: codeOf(uri) } });
  await forget(email);
  expect(await reset(await linkTo(server, email))).toEqual([204, undefined]);
  expect((await portal.signIn(email, NEW_PASSWORD)).json).toMatchObject({ code: 'code_required' });
});

test.each([
  ['owner', '/team', { role: 'member' }],
  ['administrator', '/admin/accounts/empty/owner', {}],
] as const)('the %s sends an invitation, whose two links work alone', async (who, path, more) => {
  await withWork();
  const headers = await portal.sessionOf(who);
  if (who === 'administrator') {
    await portal.send('POST', '/admin/accounts', { headers, body: { id: 'empty' } });
  }
  const username = `invited-by-${who}@acme.example`;
  const invite = await portal.send('POST', path, { headers, body: { username, ...more } });
  expect([invite.status, invite.json]).toMatchObject([201, { isMailed: true }]);
  const shown = /#link=(\w+)/.exec((invite.json as unknown as { link: string }).link)![1];
  const link = await linkTo(server, username);
  const mail = server.mails.at(-1)!;
  expect(mail.headers).toContain('Subject: Choose a password for charts.example');
  expect(mail.text).toContain(`You were invited to ${ORIGIN}`);
  expect(await reset(link)).toEqual([204, undefined]);
  expect((await portal.signIn(username, NEW_PASSWORD)).status).toBe(200);
  // The user has a password now, so the link that the inviter knows has ended.
  const used = await portal.send('POST', '/auth/loginByLink', { body: { link: shown } });
  expect(used.status).toBe(401);
});

test('an erased user has no pending email and no link', async () => {
  await withWork();
  const email = await newUser('erased');
  await forget(email);
  await linkTo(server, email);
  await stopWork();
  await forget(email);
  expect(await pending()).toBe(1);
  await query('DELETE FROM portal_user WHERE email = $1', [email]);
  expect(await pending()).toBe(0);
  const { rows } = await query(
    'SELECT FROM portal_reset WHERE value NOT IN (SELECT id FROM portal_user)',
  );
  expect(rows).toEqual([]);
});

test('an account sends emails to 100 addresses in a day, also if it removes their users', async () => {
  const send = async (name: string) => {
    await forget(await newUser(name));
    await expect.poll(pending).toBe(0);
    return server.mails.some(({ to }) => to.includes(`${name}@acme.example`));
  };
  await query('DELETE FROM portal_mailed');
  await withWork();
  expect(await send('first')).toBe(true);
  await query('DELETE FROM portal_user WHERE email = $1', ['first@acme.example']);
  await query(`INSERT INTO portal_mailed (address_hash, account_id)
    SELECT sha256(n::text::bytea), 'acme' FROM generate_series(1, 98) AS n, generate_series(1, 5)`);
  expect(await send('hundredth')).toBe(true);
  expect(await send('next')).toBe(false);
  await forget(users.rival.email);
  await linkTo(server, users.rival.email);
  await query('DELETE FROM portal_mailed');
});

test('an account with many new users in a day sends no email to these', async () => {
  await withWork();
  await query(`INSERT INTO admin_act (actor, act, account_id)
    SELECT 'user:x', 'user create', 'acme' FROM generate_series(1, 50)`);
  const headers = await portal.sessionOf('owner');
  const body = { username: 'fiftieth@acme.example', role: 'member' };
  const { json } = await portal.send('POST', '/team', { headers, body });
  expect(json).toMatchObject({ isMailed: false });
  expect(await pending()).toBe(0);
  await stopWork();
  const older = users.member.email;
  await query('UPDATE portal_user SET created_at = 1 WHERE email = $1', [older]);
  for (const email of [older, body.username]) await forget(email);
  const { rows } = await query(
    'SELECT email FROM portal_mail LEFT JOIN portal_user AS one ON one.id = user_id ORDER BY 1',
  );
  expect(rows).toEqual([{ email: older }, { email: null }]);
});

test.each(Object.keys(users) as UserName[])(
  'a session of the %s changes no answer',
  async (name) => {
    await withWork();
    const headers = await portal.sessionOf(name);
    const statusOf = async (method: string, path: string, body?: object) =>
      (await portal.send(method, path, { headers, ...(body && { body }) })).status;
    const username = 'nobody@acme.example';
    const wrong = { link: 'unknown', password: NEW_PASSWORD };
    expect([
      await statusOf('GET', '/auth/options'),
      await statusOf('POST', '/auth/forgotPassword', { username }),
      await statusOf('POST', '/auth/resetPassword', wrong),
      await portal.whoami(headers),
    ]).toEqual([200, 202, 401, 200]);
  },
);

test('attempts are limited for the network and for the address, apart from those to sign in', async () => {
  await withWork();
  const crowd = await startCrowdService({ RATE_LIMIT_USERS: '2' }, portal.crowd.database);
  const post = async (path: string, network: number, body: object) =>
    (
      await crowd.service.runtime.dispatchFetch(`${crowd.service.address}${PORTAL}/auth/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'cf-connecting-ip': `10.2.${network}.1`,
        },
        body: JSON.stringify(body),
      })
    ).status;
  try {
    const { email: username } = users.rival;
    const asked: number[] = [];
    for (const network of [1, 2, 3])
      asked.push(
        await post('forgotPassword', network, { username: ' '.repeat(network) + username }),
      );
    expect(asked).toEqual([202, 202, 429]);
    expect(await post('login', 4, { username, password: PASSWORD })).toBe(200);
    const guessed: number[] = [];
    for (const link of ['a', 'b', 'c']) {
      guessed.push(await post('resetPassword', 5, { link, password: NEW_PASSWORD }));
    }
    expect(guessed).toEqual([401, 401, 429]);
  } finally {
    await crowd.service.stop();
  }
});

test('the login of the service writes links and emails only through functions', async () => {
  const { rows } = await query(
    `SELECT table_name AS table, privilege_type AS may FROM information_schema.role_table_grants
     WHERE grantee = 'leadline_runtime' AND table_name IN ('portal_reset', 'portal_mail', 'portal_mail_sender', 'portal_mailed')
     ORDER BY 1, 2`,
  );
  expect(rows).toEqual([
    { table: 'portal_reset', may: 'DELETE' },
    { table: 'portal_reset', may: 'SELECT' },
  ]);
});
