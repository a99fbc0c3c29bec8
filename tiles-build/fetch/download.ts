// Downloads one file: retried, checked, and put in place whole or not at all. A file that is there
// already is asked for again only as "has it changed".

import { createWriteStream } from 'node:fs';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type Download =
  | { readonly kind: 'downloaded' | 'unchanged'; readonly bytes: number }
  /** The server has no such file (404 or 410). */
  | { readonly kind: 'missing' };

export interface DownloadOptions {
  readonly url: string;
  readonly path: string;
  /** Tries in all, where the server fails or the connection breaks. */
  readonly tries?: number;
  /** First pause between tries; each next one is twice as long. */
  readonly pauseMs?: number;
  /** Longest time without a byte. */
  readonly idleTimeoutMs?: number;
  readonly maxBytes?: number;
  /** Throws where the finished file is not what was asked for. */
  readonly check?: (path: string) => Promise<void>;
}

/** What the server may get right on another try. */
class Temporary extends Error {}

const DEFAULTS = {
  tries: 4,
  pauseMs: 1000,
  idleTimeoutMs: 60_000,
  maxBytes: 2 * 1024 ** 3,
} as const;

/** @throws Error naming the address and what went wrong, after the last try */
export async function download(options: DownloadOptions): Promise<Download> {
  const { tries, pauseMs } = { ...DEFAULTS, ...options };
  for (let attempt = 1; ; attempt++) {
    try {
      return await downloadOnce(options);
    } catch (error) {
      if (!(error instanceof Temporary) || attempt >= tries) throw error;
      await new Promise((done) => setTimeout(done, pauseMs * 2 ** (attempt - 1)));
    }
  }
}

async function downloadOnce(options: DownloadOptions): Promise<Download> {
  const { url, path } = options;
  const { idleTimeoutMs, maxBytes } = { ...DEFAULTS, ...options };
  const patience = new AbortController();
  let idle = setTimeout(() => patience.abort(), idleTimeoutMs);
  const stillAlive = () => {
    clearTimeout(idle);
    idle = setTimeout(() => patience.abort(), idleTimeoutMs);
  };
  try {
    const headers = await conditionFor(path);
    const response = await fetch(url, { headers, signal: patience.signal });
    if (response.status === 304) return { kind: 'unchanged', bytes: (await stat(path)).size };
    if (response.status === 404 || response.status === 410) return { kind: 'missing' };
    if (response.status >= 500 || response.status === 429) {
      throw new Temporary(`${url} answered ${response.status}.`);
    }
    if (!response.ok || response.body === null) {
      throw new Error(`${url} answered ${response.status}.`);
    }
    const part = `${path}.${process.pid}.part`;
    try {
      const bytes = await receive(response, part, maxBytes, stillAlive);
      await options.check?.(part);
      await rename(part, path);
      await rememberVersion(path, response.headers);
      return { kind: 'downloaded', bytes };
    } finally {
      await rm(part, { force: true });
    }
  } catch (error) {
    throw isConnectionFailure(error)
      ? new Temporary(`${url} could not be read: ${causeOf(error)}.`)
      : error;
  } finally {
    clearTimeout(idle);
  }
}

async function receive(
  response: Response,
  part: string,
  maxBytes: number,
  stillAlive: () => void,
): Promise<number> {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      stillAlive();
      done(
        bytes > maxBytes ? new Error(`${response.url} is over ${maxBytes} bytes.`) : null,
        chunk,
      );
    },
  });
  await pipeline(Readable.fromWeb(response.body!), counted, createWriteStream(part));
  const promised = Number(response.headers.get('content-length') ?? Number.NaN);
  const isPlain = response.headers.get('content-encoding') === null;
  if (isPlain && promised >= 0 && promised !== bytes) {
    throw new Temporary(`${response.url} promised ${promised} bytes and sent ${bytes}.`);
  }
  return bytes;
}

/** Versions are kept beside the file: only the server's own tag says "unchanged" surely. */
const tagPath = (path: string) => `${path}.etag`;

async function conditionFor(path: string): Promise<Record<string, string>> {
  const tag = await readFile(tagPath(path), 'utf8').catch(() => undefined);
  const isHere = await stat(path).then(
    () => true,
    () => false,
  );
  return tag !== undefined && isHere ? { 'if-none-match': tag } : {};
}

async function rememberVersion(path: string, headers: Headers): Promise<void> {
  const tag = headers.get('etag');
  if (tag === null) await rm(tagPath(path), { force: true });
  else await writeFile(tagPath(path), tag);
  const modified = Date.parse(headers.get('last-modified') ?? '');
  if (Number.isFinite(modified)) await utimes(path, modified / 1000, modified / 1000);
}

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Temporary) return false;
  if (error.name === 'AbortError') return true;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return error instanceof TypeError || /^(ECONN|EPIPE|ERR_STREAM_PREMATURE|UND_ERR)/.test(code);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return 'it fell silent';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
