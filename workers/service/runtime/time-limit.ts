// Time limits: requests must not pile up behind slow storage.

export const READ_LIMIT_MS = 5000;

/** An operation exceeded its time limit. */
export class TooSlow extends Error {}

/** @throws TooSlow if `work` does not settle within the limit */
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
