// Sends the emails of the portal. Each contains a link to set a password, which is created when the email is sent:
// the database has only the hash of the link, and a repeated email has another link.

import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Pool } from 'pg';
import type { MailSettings } from '../../shared/contract/mail-settings.ts';
import { openPool } from '../queue/queue-database.ts';

const RETRY_MS = 10_000;
/** Attempts to report that an email was sent. */
const REPORTS = 5;
/** Shorter than the time after which an email is taken again. */
const LIMIT_MS = 45_000;

interface MailOptions extends MailSettings {
  /** Address of the database, with the login of the service. */
  readonly url: string;
  readonly note: (text: string) => void;
  /** Milliseconds between two looks for emails; default: 2000. */
  readonly pollMs?: number;
  /** Milliseconds for a connection and for a statement, as the server may be gone; default: 30,000. */
  readonly limitMs?: number;
}

export interface MailWork {
  stop(): Promise<void>;
}

/** Send emails until stopped. The database may be unavailable for a while. */
export function sendMails({
  url,
  note,
  pollMs = 2000,
  limitMs = 30_000,
  ...settings
}: MailOptions): MailWork {
  const limits = { connectionTimeoutMillis: limitMs, query_timeout: limitMs };
  const database = openPool(url, () => undefined, limits);
  const transport = openTransport(settings);
  const halt = new AbortController();
  const { signal } = halt;
  const loop = async () => {
    while (!signal.aborted) {
      const wait = await sendNext(database, transport, { ...settings, note, signal, pollMs }).catch(
        (error: Error) => {
          note(`Emails could not be read from the database: ${error.message}`);
          return RETRY_MS;
        },
      );
      await pause(wait ?? pollMs, undefined, { signal }).catch(() => undefined);
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
      ...{ disableFileAccess: true, disableUrlAccess: true },
    },
    // RFC 3834: no automatic replies.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );

/** The text of each email, for invited users and for those who have forgotten their password. */
const mailText = (address: string, origin: string, token: string) => ({
  subject: `Choose a password for ${new URL(origin).host}`,
  text: `You were invited to ${origin}, or a new password was requested. Choose a password for ${address}:
${origin}/portal#password=${token}

The link works once, within a day. Afterwards, sign in with ${address} and your password.
If the link has expired, use "Forgot your password?" at ${origin}/portal.
If you do not expect this email, ignore it: nothing changes.
`,
});

/** The prefix is the one by which the sign-in library finds the link. */
const hashOf = (token: string): string =>
  createHash('sha256').update(`reset-password:${token}`).digest('base64url');

interface NextOptions extends Pick<MailOptions, 'origin' | 'note'> {
  readonly signal: AbortSignal;
  readonly pollMs: number;
}

/** @returns time until the next attempt, milliseconds, if there was an email. @throws Error of the database */
async function sendNext(
  database: Pool,
  transport: Transport,
  { origin, note, signal, pollMs }: NextOptions,
): Promise<number | undefined> {
  const token = randomBytes(32).toString('base64url');
  const { rows } = await database.query<{ id: string; address: string }>(
    'SELECT mail_id AS id, address FROM work_mail($1)',
    [hashOf(token)],
  );
  const [mail] = rows;
  if (mail === undefined) return undefined;
  try {
    await transport.sendMail({
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
      to: { name: '', address: mail.address },
      ...mailText(mail.address, origin, token),
    });
    note('An email was sent.');
  } catch (error) {
    note(`An email was not sent: ${reasonOf(error as SmtpError)}`);
    if (!isFinal(error as SmtpError)) return 0;
  }
  // A repeated email would end the link in this one.
  for (let left = REPORTS; ; left--) {
    try {
      await database.query('SELECT work_mailed($1)', [mail.id]);
      return 0;
    } catch (error) {
      if (left === 1 || signal.aborted) {
        note('The report of this email failed, so it will be sent again.');
        throw error;
      }
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** An error of the mail server or of the connection to it. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  /** The reply of the server. */
  readonly response?: string;
}

/** Replies of the server can contain the address of the user. */
const reasonOf = ({ code, responseCode, message }: SmtpError): string =>
  responseCode === undefined ? message : `${code}, the mail server answered ${responseCode}.`;

/**
 * Whether the server refuses this address for good (RFC 5321, 4.2.1). It may accept another sender, client or text
 * later. Some servers refuse sender and client only after the address; the enhanced code (RFC 3463) tells them apart.
 */
const isFinal = ({ command, responseCode = 0, response = '' }: SmtpError): boolean =>
  command === 'RCPT TO' && responseCode >= 500 && !/\b5\.(7\.\d+|1\.[78])\b/.test(response);
