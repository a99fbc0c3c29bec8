// Which background files there are, which source layer each fills, and where the default comes
// from: the land of `world-atlas`, made from Natural Earth at 1:10 million.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature } from 'topojson-client';
import { featuresOf, type GeoFeature, readGeoJson } from './geojson.ts';

export type BackgroundLayer = 'bg_land' | 'bg_ice' | 'bg_lake' | 'bg_place' | 'bg_sea_name';

/** Files of a background folder, by the layer they fill. The first one is the one it must have. */
const FILES: readonly (readonly [BackgroundLayer, string])[] = [
  ['bg_land', 'ne_10m_land.geojson'],
  ['bg_land', 'ne_10m_minor_islands.geojson'],
  ['bg_ice', 'ne_10m_glaciated_areas.geojson'],
  ['bg_lake', 'ne_10m_lakes.geojson'],
  ['bg_place', 'ne_10m_populated_places_simple.geojson'],
  ['bg_sea_name', 'ne_10m_geography_marine_polys.geojson'],
];

export interface BackgroundSource {
  /** In words, for the dataset record. */
  readonly name: string;
  /** SHA-256 over all files. */
  readonly digest: string;
  /** Folder of GeoJSON files; undefined for the default. */
  readonly folder: string | undefined;
}

export interface LayerFeatures {
  readonly layer: BackgroundLayer;
  readonly features: readonly GeoFeature[];
}

/** Look at a background without reading its features. @throws Error where it has no land */
export function findBackground(folder: string | undefined): BackgroundSource {
  const hash = createHash('sha256');
  if (folder === undefined) {
    hash.update(readFileSync(defaultLandPath()));
    return { name: 'land of 1:10 million', digest: hash.digest('hex'), folder };
  }
  const [, land] = FILES[0]!;
  if (!existsSync(join(folder, land))) {
    throw new Error(
      `${folder} holds no ${land}. A background folder holds Natural Earth layers as GeoJSON.`,
    );
  }
  const present = FILES.filter(([, file]) => existsSync(join(folder, file)));
  for (const [, file] of present) {
    hash.update(file);
    hash.update(readFileSync(join(folder, file)));
  }
  const names = present.map(([, file]) => file.replace(/^ne_|\.geojson$/g, ''));
  return { name: `layers ${names.join(', ')}`, digest: hash.digest('hex'), folder };
}

/** The files of a background folder that are used. */
export function backgroundFiles(folder: string): readonly string[] {
  return FILES.map(([, file]) => join(folder, file)).filter((path) => existsSync(path));
}

/** Read all features. @throws Error naming a file that is no GeoJSON */
export function readBackground({ folder }: BackgroundSource): readonly LayerFeatures[] {
  if (folder === undefined) return [{ layer: 'bg_land', features: readDefaultLand() }];
  return FILES.filter(([, file]) => existsSync(join(folder, file))).map(([layer, file]) => ({
    layer,
    features: readGeoJson(join(folder, file)),
  }));
}

function defaultLandPath(): string {
  return createRequire(import.meta.url).resolve('world-atlas/land-10m.json');
}

function readDefaultLand(): readonly GeoFeature[] {
  const atlas = JSON.parse(readFileSync(defaultLandPath(), 'utf8'));
  return featuresOf(feature(atlas, atlas.objects.land), 'world-atlas/land-10m.json');
}
