// Downloads a file: retries, resumes after a broken connection or a killed process, checks the
// content and replaces the old file in one step. Existing files are requested conditionally.

import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { readRetryAfter } from '../../shared/contract/retry-after.ts';
import { systemErrorText } from '../../shared/contract/system-error.ts';
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
  /** Maximum number of attempts. */
  readonly tries?: number;
  /**
   * Pause before the first retry, doubled for each further one. A `Retry-After` header takes
   * precedence.
   */
  readonly pauseMs?: number;
  /** Waits before a retry; replaced in tests. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Maximum time without a received byte. */
  readonly idleTimeoutMs?: number;
  readonly maxBytes?: number;
  /** Send no conditional headers. */
  readonly ignoreCachedVersion?: boolean;
  /** Called with the number of bytes of each received chunk. */
  readonly received?: (bytes: number) => void;
  /** Throws if the content of the finished file is wrong. */
  readonly check?: (path: string) => Promise<void>;
}

/** Retry and time limits of a download. */
export type RetryOptions = Pick<
  DownloadOptions,
  'tries' | 'pauseMs' | 'wait' | 'idleTimeoutMs' | 'maxBytes'
>;

/** An error that a retry may resolve. */
class Temporary extends Error {
  /** Pause from the `Retry-After` header. */
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
/** If the server requests a longer pause, the download fails. */
const LONGEST_PAUSE_MS = 5 * 60_000;

/** @throws Error with the address and the reason, after the last attempt */
export async function download(options: DownloadOptions): Promise<Download> {
  const { tries, pauseMs, wait } = { ...DEFAULTS, ...options };
  for (let attempt = 1; ; attempt++) {
    try {
      return await downloadOnce(options);
    } catch (error) {
      if (!(error instanceof Temporary) || attempt >= tries) throw error;
      const waitMs = error.retryAfterMs ?? pauseMs * 2 ** (attempt - 1);
      if (waitMs > LONGEST_PAUSE_MS) throw error;
      await wait(waitMs);
    }
  }
}

async function downloadOnce(options: DownloadOptions): Promise<Download> {
  const { url, path } = options;
  const { idleTimeoutMs, maxBytes } = { ...DEFAULTS, ...options };
  const controller = new AbortController();
  let idle = setTimeout(() => controller.abort(), idleTimeoutMs);
  const received = (bytes: number) => {
    options.received?.(bytes);
    clearTimeout(idle);
    idle = setTimeout(() => controller.abort(), idleTimeoutMs);
  };
  try {
    const range = await rangeFor(path, url);
    const headers = {
      ...(range?.headers ?? (options.ignoreCachedVersion ? {} : await conditionFor(path))),
      // Zips are compressed already, and ranges of a compressed response are ambiguous.
      ...(/\.zip$/i.test(url) ? { 'accept-encoding': 'identity' } : {}),
    };
    const response = await fetch(url, { headers, signal: controller.signal });
    if (response.status === 304) return { kind: 'unchanged', bytes: (await stat(path)).size };
    if (response.status === 404 || response.status === 410) return { kind: 'missing' };
    const from = response.status === 206 ? range?.from : 0;
    if (response.status === 416 || (response.status === 206 && !goesOnAt(response, from))) {
      await forgetPart(path);
      throw new Temporary(`${url} could not be resumed; starting again.`);
    }
    if (response.status >= 500 || response.status === 429) {
      throw new Temporary(
        `${url} returned status ${response.status}.`,
        readRetryAfter(response.headers.get('retry-after'), Date.now()),
      );
    }
    if (!response.ok || response.body === null) {
      throw new Error(`${url} returned status ${response.status}.`);
    }
    if (from === 0) await rememberPart(path, url, response.headers);
    const bytes = await receive(response, { path, from: from ?? 0, maxBytes, came: received });
    await finish(options, (from ?? 0) > 0);
    await rememberVersion(path, response.headers);
    return { kind: 'downloaded', bytes };
  } catch (error) {
    throw isConnectionFailure(error)
      ? new Temporary(`${url} could not be read. ${causeOf(error)}`)
      : error;
  } finally {
    clearTimeout(idle);
  }
}

/** Check the downloaded file and move it into place. */
async function finish({ url, path, check }: DownloadOptions, isJoined: boolean): Promise<void> {
  const part = partOf(path);
  try {
    await check?.(part);
    await flushFile(part);
  } catch (error) {
    await forgetPart(path);
    // The parts come from two versions that the server gave the same validator.
    if (isJoined) throw new Temporary(`${url} changed during the download: ${causeOf(error)}`);
    throw error;
  }
  await rename(part, path);
  await forgetPart(path);
}

interface Receiving {
  readonly path: string;
  /** Number of bytes that already exist. */
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
      done(
        isTooLarge ? new Error(`${response.url} is larger than ${maxBytes} bytes.`) : null,
        chunk,
      );
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
    throw new Temporary(`${response.url} announced ${promised} bytes but sent ${bytes - from}.`);
  }
  return bytes;
}

/** Whether a 206 response starts at the requested byte (RFC 9110, section 14.4). */
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
  if (error.name === 'AbortError') return 'The server did not answer in time. Try again.';
  const cause = error.cause instanceof Error ? error.cause : error;
  return systemErrorText(cause) ?? `Check the address. Cause: ${cause.message}.`;
}
