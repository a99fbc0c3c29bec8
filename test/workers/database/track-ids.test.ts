// Ids of many tracks at once.

import { expect, test } from 'vitest';
import { trackIds } from '../../../workers/service/db/track-ids.ts';

test('fifty thousand ids of tracks are UUIDs of version 7 of that moment, each once, in order', () => {
  const nowMs = Date.UTC(2030, 5, 1);
  const ids = trackIds(50_000, nowMs);
  expect(new Set(ids).size).toBe(50_000);
  expect([...ids].sort()).toEqual(ids);
  const shape = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !shape.test(id))).toEqual([]);
  const times = ids.map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16));
  expect(new Set(times)).toEqual(new Set([nowMs]));
});

test('ids of tracks of two requests in one millisecond differ', () => {
  const two = [...trackIds(5000, 1), ...trackIds(5000, 1)];
  expect(new Set(two).size).toBe(10_000);
});
