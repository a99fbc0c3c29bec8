// Types of requests and responses, inferred from the schemas of the service. The package contains no
// schemas: its type declarations are written out in full when it is built.

import type * as z from 'zod';
import type { datasetSchema } from '../../../shared/chart/manifest.ts';
import type {
  bathymetryAnswerSchema,
  bathymetrySchema,
} from '../../../shared/contract/bathymetry.ts';
import type { shareSchema } from '../../../shared/contract/consent.ts';
import type { crowdAnswerSchema, crowdQuerySchema } from '../../../shared/contract/crowd.ts';
import type {
  depthProfileAnswerSchema,
  depthProfileSchema,
} from '../../../shared/contract/depth-profile.ts';
import type { encQueryAnswerSchema, encQuerySchema } from '../../../shared/contract/enc-query.ts';
import type { featureCollectionSchema, shorelineSchema } from '../../../shared/contract/geojson.ts';
import type { importAnswerSchema, importQuerySchema } from '../../../shared/contract/log-import.ts';
import type { styleSchema, tileJsonSchema } from '../../../shared/contract/map-documents.ts';
import type { namesAnswerSchema } from '../../../shared/contract/names.ts';
import type { problemSchema } from '../../../shared/contract/problem.ts';
import type { regionNoteSchema, regionPlanSchema } from '../../../shared/contract/region.ts';
import type {
  REPORT_PARAMETERS,
  reportCollectionSchema,
  reportListSchema,
} from '../../../shared/contract/report-list.ts';
import type { reportTileSchema } from '../../../shared/contract/report-tiles.ts';
import type { routeBodySchema } from '../../../shared/contract/route.ts';
import type { routeAnswerSchema } from '../../../shared/contract/route-answer.ts';
import type {
  savedStyleInputSchema,
  savedStyleSchema,
  styleVersionSchema,
} from '../../../shared/contract/saved-style.ts';
import type { styleQuerySchema } from '../../../shared/contract/style-params.ts';
import type {
  soundingCollectionSchema,
  TRACK_PARAMETERS,
  trackListSchema,
  trackSchema,
} from '../../../shared/contract/tracks.ts';
import type {
  newReportSchema,
  reportSchema,
  voteSchema,
} from '../../../shared/contract/user-report.ts';
import type {
  userTokenRequestSchema,
  userTokenSchema,
} from '../../../shared/contract/user-token.ts';
import type { waterLevelSchema } from '../../../shared/contract/water-level.ts';
import type { RefusalCode } from '../../service/runtime/refusals.ts';

/** Problem codes of the service. Newer versions of the service may have more. */
export type ProblemCode = RefusalCode;
/** The body of an error response (RFC 9457). */
export type Problem = z.output<typeof problemSchema>;

/** Parameters of a style. Depths are in metres for all values of `depthUnits`. */
export type StyleParameters = Partial<z.output<typeof styleQuerySchema>>;
export type StyleDocument = z.output<typeof styleSchema>;
/** TileJSON 3.0.0. */
export type TileJson = z.output<typeof tileJsonSchema>;
/** A tile of raw features. */
export type ChartFeatures = z.output<typeof featureCollectionSchema>;
/** Land areas of a tile: a feature collection, or a geometry if the deployment is configured so. */
export type Shoreline = z.output<typeof shorelineSchema>;
/** Source of chart data. Times are epoch milliseconds. */
export type Attribution = z.output<typeof datasetSchema>;

/** Description of a region file: its `region.json`. */
export type RegionNote = z.output<typeof regionNoteSchema>;
/** The description with the size of the file and of the delta from an older file. */
export type RegionPlan = z.output<typeof regionPlanSchema>;
export type RegionQuery = {
  /** West, south, east, north in degrees; west is greater than east across 180°. */
  bbox: readonly [number, number, number, number];
  /** 0 to 16; 15 and 16 contain all stored tiles. */
  maxZoom: number;
  /** `id` of an older file with the same box and zoom. */
  from?: string | undefined;
};

/** A position in degrees, and a radius in metres. */
export type FeatureQuery = z.input<typeof encQuerySchema>;
export type FeatureAnswer = z.output<typeof encQueryAnswerSchema>;

/** A GeoJSON LineString, and either the number of samples or their interval in metres. */
export type DepthProfileRequest = z.input<typeof depthProfileSchema>;
/** Depths and distances are in metres. */
export type DepthProfile = z.output<typeof depthProfileAnswerSchema>;

/** A position in degrees, and a radius in metres. */
export type CrowdQuery = z.input<typeof crowdQuerySchema>;
export type CrowdAnswer = z.output<typeof crowdAnswerSchema>;
export type WaterLevel = z.output<typeof waterLevelSchema>;

export type NameQuery = {
  /** 1 to 100 characters; case, accents and punctuation do not matter. */
  text: string;
  /** Degrees. Equal matches are sorted by distance to this position. */
  near?: { longitude: number; latitude: number } | undefined;
  /** Maximum number of names, 1 to 50. Default: 20. */
  limit?: number | undefined;
};
/** `isComplete` is false if more names match. */
export type NameAnswer = z.output<typeof namesAnswerSchema>;

/** Waypoints are [latitude, longitude]. */
export type RouteRequest = z.input<typeof routeBodySchema>;
/** A route, or the reasons why no route was found: check `success`. */
export type RouteAnswer = z.output<typeof routeAnswerSchema>;

export type NewReport = Omit<z.input<typeof newReportSchema>, 'properties'> & {
  /** Free-form; `description` is text that clients show. */
  properties?: { [name: string]: unknown } | null | undefined;
};
/** Times are epoch milliseconds. */
export type Report = z.output<typeof reportSchema>;
export type Vote = z.input<typeof voteSchema>;
export type ReportKind = Report['reportType'];
export type ReportPage = z.output<typeof reportListSchema>;
export type ReportCollection = z.output<typeof reportCollectionSchema>;
export type ReportTile = z.output<typeof reportTileSchema>;

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
    Exclude<keyof typeof REPORT_PARAMETERS, 'format'>
  >
>;

/** Format of a log file, the vessel, and what its depths are measured from. */
export type LogDescription = Pick<z.output<typeof importQuerySchema>, 'format'> &
  Partial<z.output<typeof importQuerySchema>>;
export type ImportAnswer = z.output<typeof importAnswerSchema>;

/** Depths in metres; times as ISO 8601 (UTC without a zone) or epoch milliseconds. */
export type NewSoundings = z.input<typeof bathymetrySchema>;
export type ConsentChange = z.input<typeof shareSchema>;
export type SoundingsAnswer = z.output<typeof bathymetryAnswerSchema>;
export type Track = z.output<typeof trackSchema>;
export type TrackPage = z.output<typeof trackListSchema>;
export type SoundingCollection = z.output<typeof soundingCollectionSchema>;

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
    keyof typeof TRACK_PARAMETERS
  >
>;

export type NewSavedStyle = z.input<typeof savedStyleInputSchema>;
export type SavedStyle = z.output<typeof savedStyleSchema>;
export type SavedStyleVersion = z.output<typeof styleVersionSchema>;

export type UserTokenRequest = z.input<typeof userTokenRequestSchema>;
/** `expiresAt` is epoch milliseconds. */
export type UserToken = z.output<typeof userTokenSchema>;
