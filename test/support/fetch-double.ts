// A double of the service for tests of the client. It returns prepared responses in order, including ones
// that a real service rarely sends, and records the requests and the waits.

import { type Client, type ClientOptions, createClient } from '../../workers/web/client/index.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The parsed body; `undefined` without a body. */
  readonly body: unknown;
}

/** A response, or an error to throw, or a function of the request. */
export type Reply = Response | Error | ((request: RecordedRequest) => Response | Promise<Response>);

export interface ClientDouble {
  readonly client: Client;
  readonly requests: RecordedRequest[];
  /** The waits between attempts, in milliseconds. */
  readonly waits: number[];
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** An error response in the format of the service. */
export const problem = (
  status: number,
  code: string,
  { headers = {}, ...members }: { headers?: Record<string, string>; [name: string]: unknown } = {},
): Response =>
  new Response(JSON.stringify({ status, code, detail: `It was ${code}.`, ...members }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

/** The error that `fetch` throws without a network. */
export const noNetwork = (): Error => new TypeError('fetch failed');

/** A client whose requests receive the replies in order. A request without a reply fails. */
export function clientWithAnswers(
  replies: readonly Reply[],
  options: Partial<ClientOptions> = {},
): ClientDouble {
  const requests: RecordedRequest[] = [];
  const waits: number[] = [];
  const left = [...replies];
  const client = createClient({
    address: 'https://charts.example',
    token: 'the-token',
    wait: async (ms) => void waits.push(ms),
    fetch: async (input, init) => {
      const request = new Request(input as string, init);
      const { pathname: path, searchParams: query } = new URL(request.url);
      const text = await request.text();
      const recorded: RecordedRequest = {
        method: request.method,
        path,
        query,
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(recorded);
      const reply = left.shift();
      if (reply === undefined) throw new Error(`There is no answer to ${request.method} ${path}.`);
      if (reply instanceof Error) throw reply;
      return typeof reply === 'function' ? reply(recorded) : reply;
    },
    ...options,
  });
  return { client, requests, waits };
}

/** A text storage like those of apps. After `setFull` it has no space left. */
export function memoryStorage() {
  const texts = new Map<string, string>();
  const taken = () => [...texts].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  let room = Number.POSITIVE_INFINITY;
  return {
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => {
      const grown = value.length - (texts.get(key)?.length ?? -key.length);
      if (grown > 0 && taken() + grown > room) throw new Error('The quota has been exceeded.');
      texts.set(key, value);
    },
    removeItem: (key: string) => void texts.delete(key),
    setFull: () => {
      room = taken();
    },
  };
}
