// Replaces the platform's edge cache by an LRU cache in the memory of this process.

interface Entry {
  readonly bytes: ArrayBuffer;
  /** Bytes of memory, with the key and the headers. */
  readonly weight: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly expiresAt: number;
}

/** Memory of an entry without its body: empty tiles must count too, or they would never be removed. */
const ENTRY_BYTES = 1000;

/** The part of the Cache API that the Worker uses: URLs, whole responses, `max-age`. */
export class MemoryCache {
  readonly #entries = new Map<string, Entry>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** @param mostBytes maximum size of all entries together */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async match(key: string): Promise<Response | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expiresAt <= Date.now()) {
      this.#bytes -= entry.weight;
      return undefined;
    }
    this.#entries.set(key, entry);
    return new Response(entry.bytes, {
      headers: entry.headers.map(([name, text]) => [name, text]),
    });
  }

  async put(key: string, answer: Response): Promise<void> {
    const seconds = Number(/max-age=(\d+)/.exec(answer.headers.get('cache-control') ?? '')?.[1]);
    const bytes = await answer.arrayBuffer();
    this.#remove(key);
    if (!(seconds > 0) || bytes.byteLength > this.#mostBytes / 8) return;
    const expiresAt = Date.now() + seconds * 1000;
    const weight = bytes.byteLength + 2 * key.length + ENTRY_BYTES;
    this.#entries.set(key, { bytes, weight, headers: [...answer.headers], expiresAt });
    this.#bytes += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#remove(oldest);
    }
  }

  async delete(key: string): Promise<boolean> {
    return this.#remove(key);
  }

  /** Must not await: the count would miss another `put` of the key. */
  #remove(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#bytes -= entry.weight;
    return this.#entries.delete(key);
  }
}

/** Installs it as `caches.default`, the name of the platform's cache. */
export function useMemoryCache(cache: MemoryCache): void {
  const storage = { default: cache };
  Object.defineProperty(globalThis, 'caches', { value: storage, configurable: true });
}
