// A mail server that keeps what it receives, and a worker that sends the emails of the portal to it.

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { expect } from 'vitest';
import { sendMails } from '../../tiles-build/mail/send-mails.ts';

export interface ReceivedMail {
  /** Addresses of the envelope. */
  readonly to: readonly string[];
  /** Header lines, unfolded. */
  readonly headers: readonly string[];
  readonly text: string;
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Starts a mail server on this machine without TLS. @param port of a former server */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, ...readMail(Buffer.concat(parts).toString()) });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await new Promise((done) => listening.once('listening', done));
  const address = listening.address() as { port: number };
  return {
    mails,
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  };
}

/** Texts are quoted-printable (RFC 2045, 6.7) or unchanged. */
function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const body = raw.slice(end + 4);
  const isQuoted = headers.includes('Content-Transfer-Encoding: quoted-printable');
  const text = isQuoted
    ? body
        .replaceAll('=\r\n', '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
    : body;
  return { headers, text };
}

/** Starts a worker. `notes` are its lines. */
export function startMailWork(url: string, server: string, origin: string, limitMs?: number) {
  const notes: string[] = [];
  const work = sendMails({
    ...{ url, server, origin, from: { name: 'Charts', address: 'charts@leadline.example' } },
    note: (line) => void notes.push(line),
    ...{ pollMs: 50, ...(limitMs !== undefined && { limitMs }) },
  });
  return { notes, stop: () => work.stop() };
}

/** Waits for an email to an address. @returns the token of its link */
export async function linkTo({ mails }: MailServer, address: string, count = 1): Promise<string> {
  const found = () => mails.filter(({ to }) => to.includes(address));
  await expect.poll(() => found().length).toBe(count);
  return tokenIn(found().at(-1)!);
}

const tokenIn = ({ text }: ReceivedMail): string => /#password=([\w-]+)/.exec(text)![1]!;
