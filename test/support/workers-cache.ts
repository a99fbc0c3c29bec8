// A double of Cloudflare's Workers Caching in front of a Worker, by its documentation: the key is path and query;
// GET requests without Authorization are answered from the cache; a response is stored if its Cache-Control
// allows it, and for some statuses also without that header.

interface Stored {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
}

/** Statuses that are stored without Cache-Control. */
const STORED_BY_DEFAULT: readonly number[] = [200, 203, 204, 300, 301, 404, 405, 410, 414, 501];

export class WorkersCache {
  /** The requests that reached the cache. */
  readonly asked: Request[] = [];
  /** Runs if the cache has no response. */
  worker: (request: Request) => Promise<Response> = async () => new Response(null, { status: 500 });
  readonly #stored = new Map<string, Stored>();

  /** The service binding. */
  readonly binding = {
    fetch: async (input: string, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      this.asked.push(request);
      const { pathname, search } = new URL(request.url);
      const isCacheable = request.method === 'GET' && !request.headers.has('authorization');
      const hit = isCacheable ? this.#stored.get(pathname + search) : undefined;
      if (hit !== undefined) return responseOf(hit, 'HIT');
      const answer = await this.worker(request);
      const stored = {
        status: answer.status,
        headers: [...answer.headers],
        body: await answer.arrayBuffer(),
      };
      const isStored = isCacheable && mayStore(answer);
      if (isStored) this.#stored.set(pathname + search, stored);
      return responseOf(stored, isStored ? 'MISS' : 'BYPASS');
    },
  };
}

function mayStore({ status, headers }: Response): boolean {
  const control = headers.get('cache-control');
  if (status === 206 || headers.has('set-cookie')) return false;
  if (control === null) return STORED_BY_DEFAULT.includes(status);
  return !/\b(private|no-store)\b/.test(control) && /\bmax-age=[1-9]/.test(control);
}

function responseOf({ status, headers, body }: Stored, cacheStatus: string): Response {
  const all = new Headers(headers.map(([name, value]) => [name, value]));
  all.set('cf-cache-status', cacheStatus);
  return new Response(status === 204 || body.byteLength === 0 ? null : body, {
    status,
    headers: all,
  });
}
