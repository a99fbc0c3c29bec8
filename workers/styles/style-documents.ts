// Style documents as text: made once for a set of choices, kept without the token, and completed
// with it on the way out.

import type { Manifest } from '../../shared/chart/manifest.ts';
import { styleCacheKey } from '../../shared/contract/style-params.ts';
import type { AssetsIndex } from '../../shared/style/assets-index.ts';
import {
  buildRasterStyle,
  buildStyle,
  STYLE_VERSION,
} from '../../shared/style/document/build-style.ts';
import type { StyleChart, StyleOptions } from '../../shared/style/options.ts';

/** Stands for the token's part of an address; no address holds it otherwise. */
const TOKEN_MARK = '~token~';
const MAX_DOCUMENTS = 64;

export interface StyleDocument {
  readonly text: string;
  /** Strong: equal for equal bytes only. */
  readonly etag: string;
}

interface Held {
  /** The text between the places of the token. */
  readonly parts: readonly string[];
  readonly digest: string;
}

/** A cache named as one; the longest unused go first. */
const documents = new Map<string, Held>();

export interface StyleWish {
  readonly origin: string;
  readonly manifest: Manifest;
  readonly assets: AssetsIndex;
  readonly options: StyleOptions;
  /** The deployment's own imagery, where it has one. */
  readonly imagery: string | undefined;
}

/** The document of base.json. */
export function baseStyle(wish: StyleWish, queryToken: string | undefined): Promise<StyleDocument> {
  const { origin, manifest, assets, options, imagery } = wish;
  const key = [origin, manifest.buildId, assets.inputs, imagery, styleCacheKey(options)].join(' ');
  return complete(`base ${key}`, queryToken, () =>
    buildStyle({
      options,
      addresses: {
        tiles: tilesOf(origin, 'enc-v2/{z}/{x}/{y}.mvt', manifest),
        sprite: origin + assets.sprites.themes[options.theme],
        glyphs: origin + assets.fonts.template,
        reports: `${origin}/api/v1/user-reports?format=geojson${TOKEN_MARK}`,
        ...(imagery === undefined ? {} : { satellite: imagery }),
      },
      chart: chartOf(manifest),
    }),
  );
}

/** The document of raster.json. */
export function rasterStyle(
  origin: string,
  manifest: Manifest,
  queryToken: string | undefined,
): Promise<StyleDocument> {
  return complete(`raster ${origin} ${manifest.buildId}`, queryToken, () =>
    buildRasterStyle(tilesOf(origin, 'raster-v1/{z}/{x}/{y}.png', manifest), chartOf(manifest)),
  );
}

/** The build is part of the address, so that a new one is never mixed with tiles of the old. */
const tilesOf = (origin: string, path: string, manifest: Manifest) =>
  `${origin}/api/v2/tiles/${path}?v=${manifest.buildId}${TOKEN_MARK}`;

const chartOf = ({ buildId, datasets }: Manifest): StyleChart => ({
  bounds: [-180, -85.0511, 180, 85.0511],
  attribution: [...datasets.map((one) => one.shortDescription), 'Not for navigation'].join(' · '),
  buildId,
});

async function complete(
  key: string,
  queryToken: string | undefined,
  make: () => unknown,
): Promise<StyleDocument> {
  let held = documents.get(key);
  if (held === undefined) {
    const text = JSON.stringify(make());
    held = { parts: text.split(TOKEN_MARK), digest: await digestOf(text) };
  }
  documents.delete(key);
  documents.set(key, held);
  for (const oldest of documents.keys()) {
    if (documents.size <= MAX_DOCUMENTS) break;
    documents.delete(oldest);
  }
  if (queryToken === undefined) return { text: held.parts.join(''), etag: etagOf(held.digest) };
  const query = `&token=${encodeURIComponent(queryToken)}`;
  return { text: held.parts.join(query), etag: etagOf(held.digest, await digestOf(queryToken)) };
}

const etagOf = (...digests: readonly string[]) => `"style${STYLE_VERSION}-${digests.join('-')}"`;

async function digestOf(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes, 0, 8), (b) => b.toString(16).padStart(2, '0')).join('');
}
