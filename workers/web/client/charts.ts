// Charts: URLs of tiles and styles for map libraries, and requests for chart data.

import { NotFoundError } from './errors.ts';
import {
  type CallOptions,
  jsonRequests,
  queryText,
  readBytes,
  readJson,
  sendRequest,
} from './send-request.ts';
import type { Session } from './session.ts';
import type {
  Attribution,
  ChartFeatures,
  CrowdAnswer,
  CrowdQuery,
  DepthProfile,
  DepthProfileRequest,
  FeatureAnswer,
  FeatureQuery,
  NameAnswer,
  NameQuery,
  RouteAnswer,
  RouteRequest,
  Shoreline,
  StyleDocument,
  StyleParameters,
  TileJson,
  WaterLevel,
} from './wire.ts';

const SUFFIXES = {
  'enc-v2': 'mvt',
  'raster-v1': 'png',
  'data-geojson-v1': 'json',
  'data-shoreline-v1': 'json',
  'crowd-depth-v1': 'mvt',
} as const;

export type Tileset = keyof typeof SUFFIXES;

/** XYZ tile coordinates; y counts from the north. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export interface UrlOptions {
  /** Whether URLs contain the token, for map libraries that send no headers. Default: true for URLs. */
  readonly withToken?: boolean;
}

export interface ChartsApi {
  /** URL template of a tileset with `{z}`, `{x}` and `{y}`, for map libraries. */
  tileUrlTemplate(tileset: Tileset, options?: UrlOptions): string;
  tileUrl(tileset: Tileset, tile: TilePlace, options?: UrlOptions): string;
  /** Bytes of a vector tile or PNG image. */
  tile(
    tileset: 'enc-v2' | 'raster-v1' | 'crowd-depth-v1',
    tile: TilePlace,
    options?: CallOptions,
  ): Promise<Uint8Array>;
  /** Raw features of a tile, or `undefined` if no chart covers it. */
  featuresOfTile(tile: TilePlace, options?: CallOptions): Promise<ChartFeatures | undefined>;
  shoreline(tile: TilePlace, options?: CallOptions): Promise<Shoreline>;
  tileJson(tileset: Exclude<Tileset, 'raster-v1'>, options?: CallOptions): Promise<TileJson>;
  /** URL of a style, for map libraries. */
  styleUrl(parameters?: StyleParameters, options?: UrlOptions): string;
  /** @param options `withToken`: whether URLs in the document contain the token. Default: false */
  style(parameters?: StyleParameters, options?: CallOptions & UrlOptions): Promise<StyleDocument>;
  /** URL of the style for raster tiles. */
  rasterStyleAddress(options?: UrlOptions): string;
  rasterStyle(options?: CallOptions): Promise<StyleDocument>;
  /** For MapLibre's `transformRequest`: sends the token in a header, to this service only. */
  transformRequest(url: string): { url: string; headers?: { [name: string]: string } };
  /** Features near a position, nearest first. `extras` adds distances and descriptions in `depthUnits`. */
  featuresNear(
    query: FeatureQuery,
    options?: CallOptions & {
      readonly extras?: boolean;
      readonly depthUnits?: NonNullable<StyleParameters['depthUnits']>;
    },
  ): Promise<FeatureAnswer>;
  /** Charted depths along a line. Not for navigation. */
  depthProfile(request: DepthProfileRequest, options?: CallOptions): Promise<DepthProfile>;
  /** Cells of crowdsourced depths near a position, nearest first. Not for navigation. */
  crowdDepthsNear(query: CrowdQuery, options?: CallOptions): Promise<CrowdAnswer>;
  /** Crowdsourced depths in a box as CSV or GeoTIFF. @param bbox west, south, east, north in degrees */
  crowdDepthsFile(
    kind: 'csv' | 'tif',
    bbox: readonly [number, number, number, number],
    options?: CallOptions & { readonly zoom?: number },
  ): Promise<Uint8Array>;
  /** Predicted height of the tide. @param time epoch milliseconds; by default now */
  waterLevel(
    position: { readonly longitude: number; readonly latitude: number },
    time?: number,
    options?: CallOptions,
  ): Promise<WaterLevel>;
  /** Charted objects whose names contain words that start with the text, best match first. */
  findNames(query: NameQuery, options?: CallOptions): Promise<NameAnswer>;
  /** A route, or the reasons why no route was found: check `success`. Not for navigation. */
  route(request: RouteRequest, options?: CallOptions): Promise<RouteAnswer>;
  /** Attributions that apps must show with the charts. */
  attributions(options?: CallOptions): Promise<Attribution[]>;
}

