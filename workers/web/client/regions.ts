// Regions: the chart of a bounding box in one file, downloaded in parts so that downloads can be resumed.

import { NoAnswerError } from './errors.ts';
import { type CallOptions, readJson, sendRequest } from './send-request.ts';
import type { Session } from './session.ts';
import type { RegionPlan, RegionQuery } from './wire.ts';

/** Bytes of a file and their offset. */
export interface RegionBytes {
  readonly at: number;
  readonly bytes: Uint8Array;
}

export interface DownloadOptions extends CallOptions {
  /** Offset of the first byte: the number of bytes downloaded before. */
  readonly start?: number;
  /** Bytes per request. Default: 1 MiB. */
  readonly partBytes?: number;
}

export interface RegionsApi {
  /** Size and contents of a file before the download; with `from`, also the delta from an older file. */
  plan(query: RegionQuery, options?: CallOptions): Promise<RegionPlan>;
  /**
   * Downloads the file in parts. Throws a `ConflictError` (`region_changed`) if the charts have changed since
   * the plan: create a new plan and start again.
   */
  download(plan: RegionPlan, options?: DownloadOptions): AsyncGenerator<RegionBytes, void>;
  /** Downloads the delta from the file given as `from`, in parts, for `applyDelta`. */
  downloadDelta(plan: RegionPlan, options?: DownloadOptions): AsyncGenerator<RegionBytes, void>;
}

const PART_BYTES = 1024 * 1024;
/** Links at sea are slow. */
const TIMEOUT_FACTOR = 4;

export function createRegionsApi(session: Session): RegionsApi {
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
          timeoutFactor: TIMEOUT_FACTOR,
          signal,
        },
        async (response) => {
          const read = new Uint8Array(await response.arrayBuffer());
          // Reject truncated parts, and pages of captive portals.
          const isPart = response.status === 206 && read.length === end - at;
          if (!isPart) throw new NoAnswerError('The response is not from the service.');
          return read;
        },
      );
      yield { at, bytes: part };
      at = end;
    }
  }
  return {
    plan: ({ bbox, maxZoom, crowd, from }, options = {}) =>
      sendRequest(
        session,
        {
          path: '/api/v1/regions/plan',
          query: { bbox, maxZoom, crowd, from },
          timeoutFactor: TIMEOUT_FACTOR,
          ...options,
        },
        readJson<RegionPlan>,
      ),
    download: (plan, options = {}) => parts(queryOf(plan), plan, options),
    downloadDelta: (plan, options = {}) => {
      if (plan.delta === null)
        throw new TypeError('The plan has no delta: call `regions.plan` with `from`.');
      return parts({ ...queryOf(plan), from: plan.delta.from }, plan.delta, options);
    },
  };
}

const queryOf = ({ bounds, maxZoom, crowd }: RegionPlan) => ({
  bbox: bounds.join(','),
  maxZoom,
  ...(crowd === undefined ? {} : { crowd: 'true' }),
});
