import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CROWD_TILESET } from '../../../shared/crowd/bin.ts';
import { decodeCrowdTile } from '../../../shared/crowd/bin-layer.ts';
import { openArchive } from '../../../tiles-build/archive/file-source.ts';
import { type SharedTrack, updateCrowd } from '../../../tiles-build/crowd/build-crowd.ts';
import { RELEASED } from '../../../tiles-build/crowd/passes.ts';
import { CrowdStore } from '../../../tiles-build/crowd/store.ts';
import { writeCrowd } from '../../../tiles-build/crowd/write-crowd.ts';
import { buildFiles } from '../../support/build-files.ts';
import { binAt, type Fleet, simulateFleet } from '../../support/fleet.ts';
import { publicBins } from '../../support/fleet-results.ts';
import { lane, sail } from '../../support/lanes.ts';
import { wholeArchive } from '../../support/whole-archive.ts';

const root = mkdtempSync(join(tmpdir(), 'crowd-'));
afterAll(() => rmSync(root, { recursive: true }));
const fleet = simulateFleet({ seed: 21, boats: 12, trips: 3, soundingsPerTrip: 500 });
let count = 0;

const stateFolder = () => join(root, `state${count++}`);

async function build(folder: string, tracks: readonly SharedTrack[], from: Fleet = fleet) {
  const store = new CrowdStore(folder);
  const { tides, chart } = from;
  const source = { ...from.source, list: async () => tracks };
  const update = await updateCrowd({ store, source, tides, chart, now: 0 });
  const manifest = await writeCrowd(store, join(folder, 'archive'), { attributions: [], now: 0 });
  store.reported(update.lists);
  return { store, update, manifest, charts: join(folder, 'archive') };
}

const binsSailedBy = async (tracks: readonly SharedTrack[]) => {
  const bins = new Map<string, Set<string>>();
  for (const track of tracks) {
    const { count: points, longitudes, latitudes } = (await fleet.source.read(track))!;
    for (let i = 0; i < points; i++) {
      const name = binAt(longitudes[i]!, latitudes[i]!).join('/');
      bins.set(name, (bins.get(name) ?? new Set()).add(track.account));
    }
  }
  return bins;
};

/** Every bin of every tile of an archive, as a stranger reads it. */
async function allBins(charts: string) {
  const { archive, close } = await openArchive(wholeArchive(charts, CROWD_TILESET));
  const { minZoom, maxZoom } = await archive.getHeader();
  const bins: { zoom: number; x: number; y: number; platforms: number; depth: number }[] = [];
  for (const [z, x, y] of tilesAround(minZoom, maxZoom)) {
    const tile = await archive.getZxy(z, x, y);
    if (tile !== undefined) bins.push(...decodeCrowdTile({ z, x, y }, new Uint8Array(tile.data)));
  }
  await close();
  return bins;
}

/** Tiles of all zooms within 10 km of the isles. */
function* tilesAround(from: number, to: number) {
  const [west, north] = binAt(-20.12, -29.88);
  const [east, south] = binAt(-19.88, -30.12);
  for (let z = from; z <= to; z++) {
    const shift = 20 - z;
    for (let x = west >> shift; x <= east >> shift; x++)
      for (let y = north >> shift; y <= south >> shift; y++) yield [z, x, y] as const;
  }
}

describe('the public archive', async () => {
  const { tracks } = fleet;
  const { charts, store } = await build(stateFolder(), tracks);
  const sailed = await binsSailedBy(tracks);
  const bins = await allBins(charts);

  it('contains no bin that one contributor sounded, at any zoom', () => {
    expect(bins.length).toBeGreaterThan(500);
    const together = new Set<string>();
    for (const [name, accounts] of sailed) {
      if (accounts.size < 2) continue;
      const [x, y] = name.split('/').map(Number);
      for (let zoom = 11; zoom <= 20; zoom++)
        together.add(`${zoom}/${x! >> (20 - zoom)}/${y! >> (20 - zoom)}`);
    }
    for (const { zoom, x, y } of bins) expect(together).toContain(`${zoom}/${x}/${y}`);
  });

  it('has fewer bins than were sailed, so that lone tracks are not visible', () => {
    const alone = [...sailed.values()].filter((accounts) => accounts.size === 1).length;
    expect(alone).toBeGreaterThan(500);
    expect(publicBins(store).length).toBeLessThanOrEqual(sailed.size - alone);
  });
});

