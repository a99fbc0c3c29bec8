// The arithmetic of the page on costs: each sum is the sum of its parts, at the prices that the page states.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const PAGE = readFileSync(
  resolve(import.meta.dirname, '../../../workers/host/deploy/COSTS.md'),
  'utf8',
);

/** Rows of the table whose first column is headed so. */
function rowsOf(heading: string): string[][] {
  const from = PAGE.indexOf(`| ${heading} |`);
  const lines = PAGE.slice(from).split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Dollars per million units of a row in the plan's table. */
function priceOf(part: string): number {
  const row = rowsOf('part').find(([name]) => name === part);
  return Number.parseFloat(row![2]!);
}

test('the price of a million requests is the sum of their requests, CPU time and reads', () => {
  const rows = rowsOf('a million of');
  expect(rows.length).toBeGreaterThan(5);
  for (const [name, cpu, reads, parts, together] of rows) {
    const wanted = [
      priceOf('requests'),
      Number.parseFloat(cpu!) * priceOf('CPU'),
      Number(reads) * priceOf('R2 reads (class B)'),
    ];
    const sum = wanted.reduce((all, one) => all + one, 0);
    expect([name, parts, together]).toEqual([
      name,
      wanted.map((one) => one.toFixed(2)).join(' + '),
      sum.toFixed(2),
    ]);
  }
});

test("archives have the size of the measured ratio, and cost R2's price", () => {
  const [, perMegabyte, once] = /about ([\d.]+) MB for each MB of cells, and ([\d.]+) MB/.exec(
    PAGE,
  )!;
  for (const [name, cells, archives, one, four] of rowsOf('charts')) {
    const megabytes =
      Number.parseFloat(cells!.replace(',', '')) * Number(perMegabyte) + Number(once);
    const gigabytes = /= ([\d.]+) GB$/.exec(archives!)![1]!;
    const digits = gigabytes.split('.')[1]!.length;
    const monthly = (megabytes / 1000) * priceOf('R2 storage');
    expect([name, gigabytes, one, four]).toEqual([
      name,
      (megabytes / 1000).toFixed(digits),
      monthly.toFixed(2),
      (4 * monthly).toFixed(2),
    ]);
  }
});
