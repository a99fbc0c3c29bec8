// Downloads in progress. Each needs the memory of two reads, so an isolate sends few at once. A slow one ends
// when another needs its place; its client continues with `Range`.

import { MemoryReservation, WORK_BYTES } from '../runtime/memory-budget.ts';
import { withinLimit } from '../runtime/time-limit.ts';
import { slowToReplace } from '../runtime/transfer-places.ts';

/** Most need less memory than is reserved. */
const LIMITS = { most: 6, mostPerAccount: 4 };
const PIECE_BYTES = 65_536;
/** A client must accept a piece within this time. The work of one that disconnected may be dropped. */
const STALLED_MS = 30_000;
const SLOW_BYTES_PER_MS = 64;

/** Cache: the downloads of this isolate. */
const downloads = new Set<Download>();

/** A download that has a place. */
export class Download {
  readonly account: string;
  readonly #memory = new MemoryReservation();
  readonly #startedAt = Date.now();
  #sentAt = Date.now();
  #bytes = 0;

  /** @throws ApiError 429 if the other downloads are fast */
  constructor(account: string) {
    this.account = account;
    slowToReplace(downloads, account, LIMITS)?.end();
    downloads.add(this);
    this.#memory.grow(WORK_BYTES.region);
  }

  /** Whether it is slow on the whole, or the client has accepted nothing for long. */
  get isSlow(): boolean {
    const ms = Date.now() - this.#startedAt;
    const isStalled = Date.now() - this.#sentAt > STALLED_MS;
    return isStalled || (ms > STALLED_MS && this.#bytes < SLOW_BYTES_PER_MS * ms);
  }

  /** @throws if another download has the place, or the client accepts nothing */
  async send(bytes: Uint8Array, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      if (!downloads.has(this)) throw new Error('Another download needs the place of this one.');
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      await withinLimit(writer.write(piece), STALLED_MS);
      this.#bytes += piece.length;
      this.#sentAt = Date.now();
    }
    this.#memory.grow(WORK_BYTES.region);
  }

  end(): void {
    downloads.delete(this);
    this.#memory.release();
  }
}
