// Style documents as bytes. Documents without a token are cached, and their gzip form from the first
// request for it. With a token, the sources are built for each response, because their URLs contain
// the token.

import { daysAt } from '../../../shared/chart/in-force.ts';
import type { Manifest } from '../../../shared/chart/manifest.ts';
import { styleCacheKey } from '../../../shared/contract/style-params.ts';
import type { AssetsIndex } from '../../../shared/style/assets-index.ts';
import {
  buildRasterStyle,
  buildStyle,
  chartSources,
  rasterSources,
  type Sources,
  STYLE_VERSION,
} from '../../../shared/style/document/build-style.ts';
import {
  type StyleAddresses,
  type StyleChart,
  type StyleOptions,
  symbolTheme,
} from '../../../shared/style/options.ts';
import { gzip } from '../runtime/gzip.ts';
import { joinChunks } from '../runtime/join-chunks.ts';
import { boundedCache } from '../runtime/memory-budget.ts';
import { sha256 } from '../runtime/sha256.ts';

export interface StyleDocument {
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `bytes` compressed with gzip, at the first call. Absent if the document contains a token. */
  readonly packed?: () => Promise<Uint8Array>;
  /** A strong ETag. */
  readonly etag: string;
}

interface CachedDocument {
  /** The whole document without a token. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset in `bytes` of the JSON members after `sources`. */
  readonly restFrom: number;
  readonly digest: string;
  packed?: Promise<Uint8Array>;
}

/** Size of the gzip form as a share of `bytes`, for the cache limit: 0.1, with a margin. */
const PACKED_PART = 0.2;

/** Cached documents contain no tokens, so that all clients can share them. */
const documents = boundedCache<CachedDocument>('styleDocuments', {
  sizeOf: ({ bytes }) => (1 + PACKED_PART) * bytes.length,
});

interface StyleRequest {
  readonly origin: string;
  readonly manifest: Manifest;
  readonly assets: AssetsIndex;
  readonly options: StyleOptions;
  /** URL template of the deployment's imagery, if it has any. */
  readonly imagery: string | undefined;
  /** Whether the deployment lists user reports. */
  readonly hasReports: boolean;
}

/** The document of base.json. @param queryToken token for the URLs of this service */
export function baseStyle(
  request: StyleRequest,
  queryToken: string | undefined,
): Promise<StyleDocument> {
  const { origin, manifest, assets, options, imagery, hasReports } = request;
  const days = daysAt(Date.now());
  const key = [
    origin,
    manifest.buildId,
    assets.inputs,
    imagery,
    hasReports,
    days.last,
    styleCacheKey(options),
  ].join(' ');
  const chart = chartOf(manifest);
  const inputWith = (token?: string) => ({
    options,
    chart,
    days,
    addresses: addressesOf(request, token),
  });
  return complete(`base ${key}`, queryToken, {
    document: () => buildStyle(inputWith()),
    sources: (token) => chartSources(inputWith(token)),
  });
}

/** The document of raster.json. @param queryToken token for the URLs of this service */
export function rasterStyle(
  origin: string,
  manifest: Manifest,
  queryToken: string | undefined,
): Promise<StyleDocument> {
  const chart = chartOf(manifest);
  const tiles = (token?: string) => tilesOf(origin, 'raster-v1/{z}/{x}/{y}.png', manifest, token);
  return complete(`raster ${origin} ${manifest.buildId}`, queryToken, {
    document: () => buildRasterStyle(tiles(), chart),
    sources: (token) => rasterSources(tiles(token), chart),
  });
}

function addressesOf(
  { origin, manifest, assets, options, imagery, hasReports }: StyleRequest,
  token: string | undefined,
): StyleAddresses {
  return {
    tiles: tilesOf(origin, 'enc-v2/{z}/{x}/{y}.mvt', manifest, token),
    sprite: origin + assets.sprites.themes[symbolTheme(options)],
    glyphs: origin + assets.fonts.template,
    webFonts: origin + assets.webFonts.template,
    ...(hasReports
      ? { reports: `${origin}/api/v1/user-reports/tiles/{z}/{x}/{y}.mvt${tokenQuery(token, '?')}` }
      : {}),
    ...imageryOf(origin, assets, imagery),
  };
}

/** The imagery of the deployment, or the built-in imagery if there is any. */
function imageryOf(origin: string, { imagery: builtIn }: AssetsIndex, own: string | undefined) {
  if (own !== undefined) return { satellite: { template: own } };
  if (builtIn === undefined) return {};
  const { template, maxZoom, attribution } = builtIn;
  return { satellite: { template: origin + template, maxZoom, attribution } };
}

/** The URL contains the build id, so that tiles of two builds are never mixed. */
const tilesOf = (origin: string, path: string, manifest: Manifest, token: string | undefined) =>
  `${origin}/api/v2/tiles/${path}?v=${manifest.buildId}${tokenQuery(token)}`;

const tokenQuery = (token: string | undefined, before = '&'): string =>
  token === undefined ? '' : `${before}token=${encodeURIComponent(token)}`;

const chartOf = ({ buildId, datasets }: Manifest): StyleChart => ({
  bounds: [-180, -85.0511, 180, 85.0511],
  attribution: [...datasets.map((one) => one.shortDescription), 'Not for navigation'].join(' · '),
  buildId,
});

interface Maker {
  /** The whole document without a token. */
  document(): { readonly sources: Sources };
  /** Its `sources`, with a token in the URLs of this service. */
  sources(token: string | undefined): Sources;
}

async function complete(
  key: string,
  queryToken: string | undefined,
  make: Maker,
): Promise<StyleDocument> {
  const held = documents.get(key) ?? (await made(make));
  documents.set(key, held);
  const tag = `style${STYLE_VERSION}-${held.digest}`;
  if (queryToken === undefined) {
    return { bytes: held.bytes, packed: () => packedOf(held), etag: `"${tag}"` };
  }
  const sources = utf8(sourcesMember(make.sources(queryToken)));
  const rest = held.bytes.subarray(held.restFrom);
  return {
    bytes: joinChunks([sources, rest], sources.length + rest.length),
    etag: `"${tag}-${await digestOf(utf8(queryToken))}"`,
  };
}

async function made(make: Maker): Promise<CachedDocument> {
  const { sources, ...others } = make.document();
  const before = utf8(sourcesMember(sources));
  const rest = utf8(JSON.stringify(others).slice(1));
  const bytes = joinChunks([before, rest], before.length + rest.length);
  return { bytes, restFrom: before.length, digest: await digestOf(bytes) };
}

function packedOf(held: CachedDocument): Promise<Uint8Array> {
  held.packed ??= gzip(held.bytes);
  return held.packed;
}

/** The start of a document, up to the members after the sources. */
const sourcesMember = (sources: Sources): string => `{"sources":${JSON.stringify(sources)},`;

const utf8 = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

const digestOf = async (bytes: Uint8Array): Promise<string> => (await sha256(bytes)).slice(0, 16);
