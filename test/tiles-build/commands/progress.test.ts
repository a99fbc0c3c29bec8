// The progress of a build as lines of text, for output that is not a terminal.

import { expect, test, vi } from 'vitest';
import { Pace } from '../../../tiles-build/commands/pace.ts';
import { showProgress } from '../../../tiles-build/commands/progress.ts';

/** The printed lines of a stage. @param ends time in seconds at which each step ends */
function linesOf(ends: readonly number[], total = ends.length): string[] {
  const lines: string[] = [];
  let now = 0;
  const output = { out: () => undefined, note: (line: string) => lines.push(line) };
  const progress = showProgress({ ...output, isTerminal: false }, () => now);
  progress.start('Cutting tiles', total);
  for (const end of ends) {
    now = end * 1000;
    progress.step('US5XX01M');
  }
  return lines;
}

test('showProgress prints the finished and total steps, the pace and the remaining time', () => {
  expect(linesOf([2, 4, 6, 8, 10, 12, 14, 16])).toEqual([
    'Cutting tiles: 8',
    'Cutting tiles: 2 of 8, 30 per minute, 12 s left',
    'Cutting tiles: 4 of 8, 30 per minute, 8 s left',
    'Cutting tiles: 6 of 8, 30 per minute, 4 s left',
    'Cutting tiles: 8 of 8',
  ]);
});

test('showProgress prints a line per minute in a long stage', () => {
  const ends = Array.from({ length: 20 }, (_, i) => 30 * (i + 1));
  expect(linesOf(ends, 20_000)).toHaveLength(1 + 10);
  expect(linesOf(ends, 20_000).at(-1)).toBe(
    'Cutting tiles: 20 of 20000, 2.0 per minute, 166 h 30 min left',
  );
});

test('showProgress neither hides the cursor of a terminal nor changes its wrapping', () => {
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const output = { out: () => undefined, note: () => undefined, isTerminal: true };
  const progress = showProgress(output);
  progress.start('Cutting tiles', 2);
  const written = write.mock.calls.map(([text]) => text).join('');
  progress.end();
  write.mockRestore();
  process.stderr.isTTY = isTTY;
  expect(written).toContain('Cutting tiles');
  // Only a process that ends by itself would write the opposite commands.
  expect(written).not.toMatch(/\?(25|7)l/);
});

test('Pace is estimated from the last steps only', () => {
  const pace = new Pace(10_000, 0);
  for (let i = 0; i < 5000; i++) pace.step(1);
  for (let i = 1; i <= 100; i++) pace.step(i * 1000);
  expect(pace.rate()).toBeCloseTo(1);
  expect(pace.text()).toBe('1.0 per second, 82 min left');
});

test('showProgress prints no pace if no time has passed', () => {
  expect(linesOf([0, 0, 0, 0]).at(-2)).toBe('Cutting tiles: 3 of 4');
});
