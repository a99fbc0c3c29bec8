// Types of requests and responses, inferred from the schemas of the service. The package contains no
// schemas: its type declarations are written out in full when it is built.

import type * as z from 'zod';
import type * as manifest from '../../../shared/chart/manifest.ts';
import type * as bathymetry from '../../../shared/contract/bathymetry.ts';
import type * as consent from '../../../shared/contract/consent.ts';
import type * as crowd from '../../../shared/contract/crowd.ts';
import type * as depthProfile from '../../../shared/contract/depth-profile.ts';
import type * as encQuery from '../../../shared/contract/enc-query.ts';
import type * as geojson from '../../../shared/contract/geojson.ts';
import type * as logImport from '../../../shared/contract/log-import.ts';
import type * as mapDocuments from '../../../shared/contract/map-documents.ts';
import type * as names from '../../../shared/contract/names.ts';
import type * as problem from '../../../shared/contract/problem.ts';
import type * as region from '../../../shared/contract/region.ts';
import type * as reportList from '../../../shared/contract/report-list.ts';
import type * as reportTiles from '../../../shared/contract/report-tiles.ts';
import type * as route from '../../../shared/contract/route.ts';
import type * as routeAnswer from '../../../shared/contract/route-answer.ts';
import type * as savedStyle from '../../../shared/contract/saved-style.ts';
import type * as styleParams from '../../../shared/contract/style-params.ts';
import type * as tracks from '../../../shared/contract/tracks.ts';
import type * as userReport from '../../../shared/contract/user-report.ts';
import type * as userToken from '../../../shared/contract/user-token.ts';
import type * as waterLevel from '../../../shared/contract/water-level.ts';
import type { RefusalCode } from '../../service/runtime/refusals.ts';

/** Problem codes of the service. Newer versions of the service may have more. */
export type ProblemCode = RefusalCode;
/** The body of an error response (RFC 9457). */
export type Problem = z.output<typeof problem.problemSchema>;

/** Parameters of a style. Depths are in metres for all values of `depthUnits`. */
export type StyleParameters = Partial<z.output<typeof styleParams.styleQuerySchema>>;
export type StyleDocument = z.output<typeof mapDocuments.styleSchema>;
/** TileJSON 3.0.0. */
export type TileJson = z.output<typeof mapDocuments.tileJsonSchema>;
/** A tile of raw features. */
export type ChartFeatures = z.output<typeof geojson.featureCollectionSchema>;
/** Land areas of a tile: a feature collection, or a geometry if the deployment is configured so. */
export type Shoreline = z.output<typeof geojson.shorelineSchema>;
/** Source of chart data. Times are epoch milliseconds. */
export type Attribution = z.output<typeof manifest.datasetSchema>;

/** Description of a region file: its `region.json`. */
export type RegionNote = z.output<typeof region.regionNoteSchema>;
/** The description with the size of the file and of the delta from an older file. */
export type RegionPlan = z.output<typeof region.regionPlanSchema>;
export type RegionQuery = {
  /** West, south, east, north in degrees; west is greater than east across 180°. */
  bbox: readonly [number, number, number, number];
  /** 0 to 16; 16 includes all stored tiles. */
  maxZoom: number;
  /** Adds the crowdsourced depths; not together with `from`. */
  crowd?: boolean | undefined;
  /** `id` of an older file with the same box and zoom. */
  from?: string | undefined;
};

/** A position in degrees, and a radius in metres. */
export type FeatureQuery = z.input<typeof encQuery.encQuerySchema>;
export type FeatureAnswer = z.output<typeof encQuery.encQueryAnswerSchema>;

/** A GeoJSON LineString, and either the number of samples or their interval in metres. */
export type DepthProfileRequest = z.input<typeof depthProfile.depthProfileSchema>;
/** Depths and distances are in metres. */
export type DepthProfile = z.output<typeof depthProfile.depthProfileAnswerSchema>;

