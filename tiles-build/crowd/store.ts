// The state of `charts crowd` between its runs: a folder with the passes of each shard (a tile of zoom
// 11), its public bins, and lists of tracks and platforms. It contains personal data, so it must not
// be backed up. The next run can make it again from the database, but then releases all soundings at once.

import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type CrowdBin, FINEST_BIN_ZOOM } from '../../shared/crowd/bin.ts';
import { unfinishedPath } from '../archive/unfinished.ts';
import type { PlatformBias } from './bias.ts';
import { PassList } from './passes.ts';
import type { ReducedTrack } from './reduce-track.ts';

/** Shards are tiles of this zoom: about 12 km at 51° of latitude. */
export const SHARD_ZOOM = 11;
const LEVELS = FINEST_BIN_ZOOM - SHARD_ZOOM;

/** `x-y` of the shard of a finest bin. */
export const shardOf = (x: number, y: number): string => `${x >>> LEVELS}-${y >>> LEVELS}`;

/** Column and row of a shard at `SHARD_ZOOM`. */
export function placeOf(shard: string): readonly [x: number, y: number] {
  const [x, y] = shard.split('-').map(Number);
  return [x!, y!];
}

/** A track that the state contains. */
export interface KnownTrack extends ReducedTrack {
  /** Changes when the track has new soundings, or the heights of tide. */
  readonly version: string;
  readonly number: number;
  readonly platform: number;
  readonly shards: readonly string[];
}

export interface Lists {
  /** Format of the state; others are discarded. */
  readonly format: string;
  /** The charts and the rules that the bins were made with. */
  context: string;
  nextTrack: number;
  /** By id, with the account and the subject: `account/subject/id` as JSON. */
  tracks: Record<string, KnownTrack>;
  /** Keys by number. */
  platforms: string[];
  /** Biases that the bins were made with, by platform. */
  biases: Record<number, PlatformBias>;
  /** Shards whose contributions may be missing in the database, because a run did not store them. */
  unreported?: readonly string[];
}

/** What a shard published. */
export interface ShardResult {
  /** Public bins at the finest zoom. */
  readonly bins: readonly CrowdBin[];
  readonly tracks: Readonly<Record<number, TrackTally>>;
}

/** What a track is in a shard (`TrackContribution`), and its soundings that are not used there. */
export interface TrackTally {
  bins: number;
  publicBins: number;
  addedBins: number;
  shoals: number;
  contradicted: number;
  /** Soundings on charted land. */
  land: number;
}
export const newTally = (): TrackTally => ({
  ...{ bins: 0, publicBins: 0, addedBins: 0, shoals: 0, contradicted: 0, land: 0 },
});

/** Another format discards the state, and with it which soundings are released. */
const STATE_FORMAT = 'crowd 3';
const LISTS = 'lists.json';

export class CrowdStore {
  readonly #folder: string;
  readonly #shards: string;
  /** Exists during a run: the state before it. */
  readonly #before: string;

  /** Returns to the state before a run that did not end. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#shards = join(folder, 'shards');
    this.#before = join(folder, 'before');
    if (existsSync(this.#before)) {
      rmSync(this.#shards, { recursive: true, force: true });
      renameSync(this.#before, this.#shards);
    }
    mkdirSync(this.#shards, { recursive: true });
  }

  /** Keeps the files of the state under other names. Files are replaced, never changed. */
  begin(): void {
    const copy = this.#empty('copy');
    mkdirSync(copy);
    for (const name of readdirSync(this.#shards)) {
      const [from, to] = [join(this.#shards, name), join(copy, name)];
      try {
        linkSync(from, to);
      } catch {
        // Not every file system has hard links.
        copyFileSync(from, to);
      }
    }
    renameSync(copy, this.#before);
  }

  end(lists: Lists): void {
    this.#write(join(this.#shards, LISTS), Buffer.from(JSON.stringify(lists)));
    renameSync(this.#before, this.#empty('old'));
    this.#empty('old');
  }

  /** After the contributions were stored in the database. */
  reported({ unreported, ...lists }: Lists): void {
    this.#write(join(this.#shards, LISTS), Buffer.from(JSON.stringify(lists)));
  }

  /** Removes a folder. @returns its path */
  #empty(name: string): string {
    const path = join(this.#folder, name);
    rmSync(path, { recursive: true, force: true });
    return path;
  }

  /** The lists of the last run, or empty ones if there are none of this format. */
  readLists(): Lists {
    const path = join(this.#shards, LISTS);
    if (existsSync(path)) {
      const known = JSON.parse(readFileSync(path, 'utf8')) as Lists;
      if (known.format === STATE_FORMAT) return known;
    }
    mkdirSync(this.#empty('shards'));
    // The former format had its lists here, and they name persons.
    this.#empty(LISTS);
    const none = { tracks: {}, platforms: [], biases: {} };
    return { format: STATE_FORMAT, context: '', nextTrack: 1, ...none };
  }

  /** Shards with passes, in the order of their names. */
  shards(): string[] {
    return readdirSync(this.#shards)
      .filter((name) => name.endsWith('.passes'))
      .map((name) => name.slice(0, -'.passes'.length))
      .sort();
  }

  readPasses(shard: string): PassList {
    const path = join(this.#shards, `${shard}.passes`);
    return existsSync(path) ? PassList.fromBytes(readFileSync(path)) : new PassList();
  }

  /** Number of passes of a shard, without reading them. */
  countPasses(shard: string): number {
    return PassList.countIn(statSync(join(this.#shards, `${shard}.passes`)).size);
  }

  /** Removes the shard if there are no passes. */
  writePasses(shard: string, passes: PassList): void {
    if (passes.count > 0) {
      this.#write(join(this.#shards, `${shard}.passes`), passes.toBytes());
      return;
    }
    for (const ending of ['passes', 'result', 'pack'])
      rmSync(join(this.#shards, `${shard}.${ending}`), { force: true });
  }

  readResult(shard: string): ShardResult {
    const path = join(this.#shards, `${shard}.result`);
    if (!existsSync(path)) return { bins: [], tracks: {} };
    return JSON.parse(gunzipSync(readFileSync(path)).toString()) as ShardResult;
  }

  writeResult(shard: string, result: ShardResult): void {
    const bytes = gzipSync(JSON.stringify(result), { level: 1 });
    this.#write(join(this.#shards, `${shard}.result`), bytes);
  }

  /** Path of the shard's tiles. */
  packPath(shard: string): string {
    return join(this.#shards, `${shard}.pack`);
  }

  #write(path: string, bytes: Uint8Array): void {
    const unfinished = unfinishedPath(path);
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, path);
  }
}
