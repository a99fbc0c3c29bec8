import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { soundingColumns } from '../../../shared/bathymetry/soundings.ts';
import type { CrowdOptions } from '../../../tiles-build/crowd/build-crowd.ts';
import { flatChart, type LaneTrack, lane, sail } from '../../support/lanes.ts';

const root = mkdtempSync(join(tmpdir(), 'crowd-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

const together = [lane('anna'), lane('bert')];
const tracks = [...together, lane('cleo', { depth: 8 })];

/** A state with public bins of two contributors, in which a third one waits. */
async function waiting(sent: readonly LaneTrack[] = tracks) {
  const folder = join(root, `state${count++}`);
  await sail(folder, sent.slice(0, 2));
  const { bins } = await sail(folder, sent);
  expect([...bins.values()].map(({ platforms }) => platforms)).toEqual(Array(20).fill(2));
  return { folder, bins };
}

describe('soundings of a lone contributor still wait', () => {
  it.each<[string, Partial<CrowdOptions>]>([
    ['other charts', { chart: flatChart('other') }],
    ['no charts', { chart: undefined }],
    ['other heights of tide', { tideVersion: '2' }],
    ['another trusted account', { trusted: new Set(['app']) }],
  ])('after a run with %s', async (_name, options) => {
    const { folder, bins } = await waiting();
    const after = await sail(folder, tracks, options);
    expect(after.update.changedShards).toHaveLength(1);
    const withoutCharts = ({ charted, ...bin }: { charted?: number }) => bin;
    expect([...after.bins.values()].map(withoutCharts)).toEqual(
      [...bins.values()].map(withoutCharts),
    );
  });

  it('after a run that failed when it read tracks', async () => {
    const { folder, bins } = await waiting();
    const more = [...tracks, lane('dirk'), lane('emil')];
    const failing = {
      list: async () => more,
      read: async () => Promise.reject(new Error('no connection')),
    };
    await expect(sail(folder, more, { source: failing })).rejects.toThrow('no connection');
    const after = await sail(folder, tracks);
    expect(after.update).toMatchObject({ added: 0, changedShards: [] });
    expect(after.bins).toEqual(bins);
  });

  it('after a run that failed when it had released soundings', async () => {
    const { folder, bins } = await waiting();
    const failing = () => {
      throw new Error('no disk');
    };
    const chart = { ...flatChart(), at: failing };
    await expect(sail(folder, [...tracks, lane('dirk')], { chart })).rejects.toThrow('no disk');
    expect((await sail(folder, tracks)).bins).toEqual(bins);
  });
});

it('contributions are returned again until they are reported', async () => {
  const folder = join(root, `state${count++}`);
  const { update } = await sail(folder, tracks);
  expect(update.contributions.size).toBe(3);
  const again = await sail(folder, tracks);
  expect(again.update.changedShards).toEqual([]);
  expect(again.update.contributions).toEqual(update.contributions);
  again.store.reported(again.update.lists);
  expect((await sail(folder, tracks)).update.contributions.size).toBe(0);
});

it.each([
  ['nearer to a pole than all bins', 'range', 85.06, 0],
  ['measured from an unknown reference', 'reference', 50, undefined],
] as const)('soundings %s are rejected', async (_name, reason, latitude, transducer) => {
  const soundings = soundingColumns(8);
  soundings.latitudes.fill(latitude);
  soundings.depths.fill(9);
  for (const i of soundings.times.keys()) soundings.times[i] = Date.UTC(2026, 5, 1) + i * 2000;
  const shared = together.map((track) => ({ ...track, transducer }));
  const source = { list: async () => shared, read: async () => soundings };
  const { update } = await sail(join(root, `state${count++}`), together, { source });
  for (const { points, used, rejected } of update.contributions.values())
    expect([points, used, rejected]).toEqual([8, 0, { [reason]: 8 }]);
});

describe('other charts', () => {
  it('do not read tracks again, and exclude soundings on their land', async () => {
    const { folder } = await waiting();
    const chart = flatChart('land', (column) => column < 5);
    const source = { list: async () => tracks, read: async () => undefined };
    const { update, bins } = await sail(folder, tracks, { chart, source });
    expect(update.added).toBe(0);
    expect(bins.size).toBe(15);
    for (const { points, used, rejected } of update.contributions.values())
      expect([points, used, rejected.land]).toEqual([80, 60, 20]);
    expect((await sail(folder, tracks)).bins.size).toBe(20);
  });
});

describe('a track with more soundings', () => {
  const longer: LaneTrack = { ...together[0]!, version: '2', rows: [0, 1] };

  it('keeps its public bins, and its new soundings wait', async () => {
    const others = [together[1]!, lane('cleo', { depth: 8, end: 19 })];
    // Half of the soundings of the last bin.
    const { folder, bins } = await waiting([{ ...together[0]!, end: 19.5 }, ...others]);
    expect(bins.get('19/0')).toMatchObject({ count: 6, platforms: 2 });
    const longerTracks = [longer, ...others];
    const after = await sail(folder, longerTracks);
    expect(after.update.contributions.size).toBe(3);
    expect(after.bins).toEqual(bins);
    // The same soundings again, with other heights of tide, and on land.
    const land = { chart: flatChart('land', (column) => column === 19), tideVersion: '2' };
    const { update } = await sail(folder, longerTracks, land);
    const summaries = [...update.contributions.values()];
    expect(summaries.map(({ rejected }) => rejected.land)).toEqual([8, 4, undefined]);
    expect((await sail(folder, longerTracks)).bins).toEqual(bins);
    const joined = await sail(folder, [...longerTracks, lane('dirk', { rows: [0, 1] })]);
    expect(joined.bins.size).toBe(40);
    // The former pass is replaced: four soundings of each.
    expect(joined.bins.get('19/0')).toMatchObject({ count: 12, platforms: 3 });
  });

  it('contains each sounding once', async () => {
    const folder = join(root, `state${count++}`);
    await sail(folder, together);
    const longest = [longer, { ...longer, id: together[1]!.id, account: 'bert', subject: 'bert' }];
    const { bins } = await sail(folder, longest);
    expect([...bins.values()].map(({ count: soundings }) => soundings)).toEqual(Array(40).fill(8));
  });
});
