// Emails of the portal for a test file: a portal, a mail server, and a worker that a test starts.

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createUser } from '../../workers/host/registry/portal-users.ts';
import { type MailServer, startMailServer, startMailWork } from './mail-server.ts';
import { PASSWORD, type PortalService, startPortal } from './portal-service.ts';

export const ORIGIN = 'https://charts.example';
export const NEW_PASSWORD = 'eight grey herons';

/** Starts the portal and the mail server before the tests of a file. The worker ends after each test. */
export function usePasswordMails() {
  let portal: PortalService;
  let server: MailServer;
  let work: ReturnType<typeof startMailWork> | undefined;
  const stopWork = async () => {
    await work?.stop();
    work = undefined;
  };
  beforeAll(async () => {
    portal = await startPortal();
    server = await startMailServer();
  });
  afterEach(async () => {
    await stopWork();
    await query('DELETE FROM portal_mail');
  });
  afterAll(async () => {
    await server?.stop();
    await portal?.stop();
  });

  const query = (sql: string, values?: readonly unknown[]) =>
    portal.crowd.database.query(sql, values);
  const hasMail = async () => (await portal.send('GET', '/auth/options')).json?.['hasMail'];
  /** Starts a worker, and waits until the service knows it. */
  const withWork = async (url = server.url) => {
    work = startMailWork(portal.crowd.database.bindings.DATABASE_URL as string, url, ORIGIN);
    await expect.poll(hasMail).toBe(true);
    return work;
  };
  const forget = (username: string) =>
    portal.send('POST', '/auth/forgotPassword', { body: { username } });
  const reset = async (link: string, password = NEW_PASSWORD) => {
    const { status, json } = await portal.send('POST', '/auth/resetPassword', {
      body: { link, password },
    });
    return [status, json?.['code']];
  };
  /** Number of emails to send. */
  const pending = async () => (await query('SELECT FROM portal_mail')).rows.length;
  /** Creates a user with a password. @returns the address */
  const newUser = async (name: string) => {
    const email = `${name}@acme.example`;
    const user = { email, account: 'acme', role: 'member', password: PASSWORD } as const;
    await portal.administer((one) => createUser(one, user));
    return email;
  };
  return {
    ...{ query, hasMail, withWork, stopWork, forget, reset, pending, newUser },
    /** Only in tests, after the start. */
    started: () => ({ portal, server }),
  };
}
