import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { benchmarksPage } from './benchmarks-page.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it('BENCHMARKS.md holds what a run printed, and keeps the benches that were not run', () => {
  const one = { name: 'one', source: '// What one\n// measures.\n\ncode();', printed: '1 ms' };
  const first = benchmarksPage('', [one, { ...one, name: 'two' }], 'a machine, 2026-01-01');
  expect(first).toContain('## one\n\nWhat one measures.\n\na machine, 2026-01-01:\n\n```\n');
  const second = benchmarksPage(
    first,
    [{ ...one, printed: '2 ms', flags: ' --long' }],
    'another, 2026-02-01',
  );
  expect(second).toContain('$ npm run bench -- one --long\n2 ms\n```');
  expect(second).not.toContain('$ npm run bench -- one\n1 ms');
  expect(second).toContain('a machine, 2026-01-01:\n\n```\n$ npm run bench -- two\n1 ms\n```');
});

it('BENCHMARKS.md has every figure that the README gives', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const page = readFileSync(join(ROOT, 'BENCHMARKS.md'), 'utf8');
  const table = /## Figures\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
  const rows = table.split('\n').filter((line) => /^\| (?!what|---)/.test(line));
  expect(rows.length).toBeGreaterThan(0);
  const figures = rows.flatMap((row) => {
    const [, , ours = '', theirs = ''] = row.split('|');
    return [...`${ours} ${theirs}`.matchAll(/\d[\d,.]*/g)].map(([figure]) => figure);
  });
  expect(figures.filter((figure) => !page.includes(figure))).toEqual([]);
});
