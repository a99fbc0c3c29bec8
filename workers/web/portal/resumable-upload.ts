// Sends a large file in parts by tus 1.0, and continues after a lost connection or a reload of the page.

import { type DetailedError, Upload } from 'tus-js-client';
import { errorOf, PortalError } from './api.ts';

/** Larger files are sent in parts. */
export const RESUMABLE_BYTES = 16e6;
/** The service stores pieces of this length. Proxies and the edge accept such requests. */
const PART_BYTES = 8 * 2 ** 20;
/** Pauses between attempts without progress, 3 minutes in total. */
const PAUSES_MS = [0, 1000, 3000, 6000, ...Array<number>(17).fill(10_000)];
/** The status of the response; 0 if the connection was lost. */
const statusOf = (error: Error | DetailedError): number =>
  ('originalResponse' in error && error.originalResponse?.getStatus()) || 0;

/** Whether to send the request again. If the offset is wrong, the library requests the right one first. */
function isTemporary(error: DetailedError): boolean {
  const status = statusOf(error);
  const isOffset = status === 409 && error.originalRequest?.getMethod() === 'PATCH';
  return [0, 408, 429].includes(status) || status >= 500 || isOffset;
}

interface Watcher {
  readonly onProgress: (sent: number, total: number) => void;
  /** The connection was lost, and the next attempt follows. */
  readonly onLost: () => void;
}

/**
 * Starts or continues the upload of a file.
 * @returns the end of the transfer, which throws PortalError; and how to stop it, with or without its bytes
 */
export function sendResumable(file: File, target: string, { onProgress, onLost }: Watcher) {
  const end = { resolve: (): void => undefined, reject: (_: unknown): void => undefined };
  const ended = new Promise<void>((resolve, reject) => Object.assign(end, { resolve, reject }));
  const upload = new Upload(file, {
    endpoint: `/api/portal/v1/charts/uploads/tus?target=${target}`,
    chunkSize: PART_BYTES,
    metadata: { filename: file.name },
    retryDelays: PAUSES_MS,
    removeFingerprintOnSuccess: true,
    onProgress,
    onSuccess: () => end.resolve(),
    onShouldRetry: (error) => {
      if (!isTemporary(error)) return false;
      if (statusOf(error) === 0) onLost();
      return true;
    },
    onError: (error) => {
      const status = statusOf(error);
      const text = ('originalResponse' in error && error.originalResponse?.getBody()) || '';
      const lost = 'The connection was lost. Choose the same file again to continue.';
      end.reject(status === 0 ? new PortalError(0, lost) : errorOf(status, text));
    },
  });
  const start = async () => {
    const [earlier] = await upload.findPreviousUploads();
    if (earlier !== undefined) upload.resumeFromPreviousUpload(earlier);
    upload.start();
  };
  void start().catch(end.reject);
  const stop = (isDeleted: boolean): void => {
    void upload.abort(isDeleted).catch(() => undefined);
    end.resolve();
  };
  return { ended, stop };
}
