// A new password by a link in an email: what is sent, to whom, and what the link does.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLink, createUser, suspendUser } from '../../workers/host/registry/portal-users.ts';
import { startCrowdService } from '../support/crowd-service.ts';
import { linkTo, type MailServer, startMailServer, startMailWork } from '../support/mail-server.ts';
import {
  PASSWORD,
  PORTAL,
  type PortalService,
  startPortal,
  type UserName,
  users,
} from '../support/portal-service.ts';
import { codeOf } from '../support/totp.ts';

const ORIGIN = 'https://charts.example';
const NEW_PASSWORD = 'eight grey herons';
let portal: PortalService;
let server: MailServer;
let work: ReturnType<typeof startMailWork> | undefined;

beforeAll(async () => {
  portal = await startPortal();
  server = await startMailServer();
});
afterEach(async () => {
  await work?.stop();
  work = undefined;
  await query('DELETE FROM portal_mail');
});
afterAll(async () => {
  await server?.stop();
  await portal?.stop();
});

const query = (sql: string, values?: readonly unknown[]) =>
  portal.crowd.database.query(sql, values);
const startWork = (url = server.url) => {
  work = startMailWork(portal.crowd.database.bindings.DATABASE_URL as string, url, ORIGIN);
  return work;
};
const hasMail = async () => (await portal.send('GET', '/auth/options')).json?.['hasMail'];
/** Starts a worker, and waits until the service knows it. */
async function withWork(url?: string) {
  const started = startWork(url);
  await expect.poll(hasMail).toBe(true);
  return started;
}
const forget = (username: string) =>
  portal.send('POST', '/auth/forgotPassword', { body: { username } });
const reset = async (link: string, password = NEW_PASSWORD) => {
  const { status, json } = await portal.send('POST', '/auth/resetPassword', {
    body: { link, password },
  });
  return [status, json?.['code']];
};
const pending = async () => (await query('SELECT FROM portal_mail')).rows.length;

/** A new user with a password. */
async function newUser(name: string) {
  const email = `${name}@acme.example`;
  const user = { email, account: 'acme', role: 'member', password: PASSWORD } as const;
  await portal.administer((one) => createUser(one, user));
  return email;
}

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
      'Subject: New password for charts.example',
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
  await work?.stop();
  await forget(users.rival.email);
  await forget('nobody@acme.example');
  expect(await pending()).toBe(2);
});

test('a user who is suspended before the email is sent gets none', async () => {
  await withWork();
  await work?.stop();
  const email = await newUser('late');
  await forget(email);
  await portal.administer((one) => suspendUser(one, email, true));
  await withWork();
  await expect.poll(pending).toBe(0);
  expect(server.mails.filter(({ to }) => to.includes(email))).toEqual([]);
});

test('an email waits for the mail server, and arrives with a new link', async () => {
  const email = await newUser('patient');
  const down = await startMailServer();
  await down.stop();
  const { notes } = await withWork(down.url);
  await forget(email);
  await expect.poll(() => notes.join()).toMatch(/not sent \(reset\): .*ECONNREFUSED/);
  const { rows } = await query(
    'SELECT attempts, next_at - created_at >= 60000 AS waits FROM portal_mail',
  );
  expect(rows).toEqual([{ attempts: 1, waits: true }]);
  const first = (await query('SELECT identifier FROM portal_reset ORDER BY created_at DESC'))
    .rows[0];
  const up = await startMailServer({}, down.port);
  try {
    await query('UPDATE portal_mail SET next_at = 0');
    const link = await linkTo(up, email);
    await expect.poll(pending).toBe(0);
    expect(notes.join()).not.toContain(email);
    const known = await query('SELECT identifier FROM portal_reset ORDER BY created_at DESC');
    expect(known.rows[0]).not.toEqual(first);
    expect(await reset(link)).toEqual([204, undefined]);
  } finally {
    await up.stop();
  }
});

test('an address that the mail server refuses for good is not repeated', async () => {
  const email = await newUser('unreachable');
  const refusing = await startMailServer({
    onRcptTo: ({ address }, _, done) =>
      done(Object.assign(new Error(`No such user ${address}`), { responseCode: 550 })),
  });
  try {
    const { notes } = await withWork(refusing.url);
    await forget(email);
    await expect.poll(pending).toBe(0);
    expect(notes).toEqual([
      'An email was not sent (reset): EENVELOPE, the mail server answered 550.',
    ]);
  } finally {
    await refusing.stop();
  }
});

