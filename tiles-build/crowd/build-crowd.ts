// Brings the crowdsourced depths up to date with the tracks of the database: reduces new tracks,
// removes withdrawn ones, estimates the biases, and makes the bins of the shards that changed.

import type { Soundings } from '../../shared/bathymetry/soundings.ts';
import { MIN_CONTRIBUTORS } from '../../shared/crowd/bin.ts';
import type { TrackContribution } from '../../shared/crowd/contribution.ts';
import type { TidePredictor } from '../../shared/crowd/water-level.ts';
import { UNKNOWN_BIAS } from './bias.ts';
import type { ChartDepths } from './chart-depths.ts';
import { contributionsOf } from './contributions.ts';
import type { Contributors } from './contributors.ts';
import { networkOf } from './network.ts';
import { PassList } from './passes.ts';
import { Platforms, type Sender } from './platforms.ts';
import { reduceTrack } from './reduce-track.ts';
import { makeShard, releaseShard } from './shard.ts';
import { type CrowdStore, type KnownTrack, type Lists, shardOf } from './store.ts';

/** A shared track as the database lists it. */
export interface SharedTrack extends Sender {
  readonly id: string;
  /** Changes when the track has new soundings. */
  readonly version: string;
  /** Metres to add to the depths to get the depth below the waterline; 0 if unknown. */
  readonly transducer: number | undefined;
}

/** Where tracks come from, and where contributions go. */
export interface TrackSource {
  /** All tracks that may be used. */
  list(): Promise<readonly SharedTrack[]>;
  /** Soundings by the order of time; undefined if the track was deleted meanwhile. */
  read(track: SharedTrack): Promise<Soundings | undefined>;
}

export interface CrowdOptions {
  readonly store: CrowdStore;
  readonly source: TrackSource;
  readonly tides: TidePredictor;
  readonly chart?: ChartDepths | undefined;
  /** Accounts whose external users count as different persons. Their tracks without a user are not used. */
  readonly trusted?: ReadonlySet<string>;
  /** Contributors that a public bin needs; at least, and by default, `MIN_CONTRIBUTORS`. */
  readonly leastContributors?: number;
  /** If it changes, all tracks are reduced again. */
  readonly tideVersion?: string;
  readonly now: number;
  readonly progress?: (step: string, done: number, all: number) => void;
}

export interface CrowdUpdate {
  readonly added: number;
  readonly removed: number;
  readonly changedShards: readonly string[];
  readonly shards: number;
  readonly bins: number;
  readonly lists: Lists;
  /**
   * What to tell the contributor of each track whose contribution changed, by key. Call
   * `CrowdStore.reported` after they are stored; until then, each run returns them.
   */
  readonly contributions: ReadonlyMap<string, TrackContribution>;
}

/** Biases change the bins only if they move by more than this, metres. */
const BIAS_STEP = 0.02;
/** Passes in memory before they are added to their shards. */
const MAX_PASSES = 1_000_000;

export const trackKey = ({ account, subject, id }: SharedTrack): string =>
  JSON.stringify([account, subject, id]);

export async function updateCrowd(options: CrowdOptions): Promise<CrowdUpdate> {
  const { store, source, chart, progress = () => undefined } = options;
  const { leastContributors = MIN_CONTRIBUTORS } = options;
  const trusted = options.trusted ?? new Set<string>();
  const lists = store.readLists();
  // A boat could be two contributors: one of them with the name of its user, and one without.
  const isKnown = ({ account, externalUser }: SharedTrack) =>
    externalUser !== '' || !trusted.has(account);
  const listed = (await source.list()).filter(isKnown);
  const wanted = new Map(listed.map((track) => [trackKey(track), track]));
  const gone = Object.entries(lists.tracks).filter(([key]) => !wanted.has(key));
  const fresh = [...wanted].filter(
    ([key, track]) => lists.tracks[key]?.version !== versionOf(track, options),
  );
  store.begin();
  const changed = removeTracks(store, lists, gone);
  const context = JSON.stringify([chart?.buildId, leastContributors, ...[...trusted].sort()]);
  if (lists.context !== context) for (const shard of store.shards()) changed.add(shard);
  lists.context = context;
  const platforms = new Platforms(lists.platforms);
  const adder = new ShardAdder(store, changed);
  for (const [done, [key, track]] of fresh.entries()) {
    progress('tracks', done, fresh.length);
    const known = await addTrack(track, lists, platforms, options, adder);
    if (known !== undefined) lists.tracks[key] = known;
  }
  adder.flush();
  platforms.keepOnly(new Set(Object.values(lists.tracks).map(({ platform }) => platform)));
  lists.platforms = platforms.keys;
  const contributors = platforms.contributors(trusted);
  // Before the biases: soundings of one contributor alone must not change anything that is public.
  const rules = { contributors, leastContributors };
  for (const shard of changed) releaseShard(store, shard, rules);
  await updateBiases(options, lists, contributors, changed);
  const shards = store.shards();
  const made = [...changed].filter((shard) => shards.includes(shard)).sort();
  const bias = (platform: number) => lists.biases[platform] ?? UNKNOWN_BIAS;
  for (const [done, shard] of made.entries()) {
    progress('shards', done, made.length);
    await makeShard(store, shard, chart, { bias, ...rules });
  }
  const unreported = new Set([...(lists.unreported ?? []), ...changed]);
  lists.unreported = [...unreported];
  store.end(lists);
  return {
    added: fresh.length,
    removed: gone.length,
    changedShards: [...changed].sort(),
    shards: shards.length,
    bins: shards.reduce((sum, shard) => sum + store.readResult(shard).bins.length, 0),
    lists,
    contributions: contributionsOf(store, lists, unreported, options.now),
  };
}

