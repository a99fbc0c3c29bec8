// Tiles of active reports: what a tile contains, and its GeoJSON. `shared/reports/tile.ts` encodes
// vector tiles.

import * as z from 'zod';
import { type TileId, tileBounds } from '../geo/tile.ts';
import type { Report } from '../reports/report.ts';
import { positionIn, type ReportCluster, type ReportTile, reportLabel } from '../reports/tile.ts';
import { GEOJSON_TYPE, pointFeature } from './geojson.ts';
import { boxOf } from './query.ts';
import { count } from './units.ts';
import { isTheirs, reportSchema, type Viewer } from './user-report.ts';

export const boxOfTile = (tile: TileId) => boxOf(...tileBounds(tile));

const {
  id,
  reportType,
  upvoteCount,
  downvoteCount,
  isOwner: owns,
  properties,
} = reportSchema.shape;

const reportProperties = z
  .strictObject({
    id,
    reportType,
    upvoteCount,
    downvoteCount,
    isOwner: owns,
    label: z
      .string()
      .describe('Kind and time of creation (month/day hours:minutes, UTC): `Hazard – 8/14 15:20`'),
    properties,
  })
  .meta({ id: 'UserReportMark', description: 'A report in a tile' });

const clusterProperties = z
  .strictObject({
    point_count: count.min(2).describe('Number of reports in the cluster'),
    hazards: count.describe('Number of hazards among them'),
  })
  .meta({ id: 'UserReportCluster', description: 'Several reports in one place of a tile' });

export const reportTileSchema = z
  .strictObject({
    type: z.literal('FeatureCollection').describe(GEOJSON_TYPE),
    features: z
      .array(
        pointFeature(
          z
            .union([reportProperties, clusterProperties])
            .describe('A report, or below zoom 9 a cluster'),
        ),
      )
      .describe('Reports and clusters in the tile'),
    isComplete: z
      .boolean()
      .describe('Whether all reports of the tile are included; if false, only the newest are'),
  })
  .meta({ id: 'UserReportTile', description: 'Active reports of a tile as GeoJSON (RFC 7946)' });

/** A tile as GeoJSON text. */
export function presentReportTile(
  { reports, clusters, isComplete }: ReportTile,
  tile: TileId,
  viewer: Viewer,
): string {
  const features = [
    ...reports.map((report) =>
      feature(report.longitude, report.latitude, propertiesText(report, viewer)),
    ),
    ...clusters.map((cluster) => clusterFeature(cluster, tile)),
  ];
  return `{"type":"FeatureCollection","features":[${features.join(',')}],"isComplete":${isComplete}}`;
}

const propertiesText = (report: Report, viewer: Viewer) =>
  `{"id":"${report.id}","reportType":"${report.kind}","upvoteCount":${report.upvotes},` +
  `"downvoteCount":${report.downvotes},"isOwner":${isTheirs(report, viewer)},` +
  `"label":"${reportLabel(report)}","properties":${report.properties}}`;

function clusterFeature(cluster: ReportCluster, tile: TileId): string {
  const { longitude, latitude } = positionIn(tile, cluster);
  const { count, hazards } = cluster;
  return feature(longitude, latitude, `{"point_count":${count},"hazards":${hazards}}`);
}

const feature = (longitude: number, latitude: number, properties: string) =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},` +
  `"properties":${properties}}`;
