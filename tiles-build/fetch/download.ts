// Downloads one file: retried, continued where a connection broke or the program was killed, checked,
// and put in place whole or not at all. A file that is there is asked for again only as "has it changed".

import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { readRetryAfter } from '../../shared/contract/retry-after.ts';
import { flushFile } from '../archive/flush-file.ts';
import {
  conditionFor,
  forgetPart,
  partOf,
  rangeFor,
  rememberPart,
  rememberVersion,
} from './file-version.ts';

export type Download =
  | { readonly kind: 'downloaded' | 'unchanged'; readonly bytes: number }
  /** The server has no such file (404 or 410). */
  | { readonly kind: 'missing' };

export interface DownloadOptions {
  readonly url: string;
  readonly path: string;
  /** Tries in all, where the server fails or the connection breaks. */
  readonly tries?: number;
  /** First pause between tries, unless the server names one; each next one is twice as long. */
  readonly pauseMs?: number;
  /** Waits between tries. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Longest time without a byte. */
  readonly idleTimeoutMs?: number;
  readonly maxBytes?: number;
  /** Ask for the file though the one that is here may be the same. */
  readonly evenIfUnchanged?: boolean;
  /** Told of bytes as they come. */
  readonly received?: (bytes: number) => void;
  /** Throws where the finished file is not what was asked for. */
  readonly check?: (path: string) => Promise<void>;
}

/** How patient a download is with its server. */
export type Patience = Pick<
  DownloadOptions,
  'tries' | 'pauseMs' | 'wait' | 'idleTimeoutMs' | 'maxBytes'
>;

/** What the server may get right on another try. */
class Temporary extends Error {
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const DEFAULTS = {
  tries: 4,
  pauseMs: 1000,
  wait: pause,
  idleTimeoutMs: 60_000,
  maxBytes: 2 * 1024 ** 3,
} as const;
/** A server that asks for more is not waited for. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/** @throws Error naming the address and what went wrong, after the last try */
export async function download(options: DownloadOptions): Promise<Download> {
  const { tries, pauseMs, wait } = { ...DEFAULTS, ...options };
  for (let attempt = 1; ; attempt++) {
    try {
      return await downloadOnce(options);
    } catch (error) {
      if (!(error instanceof Temporary) || attempt >= tries) throw error;
      const asked = error.retryAfterMs ?? pauseMs * 2 ** (attempt - 1);
      if (asked > LONGEST_PAUSE_MS) throw error;
      await wait(asked);
    }
  }
}

async function downloadOnce(options: DownloadOptions): Promise<Download> {
  const { url, path } = options;
  const { idleTimeoutMs, maxBytes } = { ...DEFAULTS, ...options };
  const patience = new AbortController();
  let idle = setTimeout(() => patience.abort(), idleTimeoutMs);
  const came = (bytes: number) => {
    options.received?.(bytes);
    clearTimeout(idle);
    idle = setTimeout(() => patience.abort(), idleTimeoutMs);
  };
  try {
    const range = await rangeFor(path, url);
    const headers = {
      ...(range?.headers ?? (options.evenIfUnchanged ? {} : await conditionFor(path))),
      // Zips are small already; a range of something that was packed on the way means nothing.
      ...(/\.zip$/i.test(url) ? { 'accept-encoding': 'identity' } : {}),
    };
    const response = await fetch(url, { headers, signal: patience.signal });
    if (response.status === 304) return { kind: 'unchanged', bytes: (await stat(path)).size };
    if (response.status === 404 || response.status === 410) return { kind: 'missing' };
    const from = response.status === 206 ? range?.from : 0;
    if (response.status === 416 || (response.status === 206 && !goesOnAt(response, from))) {
      await forgetPart(path);
      throw new Temporary(`${url} cannot be continued; begun anew.`);
    }
    if (response.status >= 500 || response.status === 429) {
      throw new Temporary(
        `${url} answered ${response.status}.`,
        readRetryAfter(response.headers.get('retry-after'), Date.now()),
      );
    }
    if (!response.ok || response.body === null) {
      throw new Error(`${url} answered ${response.status}.`);
    }
    if (from === 0) await rememberPart(path, url, response.headers);
    const bytes = await receive(response, { path, from: from ?? 0, maxBytes, came });
    await finish(options, (from ?? 0) > 0);
    await rememberVersion(path, response.headers);
    return { kind: 'downloaded', bytes };
  } catch (error) {
    throw isConnectionFailure(error)
      ? new Temporary(`${url} could not be read: ${causeOf(error)}.`)
      : error;
  } finally {
    clearTimeout(idle);
  }
}

/** Check what came, and put it in place. */
async function finish({ url, path, check }: DownloadOptions, isJoined: boolean): Promise<void> {
  const part = partOf(path);
  try {
    await check?.(part);
    await flushFile(part);
  } catch (error) {
    await forgetPart(path);
    // Pieces that do not belong together: the server called two versions by one name.
    if (isJoined) throw new Temporary(`${url} came in pieces that do not fit: ${causeOf(error)}`);
    throw error;
  }
  await rename(part, path);
  await forgetPart(path);
}

interface Receiving {
  readonly path: string;
  /** Bytes that are there already. */
  readonly from: number;
  readonly maxBytes: number;
  readonly came: (bytes: number) => void;
}

async function receive(response: Response, to: Receiving): Promise<number> {
  const { path, from, maxBytes, came } = to;
  let bytes = from;
  let isTooLarge = false;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      came(chunk.length);
      isTooLarge = bytes > maxBytes;
      done(isTooLarge ? new Error(`${response.url} is over ${maxBytes} bytes.`) : null, chunk);
    },
  });
  const file = createWriteStream(partOf(path), { flags: from === 0 ? 'w' : 'a' });
  try {
    await pipeline(Readable.fromWeb(response.body!), counted, file);
  } catch (error) {
    if (isTooLarge) await forgetPart(path);
    throw error;
  }
  const promised = Number(response.headers.get('content-length') ?? Number.NaN);
  const isPlain = response.headers.get('content-encoding') === null;
  if (isPlain && promised >= 0 && promised !== bytes - from) {
    throw new Temporary(`${response.url} promised ${promised} bytes and sent ${bytes - from}.`);
  }
  return bytes;
}

/** Whether an answer of 206 begins at the byte that was asked for (RFC 9110, section 14.4). */
function goesOnAt(response: Response, from: number | undefined): boolean {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  return range !== null && from !== undefined && Number(range[1]) === from;
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
