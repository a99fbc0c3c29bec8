// The cache of the self-hosted edition.

import { expect, test } from 'vitest';
import { MemoryCache } from '../../workers/service/standalone/memory-cache.ts';

const KEY = 'https://charts.example/tile';
const answer = () => new Response('tile', { headers: { 'cache-control': 'max-age=60' } });

test('two responses for one key at the same time count once', async () => {
  const cache = new MemoryCache(2 ** 20);
  await cache.put(KEY, answer());
  const once = cache.bytes;
  await Promise.all([cache.put(KEY, answer()), cache.put(KEY, answer())]);
  expect(cache.bytes).toBe(once);
  await cache.delete(KEY);
  expect([once > 0, cache.bytes]).toEqual([true, 0]);
});
