// Vector tiles of active reports. Below zoom 9 they contain clusters.

import { latitudeAt, longitudeAt, mercatorX, mercatorY } from '../geo/mercator.ts';
import type { TileId } from '../geo/tile.ts';
import { EXTENT, encodeTile, LayerBuilder, pointCommands } from '../mvt/encode.ts';
import type { Report } from './report.ts';

/** Below this zoom, a tile has clusters. */
export const CLUSTERS_BELOW_ZOOM = 9;
/** Cells of a tile per side: 32 pixels in a tile of 512. */
export const CLUSTER_GRID = 16;
export const REPORTS_TILE_LAYER = 'user_reports';

/** Several reports in one cell of the grid. */
export interface ReportCluster {
  /** Mean position as fractions of the tile from its north-west corner. */
  readonly u: number;
  readonly v: number;
  readonly count: number;
  readonly hazards: number;
}

export interface ReportTile {
  readonly reports: readonly Report[];
  readonly clusters: readonly ReportCluster[];
  /** False if the tile has more reports than the limit and contains only the newest. */
  readonly isComplete: boolean;
}

/** Decimals of a degree that are exact to a decimetre or better. */
const DECIMALS = 6;

/** Position of a cluster in degrees. */
export function positionIn(
  { z, x, y }: TileId,
  { u, v }: Pick<ReportCluster, 'u' | 'v'>,
): Pick<Report, 'longitude' | 'latitude'> {
  const size = 2 ** z;
  const rounded = (degrees: number) => Number(degrees.toFixed(DECIMALS));
  return {
    longitude: rounded(longitudeAt((x + u) / size)),
    latitude: rounded(latitudeAt((y + v) / size)),
  };
}

/** `Hazard – 8/14 15:20`: kind and time of creation in UTC. */
export function reportLabel({ kind, createdAt }: Pick<Report, 'kind' | 'createdAt'>): string {
  const time = new Date(createdAt);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${time.getUTCMonth() + 1}/${time.getUTCDate()}`;
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
  return `${kind[0]!.toUpperCase()}${kind.slice(1)} – ${day} ${clock}`;
}

/** @param isTheirs whether the viewer is the owner of a report */
export function encodeReportTile(
  { reports, clusters, isComplete }: ReportTile,
  tile: TileId,
  isTheirs: (report: Report) => boolean,
): Uint8Array {
  const layer = new LayerBuilder(REPORTS_TILE_LAYER);
  for (const report of reports) {
    const properties = {
      id: report.id,
      reportType: report.kind,
      upvoteCount: report.upvotes,
      downvoteCount: report.downvotes,
      is_owner: isTheirs(report),
      label: reportLabel(report),
      properties: report.properties,
    };
    layer.add(0, 1, properties, pointAt(fractionsIn(tile, report)));
  }
  for (const { u, v, count, hazards } of clusters) {
    const properties = { point_count: count, hazards, is_partial: !isComplete };
    layer.add(0, 1, properties, pointAt([u, v]));
  }
  return encodeTile([layer]);
}

type Fractions = readonly [u: number, v: number];

const pointAt = ([u, v]: Fractions) =>
  pointCommands([Math.round(u * EXTENT), Math.round(v * EXTENT)]);

/** 180° is at both ends of the row of tiles, whatever its sign. */
function fractionsIn(
  { z, x, y }: TileId,
  { longitude, latitude }: Pick<Report, 'longitude' | 'latitude'>,
): Fractions {
  const size = 2 ** z;
  const turn = mercatorX(longitude) - x / size;
  return [(turn - Math.round(turn - 0.5 / size)) * size, mercatorY(latitude) * size - y];
}
