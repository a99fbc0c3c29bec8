// A part of a bucket: all keys have a prefix. Builds of another kind are published there by the same
// functions as charts.

import type { Bucket } from './bucket.ts';

/** @param prefix ends with `/` */
export function prefixedBucket(bucket: Bucket, prefix: string): Bucket {
  const whole = (key: string) => `${prefix}${key}`;
  const own = (key: string) => key.slice(prefix.length);
  return {
    digest: (key) => bucket.digest(whole(key)),
    readText: (key) => bucket.readText(whole(key)),
    putFile: (key, path, expected) => bucket.putFile(whole(key), path, expected),
    putText: (key, text) => bucket.putText(whole(key), text),
    list: async (start) => (await bucket.list(whole(start)))?.map(own),
    delete: (key) => bucket.delete(whole(key)),
    // Uploads outside the prefix belong to others.
    abandonUploads: async (isKept) =>
      (await bucket.abandonUploads((key) => !key.startsWith(prefix) || isKept(own(key)))).map(own),
    close: () => bucket.close(),
  };
}
