// How the fragments of a tile are joined, by tileset.

import { tileIdToZxy } from 'pmtiles';
import { mergeTiles } from '../../shared/mvt/merge.ts';
import { mergeBuckets } from '../../shared/query/merge-buckets.ts';
import { openPack, readPack } from '../archive/pack.ts';
import { coarserTile, fitTile } from '../generalise/fit-tile.ts';
import { withoutRepeatedNames } from '../generalise/repeated-texts.ts';
import { RouteJoin } from '../route/route-join.ts';
import { NamesJoin } from '../slice/merge-names.ts';
import { RawJoin } from '../slice/merge-raw.ts';
import { joinShoreline, mergeShoreline } from '../slice/slice-shoreline.ts';
import { boundedJoin } from './bounded-join.ts';
import type { BeginTile } from './merge-part.ts';
import { threadClipper } from './thread-clipper.ts';
import type { Tileset } from './tilesets.ts';

/** Bytes of fragments of one tile that are kept encoded; decoded they take ten times as much. */
const HELD_BYTES = 16 << 20;

const joined = (fragments: readonly Uint8Array[]): Uint8Array =>
  // A vector tile with a single owner is already finished.
  fragments.length === 1 ? fragments[0]! : withoutRepeatedNames(mergeTiles(fragments));

interface JoinOptions {
  /** Fragments of one tile kept without condensing, in bytes. */
  readonly mostBytes?: number;
  /** Pack of an earlier build with tiles of the same range. */
  readonly former?: string | undefined;
}

/** How to join the tiles of a tileset. */
export async function joinsOf(
  tileset: Tileset,
  { mostBytes = HELD_BYTES, former }: JoinOptions = {},
): Promise<BeginTile> {
  switch (tileset) {
    case 'enc-v2':
      return () =>
        boundedJoin({
          mostBytes,
          condense: (fragments, round) => coarserTile(joined(fragments), round),
          merge: (fragments) => fitTile(joined(fragments)),
        });
    case 'data-geojson-v1':
      return (tileId) => {
        const join = new RawJoin({ zoom: tileIdToZxy(tileId)[0] });
        return {
          add: (fragment) => join.add(fragment),
          finish: () => [join.finish()],
        };
      };
    case 'enc-query-v1':
      // Needs no limit: buckets of a band are no larger than a read, and ground has one owner.
      return () => {
        const fragments: Uint8Array[] = [];
        return {
          add: (fragment) => fragments.push(fragment),
          finish: () => [{ bytes: mergeBuckets(fragments) }],
        };
      };
    case 'enc-route-v1':
      return (tileId, scratch) => {
        const join = new RouteJoin(scratch, {
          former: former === undefined ? undefined : bundlesIn(former, tileId),
        });
        return {
          add: (fragment) => join.add(fragment),
          *finish() {
            for (const bytes of join.finish()) yield { bytes, isInterim: true };
          },
          abandon: () => join.abandon(),
        };
      };
    case 'enc-names-v1':
      return () => {
        const join = new NamesJoin();
        return {
          add: (fragment) => join.add(fragment),
          *finish() {
            let page = 0;
            for (const bytes of join.finish()) yield { bytes, page: page++ };
          },
        };
      };
    case 'data-shoreline-v1': {
      const clipper = await threadClipper();
      return () =>
        boundedJoin({
          mostBytes,
          condense: (fragments) => ({ bytes: joinShoreline(fragments, clipper) }),
          merge: (fragments) => ({ bytes: mergeShoreline(fragments, clipper) }),
        });
    }
  }
}

function* bundlesIn(pack: string, tileId: number): Generator<Uint8Array, void, undefined> {
  for (const { bytes } of readPack(openPack(pack), tileId, tileId + 1)) yield bytes;
}
