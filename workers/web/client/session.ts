// Whom a client asks, as whom, and how patiently: what all its parts share.

export interface ClientOptions {
  /** Where the service answers, such as `https://charts.example`; a path may follow. */
  readonly address: string;
  /** The account's token: a public one in pages and apps, a secret one on servers alone. */
  readonly token: string;
  /** Token of the end user who is speaking, sent as `Leadline-User`. */
  readonly userToken?: string;
  /** Asked for another token when the service says that this one has expired. */
  readonly renewToken?: () => Promise<string>;
  /** Attempts after the first, where another attempt is safe; 4 unless said. */
  readonly retries?: number;
  /** What the service may ask to wait before it is thrown instead, in milliseconds; 90,000 unless said. */
  readonly longestWaitMs?: number;
  /** For one attempt, in milliseconds; 30,000 unless said, for routes and soundings four times as long. */
  readonly timeoutMs?: number;
  /** Instead of the platform's own. */
  readonly fetch?: typeof fetch;
  /** Waits between attempts, unless the signal ends it; instead of a timer. */
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
    // A mistyped address is noticed here, not at the first request.
    address: new URL(options.address).href.replace(/\/+$/, ''),
    token: options.token,
    userToken: options.userToken,
    renewToken: options.renewToken,
    retries: options.retries ?? 4,
    longestWaitMs: options.longestWaitMs ?? 90_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    // Called as a function of its own: browsers refuse it as a method of another object.
    fetch: options.fetch ?? ((...given) => fetch(...given)),
    wait: options.wait ?? wait,
  };
}

/** @throws what the signal was aborted with */
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
