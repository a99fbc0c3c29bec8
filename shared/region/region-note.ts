// What a region says of itself: `region.json` in its zip.

import type { GeoBounds } from '../chart/bounds.ts';
import type { Dataset, Manifest, ManifestCell } from '../chart/manifest.ts';

/** Changes with every change of the layout: parts of files of different formats are never mixed. */
export const REGION_FORMAT = 'leadline-region-1';

export const REGION_NOTICE =
  'Not for navigation. Charts change every week: take the region anew, or what changed in it.';

export const UNCHARTED_NOTICE =
  'No chart lies in this region: it shows the small-scale background alone, which has no depths and no dangers.';

export interface RegionRequest {
  /** Degrees; west is greater than east across 180°. */
  readonly bounds: GeoBounds;
  readonly maxZoom: number;
}

/** Of a cell that lies in the region, or near it: its box touches the region's. */
export type RegionCell = Pick<
  ManifestCell,
  'name' | 'edition' | 'update' | 'issueDate' | 'usageBand' | 'scaleDenominator'
>;

/** Where one of its archives lies. */
export interface RegionArchive {
  readonly offset: number;
  readonly bytes: number;
  readonly tiles: number;
  /** Of what lies before its tiles: header, metadata and directories, which have no sum of their own. */
  readonly head: { readonly bytes: number; readonly crc32: number };
}

export interface RegionNote {
  readonly format: typeof REGION_FORMAT;
  /** Names the bytes of the file: build, layout of the tiles, all the rest. */
  readonly id: string;
  /** Build of the charts. */
  readonly build: string;
  readonly bounds: GeoBounds;
  /** As asked for. */
  readonly maxZoom: number;
  /** Deepest zoom that a tile of the region is stored at. */
  readonly storedZoom: number;
  /** Deepest zoom that it answers for: tiles that are not stored are cut from their ancestors. */
  readonly lastZoom: number;
  /** Whether any chart touches the box; else there is the small-scale background alone. */
  readonly charted: boolean;
  readonly notices: readonly string[];
  /** When the build was made, epoch milliseconds. */
  readonly madeAt: number;
  readonly cells: readonly RegionCell[];
  /** To be shown by whoever shows the charts. */
  readonly attributions: readonly Dataset[];
  /** Bytes from the start of the file: the PMTiles archive of tiles. */
  readonly chart: RegionArchive;
  /** The PMTiles archive of features to ask about; null where there are none. */
  readonly query: RegionArchive | null;
}

/** What is said of the charts in a box. */
export function describeCharts(
  { cells, datasets, buildId }: Manifest,
  { bounds, maxZoom }: RegionRequest,
): Pick<
  RegionNote,
  'build' | 'bounds' | 'maxZoom' | 'charted' | 'notices' | 'madeAt' | 'cells' | 'attributions'
> {
  const within = cells
    .filter((cell) => cell.status.startsWith('used') && boxesMeet(cell.bounds, bounds))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, edition, update, issueDate, usageBand, scaleDenominator }) => {
      return { name, edition, update, issueDate, usageBand, scaleDenominator };
    });
  const charted = within.length > 0;
  return {
    build: buildId,
    bounds: [...bounds],
    maxZoom,
    charted,
    notices: charted ? [REGION_NOTICE] : [UNCHARTED_NOTICE, REGION_NOTICE],
    madeAt: datasets.reduce((last, one) => Math.max(last, one.dataProcessedAt), 0),
    cells: within,
    attributions: datasets,
  };
}

/** Whether two boxes share more than an edge. */
export const boxesMeet = (a: GeoBounds, b: GeoBounds): boolean =>
  parted(a).some((one) =>
    parted(b).some(
      (other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3],
    ),
  );

const parted = ([west, south, east, north]: GeoBounds): readonly GeoBounds[] =>
  west > east
    ? [
        [west, south, 180, north],
        [-180, south, east, north],
      ]
    : [[west, south, east, north]];