test('a password of the mail server is not sent without TLS', async () => {
  const seen: string[] = [];
  const plain = await startMailServer({
    onAuth: ({ username = '' }, _, done) => {
      seen.push(username);
      done(null, { user: username });
    },
  });
  try {
    const { notes } = await withWork(plain.url.replace('//', '//charts:secret@'));
    await forget(await newUser('careful'));
    await expect.poll(() => notes.join()).toContain('not sent');
    expect(seen).toEqual([]);
    expect(notes.join()).not.toContain('secret');
  } finally {
    await plain.stop();
  }
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
  await query('UPDATE portal_reset SET created_at = 0');
  await forget(email);
  const second = await linkTo(server, email, 2);
  expect(await reset(link)).toEqual([401, 'sign_in_failed']);
  expect(await reset(second)).toEqual([204, undefined]);
});

test('a link has an end', async () => {
  await withWork();
  const email = await newUser('slow');
  await forget(email);
  const link = await linkTo(server, email);
  await query('UPDATE portal_reset SET expires_at = 1');
  expect(await reset(link)).toEqual([401, 'sign_in_failed']);
  expect((await portal.signIn(email)).status).toBe(200);
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
])('%s ends a link in an email', async (name, act) => {
  await withWork();
  const email = await newUser(name.replaceAll(' ', '-'));
  await forget(email);
  const link = await linkTo(server, email);
  await act(email);
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
  expect(mail.headers).toContain('Subject: Invitation to the charts at charts.example');
  expect(mail.text).toContain(`account ${who === 'owner' ? 'acme' : 'empty'} at ${ORIGIN}`);
  expect(await reset(link)).toEqual([204, undefined]);
  expect((await portal.signIn(username, NEW_PASSWORD)).status).toBe(200);
  // The user has a password now, so the link that the inviter knows has ended.
  const used = await portal.send('POST', '/auth/loginByLink', { body: { link: shown } });
  expect(used.status).toBe(401);
});

test('line breaks in an address add no header and no recipient', async () => {
  await query(
    `INSERT INTO portal_user (id, account_id, role, email) VALUES ('evil', 'acme', 'member', $1)`,
    ['jane@acme.example\r\nbcc: eve@evil.example'],
  );
  const before = server.mails.length;
  const { notes } = await withWork();
  await query(`INSERT INTO portal_mail (user_id, kind) VALUES ('evil', 'reset')`);
  await expect.poll(() => notes.length).toBeGreaterThan(0);
  for (const { to, headers } of server.mails.slice(before)) {
    expect(to.join()).not.toContain('eve@evil.example,');
    expect(headers.filter((line) => /^bcc/i.test(line))).toEqual([]);
    expect(to).not.toContain('eve@evil.example');
  }
});

test('an erased user has no pending email and no link', async () => {
  await withWork();
  const email = await newUser('erased');
  await forget(email);
  await linkTo(server, email);
  await work?.stop();
  await query('UPDATE portal_reset SET created_at = 0');
  await forget(email);
  expect(await pending()).toBe(1);
  await query('DELETE FROM portal_user WHERE email = $1', [email]);
  expect(await pending()).toBe(0);
  const { rows } = await query(
    'SELECT FROM portal_reset WHERE value NOT IN (SELECT id FROM portal_user)',
  );
  expect(rows).toEqual([]);
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
      asked.push(await post('forgotPassword', network, { username }));
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

test('the login of the service cannot create a link or an email itself', async () => {
  const { rows } = await query(
    `SELECT table_name AS table, privilege_type AS may FROM information_schema.role_table_grants
     WHERE grantee = 'leadline_runtime' AND table_name IN ('portal_reset', 'portal_mail', 'portal_mail_sender')
     ORDER BY 1, 2`,
  );
  expect(rows).toEqual([
    { table: 'portal_reset', may: 'DELETE' },
    { table: 'portal_reset', may: 'SELECT' },
  ]);
});
