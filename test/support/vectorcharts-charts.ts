// Requests for charts and routes, and their answers, as the public documentation of VectorCharts describes
// them: methods, paths, names, types and statuses. Facts for the migration guide and its test.

/** A documented parameter or field of a request. */
export interface DocumentedInput {
  readonly values?: readonly string[];
  readonly default?: unknown;
  readonly isRequired?: true;
}

/** A request that must have another status. The name is the item of the guide's table. */
interface DocumentedOutcome {
  readonly status: number;
  readonly path?: string;
  readonly body?: unknown;
  /** A field that the answer must have. */
  readonly field?: string;
  /** Which token the request has; a token with all rights by default. */
  readonly token?: 'none' | 'public';
}

/** `{report}` is the id of the documented report, `{style}` the id of the style that the test made. */
export interface DocumentedRequest {
  /** Method and path, as in the guide. */
  readonly name: string;
  /** The documented request. */
  readonly path: string;
  readonly body?: unknown;
  /** The same request where the demo charts have data. */
  readonly here?: { readonly path?: string; readonly body?: unknown };
  readonly status: number;
  readonly contentType?: string;
  readonly inPath?: readonly string[];
  readonly inQuery?: Readonly<Record<string, DocumentedInput>>;
  readonly inBody?: Readonly<Record<string, DocumentedInput>>;
  /** Kinds of JSON values by path; `?` marks a field that may be absent. */
  readonly inResponse?: Readonly<Record<string, string>>;
  /** If true, the documentation does not name every field. */
  readonly isOpen?: true;
  readonly outcomes?: Readonly<Record<string, DocumentedOutcome>>;
}

export const REQUIRED = { isRequired: true } as const;
export const NO_TOKEN = { '401 without a token': { status: 401, token: 'none' } } as const;
export const Z_X_Y = ['z', 'x', 'y'] as const;
/** Fields of a GeoJSON FeatureCollection. */
export const FEATURES = {
  type: 'string',
  features: 'array',
  'features[].type': 'string',
  'features[].geometry': 'object',
  'features[].properties': 'object',
} as const;
const flag = (by: boolean): DocumentedInput => ({ default: by });
const DATA_TILE = '/api/v2/tiles/data-geojson-v1';
const SHORELINE = '/api/v2/tiles/data-shoreline-v1';
/** The id of no style or report. */
export const UNKNOWN = '0000e29b-41d4-4716-a446-655440000000';

export const under = (prefix: string, fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, kind]) => [`${prefix}${name}`, kind]));

