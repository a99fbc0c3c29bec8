// How fragments of one tile become the tile, by tileset.

import { tileIdToZxy } from 'pmtiles';
import { mergeTiles } from '../../shared/mvt/merge.ts';
import { mergeBuckets } from '../../shared/query/merge-buckets.ts';
import { fitTile } from '../generalise/fit-tile.ts';
import { mergeRoute } from '../route/sheet-bundle.ts';
import { mergeRaw } from '../slice/merge-raw.ts';
import { mergeShoreline } from '../slice/slice-shoreline.ts';
import type { MergeFragments } from './merge-part.ts';
import { threadClipper } from './thread-clipper.ts';
import type { Tileset } from './tilesets.ts';

export async function mergeFunctionOf(tileset: Tileset): Promise<MergeFragments> {
  switch (tileset) {
    case 'enc-v2':
      // A vector tile of a single owner is finished as it was cut.
      return (fragments) => fitTile(fragments.length === 1 ? fragments[0]! : mergeTiles(fragments));
    case 'data-geojson-v1':
      return (fragments, tileId) => mergeRaw(fragments, { zoom: tileIdToZxy(tileId)[0] });
    case 'enc-query-v1':
      return (fragments) => ({ bytes: mergeBuckets(fragments) });
    case 'enc-route-v1':
      return (fragments) => ({ bytes: mergeRoute(fragments) });
    case 'data-shoreline-v1': {
      const clipper = await threadClipper();
      return (fragments) => ({ bytes: mergeShoreline(fragments, clipper) });
    }
  }
}
