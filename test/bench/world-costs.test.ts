import { expect, test } from 'vitest';
import { PRICES, worldCosts } from './world-costs.ts';

test('costs of many cells are those of one, so many times', () => {
  const each = { sourceMegabytes: 2, coreSeconds: 3.6, archiveMegabytes: 5 };
  const costs = worldCosts(each, 10_000);
  expect(costs.coreHours).toBeCloseTo(10, 9);
  expect(costs.gigabytes).toBe(50);
  expect(costs.uploads).toBe(Math.ceil(50_000 / 16.8));
  expect(costs.build).toBeCloseTo(10 * PRICES.coreHour + costs.uploads * 4.5e-6, 9);
  expect(costs.month).toBeCloseTo(3 * 50 * PRICES.gigabyteMonth, 9);
});