/** An empty list is sent as `none`, because an empty value means the default. */
const styleQuery = ({ textGroups, ...others }: StyleParameters) => ({
  ...others,
  ...(textGroups === undefined
    ? {}
    : { textGroups: textGroups.length === 0 ? 'none' : textGroups.join(',') }),
});

export function createChartsApi(session: Session): ChartsApi {
  const { get, send } = jsonRequests(session);
  const urlOf = (path: string, query: object, { withToken = true }: UrlOptions = {}) =>
    session.address +
    path +
    queryText(withToken ? { ...query, token: session.token } : { ...query });
  return {
    tileUrlTemplate: (tileset, options) =>
      urlOf(`/api/v2/tiles/${tileset}/{z}/{x}/{y}.${SUFFIXES[tileset]}`, {}, options),
    tileUrl: (tileset, tile, options) => urlOf(tilePath(tileset, tile), {}, options),
    tile: (tileset, tile, options = {}) =>
      sendRequest(session, { path: tilePath(tileset, tile), ...options }, readBytes),
    featuresOfTile: (tile, options) =>
      get<ChartFeatures>(tilePath('data-geojson-v1', tile), options).catch((error: unknown) => {
        if (error instanceof NotFoundError && error.code === 'no_chart_data') return undefined;
        throw error;
      }),
    shoreline: (tile, options) => get(tilePath('data-shoreline-v1', tile), options),
    tileJson: (tileset, options) => get(`/api/v2/tiles/${tileset}.json`, options),
    styleUrl: (parameters = {}, options) => urlOf(STYLE, styleQuery(parameters), options),
    style: (parameters = {}, { signal, withToken } = {}) =>
      sendRequest(
        session,
        {
          path: STYLE,
          query: styleQuery(parameters),
          signal,
          // The service writes the token into a document if the request has it in the query.
          isTokenInQuery: withToken === true,
        },
        readJson<StyleDocument>,
      ),
    rasterStyleAddress: (options) => urlOf(RASTER_STYLE, {}, options),
    rasterStyle: (options) => get(RASTER_STYLE, options),
    transformRequest: (url) =>
      url.startsWith(`${session.address}/`)
        ? { url, headers: { authorization: `Bearer ${session.token}` } }
        : { url },
    featuresNear: (body, { signal, extras, depthUnits } = {}) =>
      send('POST', '/api/v1/enc_query', { query: { extras, depthUnits }, body, signal }),
    depthProfile: (body, { signal } = {}) =>
      send('POST', '/api/v1/depth-profile', { body, signal }),
    crowdDepthsNear: (body, { signal } = {}) =>
      send('POST', '/api/v1/crowd_query', { body, signal }),
    crowdDepthsFile: (kind, bbox, { zoom, signal } = {}) =>
      sendRequest(
        session,
        {
          path: `/api/v1/crowd-depths.${kind}`,
          query: { bbox, zoom },
          signal,
          timeoutFactor: 4,
        },
        readBytes,
      ),
    waterLevel: ({ longitude, latitude }, time, options) =>
      get('/api/v1/water-level', options, { position: [longitude, latitude], time }),
    findNames: ({ text, near, limit }, options) =>
      get('/api/v1/names', options, {
        q: text,
        near: near === undefined ? undefined : [near.longitude, near.latitude],
        limit,
      }),
    route: (body, { signal } = {}) =>
      send('POST', '/api/v1/routing/route', {
        ...{ body, signal, isTokenInQuery: true, timeoutFactor: 4 },
      }),
    attributions: (options) => get('/api/v1/datasets/attributions', options),
  };
}

const STYLE = '/api/v1/styles/base.json';
const RASTER_STYLE = '/api/v1/styles/raster.json';

const tilePath = (tileset: Tileset, { z, x, y }: TilePlace): string =>
  `/api/v2/tiles/${tileset}/${z}/${x}/${y}.${SUFFIXES[tileset]}`;
