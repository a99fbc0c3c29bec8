import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CrowdBin } from '../../../shared/crowd/bin.ts';
import { coarserBins } from '../../../tiles-build/crowd/bins.ts';
import { lane, sail } from '../../support/lanes.ts';

const root = mkdtempSync(join(tmpdir(), 'crowd-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('a bin keeps', () => {
  // Two bins connect nobody, so that no bias is corrected.
  const keptOf = async (depths: readonly number[]) => {
    const tracks = depths.map((depth, i) => lane(`account${i}`, { end: 2, depth }));
    const { bins } = await sail(mkdtempSync(join(root, 'state')), tracks);
    const [bin] = bins.values();
    return [bin?.platforms, Math.round(bin?.least ?? 0)];
  };

  it.each([
    ['a pass that two of four contradict', [20, 20, 14, 10], 4, 10],
    ['all passes if two contradict two', [20, 20, 10, 10], 4, 10],
    ['all passes if three contradict three', [20, 20, 20, 10, 10, 10], 6, 10],
    ['two shoaler passes that agree', [20, 20, 20, 10, 10], 5, 10],
    ['most passes if three are shoaler', [20, 20, 20, 20, 10, 10, 10], 7, 10],
    ['no shoaler pass alone', [20, 20, 20, 10], 3, 20],
    ['no deeper passes that most contradict', [10, 10, 10, 10, 20, 20], 4, 10],
  ])('%s', async (_name, depths, platforms, least) => {
    expect(await keptOf(depths)).toEqual([platforms, least]);
  });
});

it('a joined bin has the depths of its shoalest part', () => {
  const part: CrowdBin = {
    ...{ x: 0, y: 0, depth: 4, least: 4.5, median: 4.8, unc: 0.5, count: 4, platforms: 2 },
    ...{ from: '2026-05', to: '2026-06', reduced: true, charted: 5 },
  };
  const deeper = { ...part, x: 1, depth: 18, median: 18.5, unc: 0.9, charted: 20, diff: 1.2 };
  expect(coarserBins([deeper, part])).toEqual([{ ...part, count: 8, diff: 1.2 }]);
  const { charted: _charted, ...uncharted } = { ...part, y: 1, depth: 1, median: 2 };
  const [joined] = coarserBins([part, uncharted]);
  expect(joined).toEqual({ ...uncharted, y: 0, count: 8 });
});
