import { expect, it } from 'vitest';
import { benchmarksPage } from './benchmarks-page.ts';

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