/** A position in degrees, and a radius in metres. */
export type CrowdQuery = z.input<typeof crowd.crowdQuerySchema>;
export type CrowdAnswer = z.output<typeof crowd.crowdAnswerSchema>;
export type WaterLevel = z.output<typeof waterLevel.waterLevelSchema>;

export type NameQuery = {
  /** 1 to 100 characters; case, accents and punctuation do not matter. */
  text: string;
  /** Degrees. Equal matches are sorted by distance to this position. */
  near?: { longitude: number; latitude: number } | undefined;
  /** Maximum number of names, 1 to 50. Default: 20. */
  limit?: number | undefined;
};
/** `isComplete` is false if more names match. */
export type NameAnswer = z.output<typeof names.namesAnswerSchema>;

/** Waypoints are [latitude, longitude]. */
export type RouteRequest = z.input<typeof route.routeBodySchema>;
/** A route, or the reasons why no route was found: check `success`. */
export type RouteAnswer = z.output<typeof routeAnswer.routeAnswerSchema>;

export type NewReport = Omit<z.input<typeof userReport.newReportSchema>, 'properties'> & {
  /** Free-form; `description` is text that clients show. */
  properties?: { [name: string]: unknown } | null | undefined;
};
/** Times are epoch milliseconds. */
export type Report = z.output<typeof userReport.reportSchema>;
export type Vote = z.input<typeof userReport.voteSchema>;
export type ReportKind = Report['reportType'];
export type ReportPage = z.output<typeof reportList.reportListSchema>;
export type ReportCollection = z.output<typeof reportList.reportCollectionSchema>;
export type ReportTile = z.output<typeof reportTiles.reportTileSchema>;

/** Filters for reports. The called function sets `format`. */
export type ReportQuery = Partial<
  Pick<
    {
      /** West, south, east, north in degrees; west is greater than east across 180°. */
      bbox: readonly [number, number, number, number];
      kind: ReportKind | readonly ReportKind[];
      /** Created at this time or later, epoch milliseconds. */
      since: number;
      /** `nextCursor` of the previous page. */
      cursor: string;
      /** Reports per page, 1 to 500. Default: 500. */
      limit: number;
      /** Whether to include deleted and expired reports. For administrators. */
      includeDeleted: boolean;
    },
    Exclude<keyof typeof reportList.REPORT_PARAMETERS, 'format'>
  >
>;

/** Format of a log file, the vessel, and what its depths are measured from. */
export type LogDescription = Pick<z.output<typeof logImport.importQuerySchema>, 'format'> &
  Partial<z.output<typeof logImport.importQuerySchema>>;
export type ImportAnswer = z.output<typeof logImport.importAnswerSchema>;

/** Depths in metres; times as ISO 8601 (UTC without a zone) or epoch milliseconds. */
export type NewSoundings = z.input<typeof bathymetry.bathymetrySchema>;
export type ConsentChange = z.input<typeof consent.shareSchema>;
export type SoundingsAnswer = z.output<typeof bathymetry.bathymetryAnswerSchema>;
export type Track = z.output<typeof tracks.trackSchema>;
export type TrackPage = z.output<typeof tracks.trackListSchema>;
export type SoundingCollection = z.output<typeof tracks.soundingCollectionSchema>;

export type TrackQuery = Partial<
  Pick<
    {
      /** Tracks per page, 1 to 500. Default: 100. */
      limit: number;
      /** `nextCursor` of the previous page. */
      cursor: string;
      /** Only tracks of the platform with this `uniqueId`. */
      platform: string;
      /** Only tracks that were sent for this user. */
      externalUserId: string;
    },
    keyof typeof tracks.TRACK_PARAMETERS
  >
>;

export type NewSavedStyle = z.input<typeof savedStyle.savedStyleInputSchema>;
export type SavedStyle = z.output<typeof savedStyle.savedStyleSchema>;
export type SavedStyleVersion = z.output<typeof savedStyle.styleVersionSchema>;

export type UserTokenRequest = z.input<typeof userToken.userTokenRequestSchema>;
/** `expiresAt` is epoch milliseconds. */
export type UserToken = z.output<typeof userToken.userTokenSchema>;
