// Regions: the chart of a box in one file, fetched part by part, so that a break costs a part.

import { NoAnswerError } from './errors.ts';
import { type CallOptions, readJson, sendRequest } from './send-request.ts';
import type { Session } from './session.ts';
import type { RegionPlan, RegionQuestion } from './wire.ts';

/** Bytes of a file, and where in it they lie. */
export interface RegionBytes {
  readonly at: number;
  readonly bytes: Uint8Array;
}

export interface DownloadOptions extends CallOptions {
  /** Where to begin: as many bytes as are there already. */
  readonly start?: number;
  /** Bytes of one request; 1 MiB unless said. */
  readonly partBytes?: number;
}

export interface Regions {
  /** Size and contents of a file before it is fetched; with `from`, what changed since an older one. */
  plan(question: RegionQuestion, options?: CallOptions): Promise<RegionPlan>;
  /**
   * The file, part by part. Throws a `ConflictError` (`region_changed`) where the charts have changed
   * since it was planned: plan it anew then, and begin again.
   */
  download(plan: RegionPlan, options?: DownloadOptions): AsyncGenerator<RegionBytes, void>;
  /** What changed since the file that was planned `from`, part by part; for `applyDelta`. */
  downloadDelta(plan: RegionPlan, options?: DownloadOptions): AsyncGenerator<RegionBytes, void>;
}

const PART_BYTES = 1024 * 1024;
/** Links at sea are slow. */
const PATIENCE = 4;

export function regionsOf(session: Session): Regions {
  async function* parts(
    query: { readonly [name: string]: string | number | undefined },
    { etag, bytes }: { readonly etag: string; readonly bytes: number },
    { start = 0, partBytes = PART_BYTES, signal }: DownloadOptions,
  ): AsyncGenerator<RegionBytes, void> {
    for (let at = start; at < bytes; ) {
      const end = Math.min(at + partBytes, bytes);
      const part = await sendRequest(
        session,
        {
          path: '/api/v1/regions',
          query,
          headers: { range: `bytes=${at}-${end - 1}`, 'if-match': etag },
          patience: PATIENCE,
          signal,
        },
        async (response) => {
          const read = new Uint8Array(await response.arrayBuffer());
          // A page of a harbour's network is no part of a chart, and neither is half of one.
          const isPart = response.status === 206 && read.length === end - at;
          if (!isPart) throw new NoAnswerError('Something else answered in place of the service.');
          return read;
        },
      );
      yield { at, bytes: part };
      at = end;
    }
  }
  return {
    plan: ({ bbox, maxZoom, from }, options = {}) =>
      sendRequest(
        session,
        {
          path: '/api/v1/regions/plan',
          query: { bbox, maxZoom, from },
          patience: PATIENCE,
          ...options,
        },
        readJson<RegionPlan>,
      ),
    download: (plan, options = {}) => parts(queryOf(plan), plan, options),
    downloadDelta: (plan, options = {}) => {
      if (plan.delta === null) throw new TypeError('The region was planned without `from`.');
      return parts({ ...queryOf(plan), from: plan.delta.from }, plan.delta, options);
    },
  };
}

const queryOf = ({ bounds, maxZoom }: RegionPlan) => ({ bbox: bounds.join(','), maxZoom });
