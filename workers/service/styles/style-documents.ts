// Style documents as bytes. Documents without a token are cached. Gzip forms are created and cached
// at the first request that accepts them. For a request with a token, the sources are built again,
// because their URLs contain the token.

import { WORLD_BOUNDS } from '../../../shared/chart/bounds.ts';
import { daysAt } from '../../../shared/chart/in-force.ts';
import { chartAttribution, type Manifest } from '../../../shared/chart/manifest.ts';
import { styleCacheKey } from '../../../shared/contract/style-params.ts';
import { CROWD_TILESET } from '../../../shared/crowd/bin.ts';
import type { AssetsIndex } from '../../../shared/style/assets-index.ts';
import {
  buildRasterStyle,
  buildStyle,
  chartSources,
  rasterSources,
  type Sources,
  STYLE_VERSION,
} from '../../../shared/style/document/build-style.ts';
import { crowdTiles } from '../../../shared/style/layers/crowd.ts';
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
  /** Returns `bytes` compressed with gzip. */
  readonly gzipped: () => Promise<Uint8Array>;
  /** A strong ETag. */
  readonly etag: string;
}

interface CachedDocument {
  /** The whole document without a token. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset in `bytes` of the JSON members after `sources`. */
  readonly restOffset: number;
  readonly digest: string;
  gzipped?: Promise<Uint8Array>;
}

/** Upper bound of the size of the gzip form, as a fraction of `bytes`; usually it is 0.1. */
const GZIP_SIZE_RATIO = 0.2;

/** Cached documents contain no tokens, so that all clients can share them. */
const documents = boundedCache<CachedDocument>('styleDocuments', {
  sizeOf: ({ bytes }) => (1 + GZIP_SIZE_RATIO) * bytes.length,
  share: 5 / 6,
});

/** Cache: gzip forms of documents with a token, by ETag. All users of a page have the same token. */
const gzippedWithToken = boundedCache<Uint8Array>('styleDocuments', {
  sizeOf: ({ length }) => length,
  share: 1 / 6,
});

interface StyleRequest {
  readonly origin: string;
  readonly manifest: Manifest;
  readonly assets: AssetsIndex;
  readonly options: StyleOptions;
  /** URL template of the deployment's imagery, if it has any. */
  readonly imagery: string | undefined;
  /** Whether the deployment has the endpoints of user reports. */
  readonly hasReports: boolean;
  /** The published crowdsourced depths, if the options show them and there are any. */
  readonly crowd?: Manifest | undefined;
}

/** The vector style, served as base.json. @param queryToken token for the URLs of this service */
export function baseStyle(
  request: StyleRequest,
  queryToken: string | undefined,
): Promise<StyleDocument> {
  const { origin, manifest, assets, options, imagery, hasReports, crowd } = request;
  // The style hides objects that are not in force on these days.
  const days = daysAt(Date.now());
  const key = [
    origin,
    manifest.buildId,
    assets.inputs,
    imagery,
    hasReports,
    crowd?.buildId,
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
  return styleDocument(`base ${key}`, queryToken, {
    document: () => buildStyle(inputWith()),
    sources: (token) => chartSources(inputWith(token)),
  });
}

/** The raster style, served as raster.json. @param queryToken token for the URLs of this service */
export function rasterStyle(
  origin: string,
  manifest: Manifest,
  queryToken: string | undefined,
): Promise<StyleDocument> {
  const chart = chartOf(manifest);
  const tiles = (token?: string) => tilesOf(origin, 'raster-v1/{z}/{x}/{y}.png', manifest, token);
  return styleDocument(`raster ${origin} ${manifest.buildId}`, queryToken, {
    document: () => buildRasterStyle(tiles(), chart),
    sources: (token) => rasterSources(tiles(token), chart),
  });
}

function addressesOf(
  { origin, manifest, assets, options, imagery, hasReports, crowd }: StyleRequest,
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
    ...(crowd === undefined
      ? {}
      : {
          crowd: crowdTiles(
            tilesOf(origin, `${CROWD_TILESET}/{z}/{x}/{y}.mvt`, crowd, token),
            crowd,
          ),
        }),
    ...imageryOf(origin, assets, imagery),
  };
}

/** The imagery of the deployment, or the built-in imagery if there is any. */
function imageryOf(
  origin: string,
  { imagery: builtIn }: AssetsIndex,
  deploymentTemplate: string | undefined,
) {
  if (deploymentTemplate !== undefined) return { satellite: { template: deploymentTemplate } };
  if (builtIn === undefined) return {};
  const { template, maxZoom, attribution } = builtIn;
  return { satellite: { template: origin + template, maxZoom, attribution } };
}

/**
 * A URL template of tiles. It contains the build id, so that tiles of two builds are never mixed.
 * @param path after `tiles/`. @param token token for the URL
 */
export const tilesOf = (
  origin: string,
  path: string,
  manifest: Manifest,
  token: string | undefined,
): string => `${origin}/api/v2/tiles/${path}?v=${manifest.buildId}${tokenQuery(token)}`;

const tokenQuery = (token: string | undefined, before = '&'): string =>
  token === undefined ? '' : `${before}token=${encodeURIComponent(token)}`;

const chartOf = ({ buildId, datasets }: Manifest): StyleChart => ({
  bounds: WORLD_BOUNDS,
  attribution: chartAttribution(datasets),
  buildId,
});

interface StyleBuilder {
  /** The whole document without a token. */
  document(): { readonly sources: Sources };
  /** Its `sources`, with a token in the URLs of this service. */
  sources(token: string | undefined): Sources;
}

/** The cached document. If there is a token, its sources are replaced by sources with the token. */
async function styleDocument(
  key: string,
  queryToken: string | undefined,
  builder: StyleBuilder,
): Promise<StyleDocument> {
  const cached = documents.get(key) ?? (await buildCached(builder));
  documents.set(key, cached);
  const tag = `style${STYLE_VERSION}-${cached.digest}`;
  if (queryToken === undefined) {
    return { bytes: cached.bytes, gzipped: () => gzippedOf(cached), etag: `"${tag}"` };
  }
  const sources = utf8(sourcesMember(builder.sources(queryToken)));
  const rest = cached.bytes.subarray(cached.restOffset);
  const bytes = joinChunks([sources, rest], sources.length + rest.length);
  const etag = `"${tag}-${await digestOf(utf8(queryToken))}"`;
  const gzipped = async () => {
    const packed = gzippedWithToken.get(etag) ?? (await gzip(bytes));
    gzippedWithToken.set(etag, packed);
    return packed;
  };
  return { bytes, gzipped, etag };
}

async function buildCached(builder: StyleBuilder): Promise<CachedDocument> {
  const { sources, ...others } = builder.document();
  const before = utf8(sourcesMember(sources));
  const rest = utf8(JSON.stringify(others).slice(1));
  const bytes = joinChunks([before, rest], before.length + rest.length);
  return { bytes, restOffset: before.length, digest: await digestOf(bytes) };
}

function gzippedOf(cached: CachedDocument): Promise<Uint8Array> {
  cached.gzipped ??= gzip(cached.bytes);
  return cached.gzipped;
}

/** The start of a document, up to the members after the sources. */
const sourcesMember = (sources: Sources): string => `{"sources":${JSON.stringify(sources)},`;

const utf8 = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

const digestOf = async (bytes: Uint8Array): Promise<string> => (await sha256(bytes)).slice(0, 16);
