// Style documents as text: all but the sources is made once for a set of choices and kept; the
// sources hold the addresses that a caller's token belongs in, and are made for each answer.

import { daysAt } from '../../shared/chart/in-force.ts';
import type { Manifest } from '../../shared/chart/manifest.ts';
import { styleCacheKey } from '../../shared/contract/style-params.ts';
import type { AssetsIndex } from '../../shared/style/assets-index.ts';
import {
  buildRasterStyle,
  buildStyle,
  chartSources,
  rasterSources,
  type Sources,
  STYLE_VERSION,
} from '../../shared/style/document/build-style.ts';
import type { StyleAddresses, StyleChart, StyleOptions } from '../../shared/style/options.ts';
import { hexOf } from '../runtime/hex.ts';
import { boundedCache } from '../runtime/memory-budget.ts';

export interface StyleDocument {
  readonly text: string;
  /** Strong: equal for equal bytes only. */
  readonly etag: string;
}

interface Held {
  /** The document without its sources, as JSON. */
  readonly rest: string;
  /** Of the whole document as it is without a token. */
  readonly digest: string;
}

/** A cache named as one. What is kept holds no token. */
const documents = boundedCache<Held>('styleDocuments', { sizeOf: ({ rest }) => 2 * rest.length });

interface StyleRequest {
  readonly origin: string;
  readonly manifest: Manifest;
  readonly assets: AssetsIndex;
  readonly options: StyleOptions;
  /** The deployment's own imagery, where it has one. */
  readonly imagery: string | undefined;
  /** Whether the deployment lists user reports. */
  readonly hasReports: boolean;
}

/** The document of base.json. @param queryToken the caller's, for the service's own addresses */
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

/** The document of raster.json. @param queryToken the caller's, for the service's own addresses */
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
    sprite: origin + assets.sprites.themes[options.theme],
    glyphs: origin + assets.fonts.template,
    webFonts: origin + assets.webFonts.template,
    ...(hasReports
      ? { reports: `${origin}/api/v1/user-reports?format=geojson${tokenQuery(token)}` }
      : {}),
    ...imageryOf(origin, assets, imagery),
  };
}

/** The deployment's own imagery, else that which is built in. */
function imageryOf(origin: string, { imagery: builtIn }: AssetsIndex, own: string | undefined) {
  if (own !== undefined) return { satellite: { template: own } };
  if (builtIn === undefined) return {};
  const { template, maxZoom, attribution } = builtIn;
  return { satellite: { template: origin + template, maxZoom, attribution } };
}

/** The build is part of the address, so that a new one is never mixed with tiles of the old. */
const tilesOf = (origin: string, path: string, manifest: Manifest, token: string | undefined) =>
  `${origin}/api/v2/tiles/${path}?v=${manifest.buildId}${tokenQuery(token)}`;

const tokenQuery = (token: string | undefined): string =>
  token === undefined ? '' : `&token=${encodeURIComponent(token)}`;

const chartOf = ({ buildId, datasets }: Manifest): StyleChart => ({
  bounds: [-180, -85.0511, 180, 85.0511],
  attribution: [...datasets.map((one) => one.shortDescription), 'Not for navigation'].join(' · '),
  buildId,
});

interface Maker {
  /** The whole document, without any token. */
  document(): { readonly sources: Sources };
  /** Its sources again, with a token in the service's own addresses. */
  sources(token: string | undefined): Sources;
}

async function complete(
  key: string,
  queryToken: string | undefined,
  make: Maker,
): Promise<StyleDocument> {
  const held = documents.get(key) ?? (await made(make));
  documents.set(key, held);
  const { rest, digest } = held;
  const digests = queryToken === undefined ? [digest] : [digest, await digestOf(queryToken)];
  return {
    text: joined(make.sources(queryToken), rest),
    etag: `"style${STYLE_VERSION}-${digests.join('-')}"`,
  };
}

async function made(make: Maker): Promise<Held> {
  const { sources, ...others } = make.document();
  const rest = JSON.stringify(others);
  return { rest, digest: await digestOf(joined(sources, rest)) };
}

/** One document of its sources and the rest of it, which is an object with members. */
const joined = (sources: Sources, rest: string): string =>
  `{"sources":${JSON.stringify(sources)},${rest.slice(1)}`;

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hexOf(new Uint8Array(bytes, 0, 8));
}
