// Waiting for storage, but not for ever: requests must not pile up behind a slow bucket.

/** A read that takes longer is given up. */
export const READ_LIMIT_MS = 5000;

/** Storage did not answer in time. */
export class TooSlow extends Error {}

/** @throws TooSlow when `work` is not done within the limit */
export async function withinLimit<T>(work: Promise<T>, limitMs = READ_LIMIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new TooSlow(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