export const CHART_REQUESTS: readonly DocumentedRequest[] = [
  {
    name: 'GET /api/v1/datasets/attributions',
    path: '/api/v1/datasets/attributions',
    status: 200,
    inResponse: under('[].', {
      id: 'string',
      shortDescription: 'string',
      longDescription: 'string',
      sourceUrl: 'string?',
      dataSourcedAt: 'number',
      dataProcessedAt: 'number',
    }),
    outcomes: { '200 without a token': { status: 200, token: 'none' } },
  },
  {
    name: 'GET /api/v1/styles/base.json',
    path: '/api/v1/styles/base.json?theme=day&depthLimit=10',
    here: { path: '/api/v1/styles/base.json?showUserReports=true' },
    status: 200,
    inQuery: {
      token: {},
      styleId: {},
      styleName: {},
      theme: { values: ['day', 'dusk', 'night'], default: 'day' },
      depthLimit: { default: 3 },
      depthUnits: { values: ['meters', 'feet', 'fathoms'], default: 'meters' },
      roundOffSoundings: flag(false),
      showLightSectors: flag(true),
      showEncBoundaries: flag(false),
      showMaritimeBoundaries: { values: ['false', 'lines', 'full'], default: 'false' },
      showPlaceNames: flag(true),
      showOverscale: flag(true),
      showNoData: flag(true),
      showUserReports: flag(false),
      showSatellite: flag(false),
      maskLandAreas: flag(false),
      satelliteTileUrl: {},
      hideLayers: {},
      showLayers: {},
      glyphs: {},
      font: {},
    },
    inResponse: { 'sources.userReports': 'object' },
    isOpen: true,
    outcomes: {
      ...NO_TOKEN,
      '200 with a deleted styleId': {
        status: 200,
        path: `/api/v1/styles/base.json?styleId=${UNKNOWN}`,
      },
    },
  },
  {
    name: 'GET /api/v1/styles/raster.json',
    path: '/api/v1/styles/raster.json',
    status: 200,
    inQuery: { token: {} },
    outcomes: NO_TOKEN,
  },
  {
    name: 'GET /api/v2/tiles/enc-v2/{z}/{x}/{y}.mvt',
    path: '/api/v2/tiles/enc-v2/12/1240/1515.mvt',
    status: 200,
    contentType: 'application/x-protobuf',
    inPath: Z_X_Y,
    inQuery: { token: {} },
    outcomes: {
      ...NO_TOKEN,
      '400 above zoom 16': { status: 400, path: '/api/v2/tiles/enc-v2/17/1/1.mvt' },
      '400 with x outside the zoom': { status: 400, path: '/api/v2/tiles/enc-v2/2/4/0.mvt' },
    },
  },
  {
    name: 'GET /api/v2/tiles/raster-v1/{z}/{x}/{y}.png',
    path: '/api/v2/tiles/raster-v1/12/1240/1515.png',
    status: 200,
    contentType: 'image/png',
    inPath: Z_X_Y,
    inQuery: { token: {} },
    outcomes: {
      ...NO_TOKEN,
      '404 with x outside the zoom': { status: 404, path: '/api/v2/tiles/raster-v1/2/4/0.png' },
    },
  },
  {
    name: 'GET /api/v2/tiles/data-geojson-v1/{z}/{x}/{y}.json',
    path: `${DATA_TILE}/12/1240/1515.json`,
    here: { path: `${DATA_TILE}/12/1820/2406.json` },
    status: 200,
    contentType: 'application/json',
    inPath: Z_X_Y,
    inQuery: { token: {} },
    inResponse: {
      ...FEATURES,
      'features[].properties.layerId': 'string',
      'features[].properties.attributes': 'object',
    },
    outcomes: {
      ...NO_TOKEN,
      '400 below zoom 10': { status: 400, path: `${DATA_TILE}/9/1/1.json` },
      '404 without chart data': { status: 404, path: `${DATA_TILE}/12/1240/1515.json` },
    },
  },
  {
    name: 'GET /api/v2/tiles/data-shoreline-v1/{z}/{x}/{y}.json',
    path: `${SHORELINE}/12/1240/1515.json`,
    here: { path: `${SHORELINE}/12/1820/2406.json` },
    status: 200,
    contentType: 'application/json',
    inPath: Z_X_Y,
    inQuery: { token: {} },
    inResponse: {
      ...FEATURES,
      'features[].geometry.type': 'string',
      'features[].geometry.coordinates': 'array',
    },
    outcomes: {
      ...NO_TOKEN,
      '400 with x outside the zoom': { status: 400, path: `${SHORELINE}/2/4/0.json` },
    },
  },
  {
    name: 'POST /api/v1/enc_query',
    path: '/api/v1/enc_query',
    body: { position: { longitude: -122.388, latitude: 37.79 }, radius: 200, zoom: 14 },
    here: { body: { position: { longitude: -19.99, latitude: -30.01 }, radius: 900, zoom: 14 } },
    status: 200,
    inQuery: { token: {} },
    inBody: {
      position: REQUIRED,
      'position.longitude': REQUIRED,
      'position.latitude': REQUIRED,
      radius: REQUIRED,
      zoom: REQUIRED,
    },
    inResponse: {
      results: 'array',
      ...under('results[].', {
        id: 'string',
        parentId: 'string',
        parentCellName: 'string',
        layerId: 'string',
        layerName: 'string',
        position: 'array|null',
        geometry: 'object',
        attributes: 'object',
        'attributes.objectName': 'string?',
        rawAttributes: 'object',
        bbox: 'array',
      }),
    },
    outcomes: {
      ...NO_TOKEN,
      '400 without radius': {
        status: 400,
        body: { position: { longitude: -122.388, latitude: 37.79 } },
      },
    },
  },
  {
    name: 'POST /api/v1/routing/route',
    path: '/api/v1/routing/route?token={token}',
    body: {
      waypoints: [
        [42.338749, -70.986042],
        [42.303464, -70.948277],
      ],
    },
    here: {
      body: {
        waypoints: [
          [-30.005, -20.012],
          [-30.02, -19.96],
        ],
      },
    },
    status: 200,
    inQuery: { token: REQUIRED },
    inBody: { waypoints: REQUIRED },
    inResponse: { success: 'boolean', messages: 'array', route: 'array' },
    outcomes: {
      '401 without a token': { status: 401, path: '/api/v1/routing/route', token: 'none' },
    },
  },
];
