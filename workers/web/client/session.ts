// Options of a client, shared by all its parts.

export interface ClientOptions {
  /** URL of the service, such as `https://charts.example`, optionally with a path. */
  readonly address: string;
  /** Token of the account: a public token in pages and apps, a secret token only on servers. */
  readonly token: string;
  /** Token of the end user, sent as `Leadline-User`. */
  readonly userToken?: string;
  /** Returns a new token. Called if the service reports that the token has expired. */
  readonly renewToken?: () => Promise<string>;
  /** Maximum number of retries. Default: 4. */
  readonly retries?: number;
  /** Maximum delay before a retry in milliseconds. A longer `Retry-After` is thrown. Default: 90,000. */
  readonly longestWaitMs?: number;
  /** Timeout of one attempt in milliseconds; four times as long for routes, regions, soundings, events and files. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Replaces the timer between attempts. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface Session {
  readonly address: string;
  token: string;
  readonly userToken: string | undefined;
  readonly renewToken: (() => Promise<string>) | undefined;
  readonly retries: number;
  readonly longestWaitMs: number;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export function openSession(options: ClientOptions): Session {
  return {
    // Throws for an invalid URL here instead of at the first request.
    address: new URL(options.address).href.replace(/\/+$/, ''),
    token: options.token,
    userToken: options.userToken,
    renewToken: options.renewToken,
    retries: options.retries ?? 4,
    longestWaitMs: options.longestWaitMs ?? 90_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    // Browsers reject `fetch` as a method of another object.
    fetch: options.fetch ?? ((...given) => fetch(...given)),
    wait: options.wait ?? wait,
  };
}

/** @throws the abort reason of `signal` */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const abort = () => {
      clearTimeout(timer);
      fail(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      done();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
