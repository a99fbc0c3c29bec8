// The real service with a mail server: a forgotten password, and an invitation.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUploadService } from '../../support/chart-uploads.ts';
import { charts } from '../../support/charts-command.ts';
import { sendHttp } from '../../support/http-client.ts';
import { linkTo, type MailServer, startMailServer } from '../../support/mail-server.ts';
import { type Dist, discard, makeDist, type SelfHosted } from '../../support/self-hosted.ts';

const ADMIN = { username: 'admin@leadline.example', password: 'seven grey herons' };
const NEW_PASSWORD = 'eight grey herons';
const ORIGIN = 'https://charts.example';

let dist: Dist;
let server: MailServer;
let service: SelfHosted;
beforeAll(async () => {
  dist = await makeDist();
  server = await startMailServer();
  service = await startUploadService(dist, {
    ...{ INITIAL_ADMIN_EMAIL: ADMIN.username, INITIAL_ADMIN_PASSWORD: ADMIN.password },
    ...{ LEADLINE_SMTP: server.url, LEADLINE_MAIL_FROM: 'Charts <charts@leadline.example>' },
    PUBLIC_URL: ORIGIN,
  });
});
afterAll(async () => {
  if (service !== undefined) await discard(service, service.data);
  await server?.stop();
  dist?.remove();
});

async function send(method: string, path: string, body?: object, headers = {}) {
  const { status, body: bytes } = await sendHttp(service.port, `/api/portal/v1${path}`, {
    ...{ method, headers: { 'content-type': 'application/json', ...headers } },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status, json: bytes.length > 0 ? JSON.parse(Buffer.from(bytes).toString()) : undefined };
}
const reset = async (link: string) =>
  (await send('POST', '/auth/resetPassword', { link, password: NEW_PASSWORD })).status;

test('a forgotten password is replaced by a link to the public address, whatever the Host is', async () => {
  const options = async () => (await send('GET', '/auth/options')).json;
  await expect.poll(options).toEqual({ hasMail: true });
  const { username } = ADMIN;
  const asked = await send('POST', '/auth/forgotPassword', { username }, { host: 'evil.example' });
  expect(asked.status).toBe(202);
  const link = await linkTo(server, username);
  expect(server.mails[0]!.text).toContain(`${ORIGIN}/portal#password=${link}`);
  expect(server.mails[0]!.text).not.toContain('evil.example');
  expect([await reset(link), await reset(link)]).toEqual([204, 401]);
  expect((await send('POST', '/auth/login', ADMIN)).status).toBe(401);
  const signedIn = await send('POST', '/auth/login', { username, password: NEW_PASSWORD });
  expect(signedIn.status).toBe(200);
  const headers = { authorization: `Bearer ${signedIn.json.token.id}` };
  const invitation = { username: 'jane@acme.example', role: 'member' };
  const invited = await send('POST', '/team', invitation, headers);
  expect([invited.status, invited.json]).toMatchObject([201, { isMailed: true }]);
  expect(await reset(await linkTo(server, 'jane@acme.example'))).toBe(204);
  const lines = service.lines.join('\n');
  expect(lines).toContain('An email was sent.');
  expect(lines).not.toMatch(/jane@acme|#password=/);
});

test('charts work refuses invalid settings of the emails', async () => {
  process.env['LEADLINE_SMTP'] = 'mail.example';
  try {
    const words = ['work', '--store', 'unused', '--database', 'postgres://localhost/unused'];
    const { code, notes } = await charts(...words);
    expect(code).toBe(2);
    expect(notes).toContain('LEADLINE_SMTP must be an smtp or smtps URL');
    expect(notes).toContain('LEADLINE_MAIL_FROM must be an email address');
    expect(notes).toContain('PUBLIC_URL must be an http or https URL');
  } finally {
    delete process.env['LEADLINE_SMTP'];
  }
});
