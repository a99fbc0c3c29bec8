// Places for uploads of charts: each needs the memory of two pieces, so an isolate receives few at once. Slow
// clients, such as boats far from the coast, keep their place only until another upload needs it.

import type { Chunk } from '../http/read-pieces.ts';
import { ApiError } from '../runtime/errors.ts';
import { MemoryReservation, WORK_BYTES } from '../runtime/memory-budget.ts';
import { isWithinPeriod } from '../runtime/periods.ts';
import { slowToReplace } from '../runtime/transfer-places.ts';

const LIMITS = { most: 3, mostPerAccount: 2 };
/** The speed is measured over at least this time. */
const WINDOW_MS = 30_000;
const SLOW_BYTES_PER_MS = 64;

/** Cache: the uploads that this isolate receives. */
const places = new Set<UploadPlace>();

/** What a request has measured when it ended. */
interface Measurement {
  readonly endedAt: number;
  /** Time that the service waited for the client in the window that is not complete. */
  readonly ms: number;
  readonly bytes: number;
  readonly wasSlow: boolean;
}

/** Cache: the last measurement of each account, so that requests shorter than the window count together. */
const measurements = new Map<string, Measurement>();

/** The place of one request. */
export class UploadPlace {
  readonly account: string;
  readonly memory = new MemoryReservation();
  #lost: ApiError | undefined;
  #fail: (error: ApiError) => void = () => undefined;
  #windowAt = Date.now();
  #waitedMs = 0;
  #bytes = 0;
  #wasSlow = false;

  constructor(account: string) {
    this.account = account;
    this.memory.grow(WORK_BYTES.upload);
    const last = measurements.get(account);
    measurements.delete(account);
    if (last === undefined || !isWithinPeriod(this.#windowAt, last.endedAt, WINDOW_MS)) return;
    this.#windowAt -= last.ms;
    this.#waitedMs = last.ms;
    this.#bytes = last.bytes;
    this.#wasSlow = last.wasSlow;
  }

  /** The next request of the account continues the measurement. */
  end(): void {
    places.delete(this);
    this.memory.release();
    const endedAt = Date.now();
    for (const [account, one] of measurements) {
      if (!isWithinPeriod(endedAt, one.endedAt, WINDOW_MS)) measurements.delete(account);
    }
    const ms = this.#waitedMs;
    const wasSlow = this.#isSlowOver(ms);
    const rest = ms < WINDOW_MS ? { ms, bytes: this.#bytes } : { ms: 0, bytes: 0 };
    measurements.set(this.account, { endedAt, wasSlow, ...rest });
  }

  /** Whether it is slow now, or was in the last complete window. */
  get isSlow(): boolean {
    return this.#isSlowOver(Date.now() - this.#windowAt);
  }

  #isSlowOver(ms: number): boolean {
    return ms < WINDOW_MS ? this.#wasSlow : this.#bytes < SLOW_BYTES_PER_MS * ms;
  }

  /** The next chunk of a body. @throws ApiError 408 if another upload gets the place; errors of `read` */
  readonly measured = async <T extends Chunk>(read: () => Promise<T>): Promise<T> => {
    if (this.#lost !== undefined) throw this.#lost;
    const asked = Date.now();
    const chunk = await new Promise<T>((take, fail) => {
      this.#fail = fail;
      read().then(take, fail);
    }).finally(() => {
      this.#waitedMs += Date.now() - asked;
    });
    if (chunk.value === undefined) return chunk;
    if (Date.now() - this.#windowAt >= WINDOW_MS) {
      this.#wasSlow = this.#bytes < SLOW_BYTES_PER_MS * this.#waitedMs;
      this.#windowAt = Date.now();
      this.#waitedMs = 0;
      this.#bytes = 0;
      this.memory.grow(WORK_BYTES.upload);
    }
    this.#bytes += chunk.value.length;
    return chunk;
  };

  /** The chunks of a body. @throws ApiError 408 if another upload gets the place; errors of `source` */
  async *chunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = source[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await this.measured(() => reader.next());
      if (done === true) return;
      yield value;
    }
  }

  /** End the upload after its last bytes are stored. The runtime may have dropped its request. */
  giveAway(): void {
    places.delete(this);
    this.#lost = new ApiError(
      'request_timeout',
      'The upload was slower than 64 kB per second, so it was stopped for another upload. Continue a resumable upload, or send the file again.',
    );
    this.#fail(this.#lost);
  }
}

/**
 * Receives a body in a place, which may be that of a slow upload.
 * @throws ApiError 429 if the other uploads are fast; errors of `store`
 */
export async function inUploadPlace<T>(
  account: string,
  store: (place: UploadPlace) => Promise<T>,
): Promise<T> {
  slowToReplace(places, account, LIMITS)?.giveAway();
  const place = new UploadPlace(account);
  places.add(place);
  try {
    return await store(place);
  } finally {
    place.end();
  }
}