/** @returns shards whose passes changed */
function removeTracks(
  store: CrowdStore,
  lists: Lists,
  gone: readonly (readonly [string, KnownTrack])[],
): Set<string> {
  const numbers = new Set(gone.map(([, { number }]) => number));
  const shards = new Set(gone.flatMap(([, track]) => track.shards));
  for (const [key] of gone) delete lists.tracks[key];
  for (const shard of shards) {
    const passes = store.readPasses(shard);
    const kept = new PassList(Math.max(1, passes.count));
    kept.addFrom(passes, (i) => !numbers.has(passes.columns.track[i]!));
    store.writePasses(shard, kept);
  }
  return shards;
}

/** Its last word changes if tracks must be reduced again for a reason in the code. */
const versionOf = ({ version }: SharedTrack, { tideVersion }: CrowdOptions): string =>
  `${version} ${tideVersion ?? ''} rocks`;

async function addTrack(
  track: SharedTrack,
  lists: Lists,
  platforms: Platforms,
  options: CrowdOptions,
  adder: ShardAdder,
): Promise<KnownTrack | undefined> {
  const soundings = await options.source.read(track);
  if (soundings === undefined) return undefined;
  const known = lists.tracks[trackKey(track)];
  const number = known?.number ?? lists.nextTrack++;
  const platform = platforms.numberOf(track);
  const passes = new PassList();
  const { transducer } = track;
  const reduced = reduceTrack(
    { soundings, transducer, track: number, platform },
    options.tides,
    passes,
  );
  const shards = adder.add(passes, number, known?.shards);
  return { ...reduced, version: versionOf(track, options), number, platform, shards };
}

/** Collects passes by shard and adds them to the files of the shards. */
class ShardAdder {
  readonly #store: CrowdStore;
  readonly #changed: Set<string>;
  readonly #lists = new Map<string, PassList>();
  readonly #tracks = new Set<number>();
  #count = 0;

  constructor(store: CrowdStore, changed: Set<string>) {
    this.#store = store;
    this.#changed = changed;
  }

  /**
   * @param before shards of the track's former passes, which these replace
   * @returns shards of the passes
   */
  add(passes: PassList, track: number, before: readonly string[] = []): string[] {
    const { x, y } = passes.columns;
    const names = new Set<string>();
    for (let i = 0; i < passes.count; i++) names.add(shardOf(x[i]!, y[i]!));
    this.#tracks.add(track);
    for (const name of new Set([...names, ...before])) {
      const list = this.#lists.get(name) ?? new PassList();
      this.#lists.set(name, list);
      list.addFrom(passes, (i) => shardOf(x[i]!, y[i]!) === name);
      this.#changed.add(name);
    }
    this.#count += passes.count;
    if (this.#count > MAX_PASSES) this.flush();
    return [...names];
  }

  flush(): void {
    for (const [shard, list] of this.#lists) {
      const passes = this.#store.readPasses(shard).renew(this.#tracks, list);
      this.#store.writePasses(shard, passes);
    }
    this.#lists.clear();
    this.#tracks.clear();
    this.#count = 0;
  }
}

/** Estimates the biases again; adds the shards of platforms whose bias moved to `changed`. */
async function updateBiases(
  { store, chart, progress = () => undefined }: CrowdOptions,
  lists: Lists,
  contributors: Contributors,
  changed: Set<string>,
): Promise<void> {
  if (changed.size === 0) return;
  const shards = store.shards();
  const solved = (
    await networkOf(store, contributors, chart, (done) =>
      progress('crossings', done, shards.length),
    )
  ).solve();
  const moved = new Set<number>();
  for (let platform = 0; platform < contributors.accounts.length; platform++) {
    const now = solved.get(platform) ?? UNKNOWN_BIAS;
    const before = lists.biases[platform] ?? UNKNOWN_BIAS;
    const isMoved =
      Math.abs(now.meters - before.meters) > BIAS_STEP ||
      Math.abs(now.sigma - before.sigma) > BIAS_STEP ||
      Math.abs(now.common - before.common) > BIAS_STEP;
    if (isMoved) moved.add(platform);
    if (isMoved || lists.biases[platform] === undefined) lists.biases[platform] = now;
  }
  for (const { platform, shards: own } of Object.values(lists.tracks))
    if (moved.has(platform)) for (const shard of own) changed.add(shard);
}
