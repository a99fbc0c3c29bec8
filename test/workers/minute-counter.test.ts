// Requests of each key in a minute.

import { expect, test } from 'vitest';
import { MinuteCounter } from '../../workers/service/http/minute-counter.ts';
import { networkOf } from '../../workers/service/runtime/network-of.ts';

test('a key may occur a limited number of times a minute, and again in the next minute', () => {
  const counter = new MinuteCounter();
  const at = (nowMs: number, key = 'a') => counter.count(key, 2, nowMs);
  expect(at(0)).toEqual({ isWithin: true, remaining: 1, resetSeconds: 60 });
  expect(at(30_000)).toEqual({ isWithin: true, remaining: 0, resetSeconds: 30 });
  expect(at(30_000, 'b')).toEqual({ isWithin: true, remaining: 1, resetSeconds: 60 });
  expect(at(59_999)).toEqual({ isWithin: false, remaining: 0, resetSeconds: 1 });
  expect(at(60_000)).toEqual({ isWithin: true, remaining: 1, resetSeconds: 60 });
});

test('more keys than are remembered forget the oldest, not the newest', () => {
  const counter = new MinuteCounter();
  for (let i = 0; i < 100_001; i++) counter.count(`k${i}`, 2, 0);
  expect(counter.count('k0', 2, 0).remaining).toBe(1);
  expect(counter.count('k100000', 2, 0).remaining).toBe(0);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '20010db800010002'],
  ['2001:DB8:1:2::', '20010db800010002'],
  ['', ''],
  ['fe80::x', 'fe80::x'],
])('the network of the client %j is %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
