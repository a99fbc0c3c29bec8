// The worker that sends the emails of the portal: mail servers that fail or refuse, and what it never sends.

import { connect, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { listen } from '../support/listen.ts';
import { linkTo, startMailServer, startMailWork } from '../support/mail-server.ts';
import { ORIGIN, usePasswordMails } from '../support/password-mails.ts';

const { query, hasMail, withWork, stopWork, forget, reset, pending, newUser, started } =
  usePasswordMails();

test('an email waits for the mail server, and arrives with a new link', async () => {
  const email = await newUser('patient');
  const down = await startMailServer();
  await down.stop();
  const { notes } = await withWork(down.url);
  await forget(email);
  await expect.poll(() => notes.join()).toMatch(/not sent: .*ECONNREFUSED/);
  const next = `SELECT attempts, next_at - created_at >= 60000 AS waits,
    next_at <= now_ms() + 60000 AS is_soon FROM portal_mail`;
  expect((await query(next)).rows).toMatchObject([{ attempts: 1, waits: true }]);
  await stopWork();
  // A new request ends a longer pause, but not within five minutes.
  await query('UPDATE portal_mail SET created_at = 1, next_at = now_ms() + 3600000');
  await forget(email);
  expect((await query(next)).rows).toEqual([{ attempts: 1, waits: true, is_soon: false }]);
  await query('UPDATE portal_mailed SET at = at - 300000');
  await forget(email);
  expect((await query(next)).rows).toEqual([{ attempts: 1, waits: true, is_soon: true }]);
  expect((await query('SELECT created_at FROM portal_mail')).rows).toEqual([{ created_at: '1' }]);
  await query('UPDATE portal_mail SET created_at = now_ms()');
  const first = (await query('SELECT identifier FROM portal_reset ORDER BY created_at DESC'))
    .rows[0];
  const up = await startMailServer({}, down.port);
  try {
    await query('UPDATE portal_mail SET next_at = 0');
    await withWork(up.url);
    const link = await linkTo(up, email);
    await expect.poll(pending).toBe(0);
    expect(notes.join()).not.toContain(email);
    const known = await query('SELECT identifier FROM portal_reset ORDER BY created_at DESC');
    expect(known.rows[0]).not.toEqual(first);
    expect(known.rows).not.toContainEqual(first);
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
    expect(notes).toEqual(['An email was not sent: EENVELOPE, the mail server answered 550.']);
  } finally {
    await refusing.stop();
  }
});

const refuseAs =
  (responseCode: number, message: string) =>
  (_: unknown, __: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error(message), { responseCode }));

test.each([
  ['sender', 'honest', 550, { onMailFrom: refuseAs(550, 'No') }],
  ['client', 'direct', 554, { onRcptTo: refuseAs(554, '5.7.1 Relay access denied') }],
])('an email is repeated if the mail server refuses the %s', async (_, name, code, options) => {
  const refusing = await startMailServer(options);
  try {
    const { notes } = await withWork(refusing.url);
    await forget(await newUser(name));
    await expect.poll(() => notes.join()).toContain(`answered ${code}`);
    await stopWork();
    expect(await pending()).toBe(1);
  } finally {
    await refusing.stop();
  }
});

test('an email whose report fails is not sent again', async () => {
  const email = await newUser('reported');
  await query(`CREATE SEQUENCE report;
    CREATE FUNCTION lose_report() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('report') < 3 THEN RAISE 'lost'; END IF;
      RETURN OLD; END $$;
    CREATE TRIGGER lose_report BEFORE DELETE ON portal_mail FOR EACH ROW EXECUTE FUNCTION lose_report()`);
  const { server } = started();
  try {
    await withWork();
    await forget(email);
    await expect.poll(pending).toBe(0);
    expect(await reset(await linkTo(server, email))).toEqual([204, undefined]);
  } finally {
    await query('DROP FUNCTION lose_report CASCADE; DROP SEQUENCE report');
  }
});

test('a database that has gone does not keep the worker', async () => {
  const { portal, server } = started();
  const target = new URL(portal.crowd.database.bindings.DATABASE_URL as string);
  const port = Number(target.port);
  const sockets: Socket[] = [];
  const between = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1');
    incoming.pipe(outgoing).pipe(incoming);
    for (const one of [incoming, outgoing]) sockets.push(one.on('error', () => undefined));
  });
  target.host = `127.0.0.1:${await listen(between)}`;
  await query('DELETE FROM portal_mail_sender');
  const work = startMailWork(target.href, server.url, ORIGIN, 2000);
  try {
    await expect.poll(hasMail).toBe(true);
    for (const one of sockets) one.unpipe().pause();
    await expect.poll(() => work.notes.join()).toMatch(/could not be read.*timeout/);
    await work.stop();
  } finally {
    for (const one of sockets) one.destroy();
    between.close();
  }
});

test('a mail server that does not answer in time is left', async () => {
  const silent = await startMailServer({ onConnect: () => undefined });
  const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
  try {
    const { notes } = await withWork(silent.url);
    await forget(await newUser('stalled'));
    await expect.poll(() => notes.join()).toContain('not sent: Message sending aborted');
    expect(limit).toHaveBeenCalledWith(45_000);
    expect(await pending()).toBe(1);
  } finally {
    limit.mockRestore();
    await stopWork();
    await silent.stop();
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

test('line breaks in an address add no header and no recipient', async () => {
  await query(
    `INSERT INTO portal_user (id, account_id, role, email) VALUES ('evil', 'acme', 'member', $1)`,
    ['jane@acme.example\r\nbcc: eve@evil.example'],
  );
  const { server } = started();
  const before = server.mails.length;
  const { notes } = await withWork();
  await query(`INSERT INTO portal_mail (user_id) VALUES ('evil')`);
  await expect.poll(() => notes.length).toBeGreaterThan(0);
  for (const { to, headers } of server.mails.slice(before)) {
    expect(to.join()).not.toContain('eve@evil.example,');
    expect(headers.filter((line) => /^bcc/i.test(line))).toEqual([]);
    expect(to).not.toContain('eve@evil.example');
  }
});