describe('the difference of two archives', async () => {
  const isOf = (account: string) => (track: SharedTrack) => track.account === account;
  const others = fleet.tracks.filter((track) => !isOf('boat3')(track) && !isOf('boat7')(track));
  const folder = stateFolder();
  const first = await build(folder, others);
  const known = new Map(publicBins(first.store).map((bin) => [`${bin.x}/${bin.y}`, bin]));

  it('contains no soundings of a contributor who was alone in adding to a bin', async () => {
    const waiting = new Set<string>();
    for (const shard of first.store.shards()) {
      const { columns, count: passes } = first.store.readPasses(shard);
      for (let i = 0; i < passes; i++)
        if ((columns.flags[i]! & RELEASED) === 0) waiting.add(`${columns.x[i]}/${columns.y[i]}`);
    }
    const second = await build(folder, [...others, ...fleet.tracks.filter(isOf('boat3'))]);
    expect(second.update.added).toBe(3);
    const now = new Map(publicBins(second.store).map((bin) => [`${bin.x}/${bin.y}`, bin]));
    let crossed = 0;
    for (const name of (await binsSailedBy(fleet.tracks.filter(isOf('boat3')))).keys()) {
      if (waiting.has(name)) continue;
      crossed++;
      expect(now.get(name)?.count).toBe(known.get(name)?.count);
      expect(now.get(name)?.to).toBe(known.get(name)?.to);
    }
    expect(crossed).toBeGreaterThan(100);
  });

  it('is empty if one contributor alone sailed where no soundings wait', async () => {
    const own = fleet.tracks.filter(isOf('boat3'));
    const before = publicBins(new CrowdStore(folder));
    // The soundings of others that waited there were released by the first tracks of this boat.
    const again = own.map((track) => ({ ...track, id: `${track.id}-again`, version: '2' }));
    const source = {
      list: async () => [...others, ...own, ...again],
      read: (track: SharedTrack) =>
        fleet.source.read({ ...track, id: track.id.replace('-again', '') }),
    };
    const next = await build(folder, await source.list(), { ...fleet, source });
    expect(next.update.added).toBe(3);
    expect(publicBins(next.store)).toEqual(before);
  });

  it('has new bins only where two contributors sailed', async () => {
    const third = await build(folder, fleet.tracks);
    const sailed = await binsSailedBy(fleet.tracks);
    const added = publicBins(third.store).filter(({ x, y }) => !known.has(`${x}/${y}`));
    expect(added.length).toBeGreaterThan(50);
    for (const { x, y } of added) expect(sailed.get(`${x}/${y}`)!.size).toBeGreaterThan(1);
  });

  it('removes the soundings of a contributor who withdraws', async () => {
    const numbers = new CrowdStore(folder)
      .readLists()
      .platforms.flatMap((key, i) => (/boat[37]/.test(key) ? i : []));
    expect(numbers).toHaveLength(2);
    const fourth = await build(folder, others);
    expect(fourth.update.removed).toBe(6);
    const sailed = await binsSailedBy(others);
    for (const { x, y, platforms } of publicBins(fourth.store)) {
      expect(platforms).toBeLessThanOrEqual(sailed.get(`${x}/${y}`)?.size ?? 0);
    }
    const state = new CrowdStore(folder);
    const left = state.shards().flatMap((shard) => {
      const { columns, count: passes } = state.readPasses(shard);
      return [...columns.platform.subarray(0, passes)];
    });
    expect(left.filter((platform) => numbers.includes(platform))).toEqual([]);
    // Neither the sender nor the vessel remain, and the numbers of the others do not change.
    expect(JSON.stringify(state.readLists())).not.toMatch(/boat[37]\b/);
    const again = await build(folder, fleet.tracks);
    expect(again.update.lists.platforms.flatMap((key, i) => (key === '' ? i : []))).toEqual(
      numbers,
    );
  });
});

describe('an account that sends forged soundings of a whole area', () => {
  const rows = Array.from({ length: 8 }, (_, i) => i);
  const forged = lane('hostile', { rows });
  const victim = lane('victim', { rows: [3], from: 4, end: 12 });
  const isOfVictim = /^([4-9]|1[01])\/3$/;

  it('sees where one other boat sailed, because two contributors are enough', async () => {
    const folder = stateFolder();
    await sail(folder, [forged]);
    const seen = [...(await sail(folder, [forged, victim])).bins.keys()];
    expect(seen).toHaveLength(8);
    for (const bin of seen) expect(bin).toMatch(isOfVictim);
  });

  it('sees nothing if three contributors are required', async () => {
    const folder = stateFolder();
    const leastContributors = 3;
    await sail(folder, [forged], { leastContributors });
    expect((await sail(folder, [forged, victim], { leastContributors })).bins.size).toBe(0);
    const third = [forged, victim, lane('third')];
    expect((await sail(folder, third, { leastContributors })).bins.size).toBe(0);
    const row = [...third, lane('fourth', { rows: [3] })];
    expect((await sail(folder, row, { leastContributors })).bins.size).toBe(8);
    // The same state with the default: what waited is released.
    const all = (await sail(folder, row)).bins;
    expect(all.size).toBe(20 + 20);
  });
});

describe('an update', () => {
  it('gives the same bins in one run as in several', async () => {
    const { tracks } = fleet;
    const folder = stateFolder();
    await build(folder, tracks.slice(0, 18));
    const twice = publicBins((await build(folder, tracks)).store);
    const once = publicBins((await build(stateFolder(), tracks)).store);
    // The order of uploads decides which soundings of a bin are public, so compare what both have.
    const known = new Map(once.map((bin) => [`${bin.x}/${bin.y}`, bin]));
    const same = twice.flatMap((bin) => {
      const other = known.get(`${bin.x}/${bin.y}`);
      return other !== undefined && other.count === bin.count ? [[bin, other] as const] : [];
    });
    expect(same.length).toBeGreaterThan(0.5 * once.length);
    for (const [bin, other] of same) {
      // Slopes are estimated with the soundings around a bin, which differ.
      expect(Math.abs(bin.median - other.median)).toBeLessThan(Math.max(0.1, bin.unc / 2));
    }
  });

  it('does nothing if nothing changed', async () => {
    const folder = stateFolder();
    await build(folder, fleet.tracks.slice(0, 9));
    const again = await build(folder, fleet.tracks.slice(0, 9));
    expect(again.update.changedShards).toEqual([]);
    expect(again.update.contributions.size).toBe(0);
  });

  it('continues with the former state after a run that was killed', async () => {
    const folder = stateFolder();
    const tracks = fleet.tracks.slice(0, 9);
    const { charts } = await build(folder, tracks);
    const whole = buildFiles(charts);
    new CrowdStore(folder).begin();
    const again = await build(folder, tracks);
    expect(again.update.added).toBe(0);
    expect(buildFiles(again.charts)).toEqual(whole);
  });
});
