// Sends the emails of the portal. Each contains a link to set a password, which is created when the email is sent:
// the database has only the hash of the link, and a repeated email has another link.

import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Pool } from 'pg';
import type { MailSettings } from '../../shared/contract/mail-settings.ts';
import { openPool } from '../queue/queue-database.ts';
import { type Mail, mailText } from './mail-text.ts';

const POLL_MS = 2000;
const RETRY_MS = 10_000;
/** Together shorter than the time after which an email is taken again. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

interface MailOptions extends MailSettings {
  /** Address of the database, with the login of the service. */
  readonly url: string;
  readonly note: (text: string) => void;
}

export interface MailWork {
  stop(): Promise<void>;
}

/** Send emails until stopped. The database may be unavailable for a while. */
export function sendMails({ url, note, ...settings }: MailOptions): MailWork {
  const database = openPool(url, () => undefined);
  const transport = openTransport(settings);
  const halt = new AbortController();
  const { signal } = halt;
  const loop = async () => {
    while (!signal.aborted) {
      const wait = await sendNext(database, transport, { ...settings, note, signal }).catch(
        (error: Error) => {
          note(`Emails could not be read from the database: ${error.message}`);
          return RETRY_MS;
        },
      );
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = loop().finally(() => database.end().catch(() => undefined));
  return {
    stop: async () => {
      halt.abort();
      await ended;
    },
  };
}

type Transport = ReturnType<typeof openTransport>;

/** A password is sent only over TLS. Settings in the query of the URL take precedence. */
const openTransport = ({ server, from }: Omit<MailSettings, 'origin'>) =>
  createTransport(
    {
      ...{ url: server, requireTLS: new URL(server).password !== '' },
      ...{ disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS },
    },
    // RFC 3834: no automatic replies.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );

/** The prefix is the one by which the sign-in library finds the link. */
const hashOf = (token: string): string =>
  createHash('sha256').update(`reset-password:${token}`).digest('base64url');

/** @returns time until the next attempt, milliseconds. @throws Error of the database */
async function sendNext(
  database: Pool,
  transport: Transport,
  { origin, note, signal }: Pick<MailOptions, 'origin' | 'note'> & { readonly signal: AbortSignal },
): Promise<number> {
  const token = randomBytes(32).toString('base64url');
  const { rows } = await database.query<Mail & { id: string }>(
    'SELECT mail_id AS id, mail_kind AS kind, address, account FROM work_mail($1)',
    [hashOf(token)],
  );
  const [mail] = rows;
  if (mail === undefined) return POLL_MS;
  try {
    await transport.sendMail({
      signal,
      to: { name: '', address: mail.address },
      ...mailText(mail, origin, token),
    });
    note(`An email was sent (${mail.kind}).`);
  } catch (error) {
    note(`An email was not sent (${mail.kind}): ${reasonOf(error as SmtpError)}`);
    if (!isFinal(error as SmtpError)) return 0;
  }
  await database.query('SELECT work_mailed($1)', [mail.id]);
  return 0;
}

/** An error of the mail server or of the connection to it. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

/** Replies of the server can contain the address of the user. */
const reasonOf = ({ code, responseCode, message }: SmtpError): string =>
  responseCode === undefined ? message : `${code}, the mail server answered ${responseCode}.`;

/** Whether the server refuses this address for good (RFC 5321, 4.2.1). */
const isFinal = ({ code, responseCode = 0 }: SmtpError): boolean =>
  code === 'EENVELOPE' && responseCode >= 500;
