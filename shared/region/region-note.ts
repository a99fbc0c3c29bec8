// The metadata of a region: `region.json` in its zip.

import { boxesMeet, type GeoBounds } from '../chart/bounds.ts';
import type { Dataset, Manifest, ManifestCell } from '../chart/manifest.ts';
import { CROWD_NOTICE } from '../crowd/bin.ts';

/** Changes with the layout: parts of files with different formats are never combined. */
export const REGION_FORMAT = 'leadline-region-1';

export const REGION_NOTICE =
  'Not for navigation. Charts change every week: download the region again, or only its delta.';

export const UNCHARTED_NOTICE =
  'No chart lies in this region: it shows the small-scale background alone, which has no depths and no dangers.';

export interface RegionRequest {
  /** Degrees; west > east across 180°. */
  readonly bounds: GeoBounds;
  readonly maxZoom: number;
  /** Whether the file contains crowdsourced depths. */
  readonly crowd?: boolean;
}

/** A cell whose bounding box touches the region. */
export type RegionCell = Pick<
  ManifestCell,
  'name' | 'edition' | 'update' | 'issueDate' | 'usageBand' | 'scaleDenominator'
>;

/** Position of an archive in the file. */
export interface RegionArchive {
  readonly offset: number;
  readonly bytes: number;
  readonly tiles: number;
  /** Size and CRC-32 of header, metadata and directories, which have no other checksum. */
  readonly head: { readonly bytes: number; readonly crc32: number };
}

export interface RegionNote {
  readonly format: typeof REGION_FORMAT;
  /** Identifies the bytes of the file: build, tiles, layout and artwork. */
  readonly id: string;
  /** Build id of the charts. */
  readonly build: string;
  readonly bounds: GeoBounds;
  /** The requested zoom. */
  readonly maxZoom: number;
  /** Deepest zoom with stored tiles. */
  readonly storedZoom: number;
  /**
   * Deepest zoom that can be served; tiles that are not stored are derived from their ancestors.
   */
  readonly lastZoom: number;
  /** Whether a chart touches the box. If not, there is only the background. */
  readonly charted: boolean;
  readonly notices: readonly string[];
  /** Time of the build, epoch milliseconds. */
  readonly madeAt: number;
  readonly cells: readonly RegionCell[];
  /** Attributions that clients must show with the charts. */
  readonly attributions: readonly Dataset[];
  /** The PMTiles archive of tiles. */
  readonly chart: RegionArchive;
  /** The PMTiles archive of the feature query, or null if the region has no features. */
  readonly query: RegionArchive | null;
  /** The PMTiles archive of crowdsourced depths: null if no tile of the box contains depths, absent without `crowd`. */
  readonly crowd?: RegionCrowd | null | undefined;
}

export interface RegionCrowd extends RegionArchive {
  /** Build of the depths. */
  readonly build: string;
  /** Deepest zoom of the stored tiles. */
  readonly storedZoom: number;
}

/**
 * Describe the charts in a box.
 * @param hasFeatures whether charts have features there: the box of a cell also has ground that the cell
 *   does not cover
 */
export function describeCharts(
  { cells, datasets, buildId }: Manifest,
  { bounds, maxZoom }: RegionRequest,
  hasFeatures: boolean,
  crowd?: Manifest,
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
  const charted = hasFeatures && within.length > 0;
  return {
    build: buildId,
    bounds: [...bounds],
    maxZoom,
    charted,
    notices: [
      ...(charted ? [] : [UNCHARTED_NOTICE]),
      REGION_NOTICE,
      ...(crowd === undefined ? [] : [CROWD_NOTICE]),
    ],
    madeAt: datasets.reduce((last, one) => Math.max(last, one.dataProcessedAt), 0),
    cells: within,
    attributions: [...datasets, ...(crowd?.datasets ?? [])],
  };
}
