// What an isolate's memory is for: the sums, that every cache has its bound there, and that caches give
// way to work.

import { describe, expect, test, vi } from 'vitest';
import {
  boundedCache,
  CACHE_BYTES,
  cachedBytes,
  ISOLATE_BYTES,
  MemoryReservation,
  RUNTIME_BYTES,
  WORK_BYTES,
} from '../../workers/service/runtime/memory-budget.ts';
import { sourceFiles, textOf } from '../support/source-files.ts';

const ALL_CACHES = Object.values(CACHE_BYTES).reduce((sum, bytes) => sum + bytes, 0);
const MEBI = 2 ** 20;

describe('the budget of an isolate', () => {
  test('the budget of an isolate is sufficient for full caches with an upload, and for any other work with cleared caches', () => {
    expect(RUNTIME_BYTES + ALL_CACHES + WORK_BYTES.upload).toBeLessThanOrEqual(ISOLATE_BYTES);
    for (const bytes of Object.values(WORK_BYTES)) {
      expect(RUNTIME_BYTES + bytes).toBeLessThanOrEqual(ISOLATE_BYTES);
    }
  });

  test('every cache of the Worker has a limit in the budget', () => {
    const makers = sourceFiles(['workers'])
      .filter((path) => /^workers\/service\/(?!standalone)/.test(path))
      .filter((path) => /new LRUCache|new ResolvedValueCache/.test(textOf(path)));
    expect(makers).toEqual(['workers/service/runtime/memory-budget.ts']);
  });
});

describe('a bounded cache', () => {
  const filled = (name: keyof typeof CACHE_BYTES) => {
    const cache = boundedCache<Uint8Array>(name, { sizeOf: ({ length }) => length });
    for (let i = 0; i < 200; i++) cache.set(`${i}`, new Uint8Array(MEBI / 4));
    return cache;
  };

  test('a bounded cache stays within its limit and rejects larger entries', () => {
    const cache = filled('savedStyles');
    expect(cache.calculatedSize).toBe(CACHE_BYTES.savedStyles);
    cache.set('large', new Uint8Array(CACHE_BYTES.savedStyles / 2 + 1));
    expect(cache.get('large')).toBeUndefined();
    cache.clear();
  });

  test('a bounded cache is cleared if work needs its memory, the fullest cache first', () => {
    const [full, less] = [filled('tiles'), filled('queryBuckets')];
    const held = cachedBytes();
    expect(held).toBeGreaterThanOrEqual(CACHE_BYTES.tiles + CACHE_BYTES.queryBuckets);
    const reservation = new MemoryReservation();
    reservation.grow(ISOLATE_BYTES - RUNTIME_BYTES - held);
    expect([full.size > 0, less.size > 0]).toEqual([true, true]);
    reservation.grow(ISOLATE_BYTES - RUNTIME_BYTES - held + 1);
    expect([full.size > 0, less.size > 0]).toEqual([false, true]);
    // Two concurrent pieces of work both get the requested memory.
    const other = new MemoryReservation();
    other.grow(ISOLATE_BYTES);
    expect(cachedBytes()).toBe(0);
    other.release();
    reservation.release();
    less.set('again', new Uint8Array(1));
    const small = new MemoryReservation();
    small.grow(MEBI);
    expect(less.size).toBe(1);
    small.release();
    less.clear();
  });

  test('a bounded cache is not cleared for work whose request was cancelled', () => {
    vi.useFakeTimers();
    try {
      const cache = filled('tiles');
      const lost = new MemoryReservation();
      lost.grow(ISOLATE_BYTES);
      expect(cache.size).toBe(0);
      cache.set('again', new Uint8Array(1));
      vi.advanceTimersByTime(121_000);
      const small = new MemoryReservation();
      small.grow(MEBI);
      expect(cache.size).toBe(1);
      small.release();
      cache.clear();
    } finally {
      vi.useRealTimers();
    }
  });
});
