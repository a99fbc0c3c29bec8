// A part of a bucket: all keys have a prefix. Builds of another kind are published there by the same
// functions as charts.

import type { Bucket } from './bucket.ts';

/** @param prefix ends with `/` */
export function prefixedBucket(bucket: Bucket, prefix: string): Bucket {
  const withPrefix = (key: string) => `${prefix}${key}`;
  const withoutPrefix = (key: string) => key.slice(prefix.length);
  return {
    digest: (key) => bucket.digest(withPrefix(key)),
    readText: (key) => bucket.readText(withPrefix(key)),
    putFile: (key, path, expected) => bucket.putFile(withPrefix(key), path, expected),
    putText: (key, text) => bucket.putText(withPrefix(key), text),
    list: async (start) => (await bucket.list(withPrefix(start)))?.map(withoutPrefix),
    delete: (key) => bucket.delete(withPrefix(key)),
    // Uploads outside the prefix belong to others.
    abandonUploads: async (isKept) =>
      (
        await bucket.abandonUploads((key) => !key.startsWith(prefix) || isKept(withoutPrefix(key)))
      ).map(withoutPrefix),
    close: () => bucket.close(),
  };
}
