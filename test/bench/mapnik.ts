// Mapnik, from Debian's packages, draws the ground, lines, marks and soundings of the same vector tiles
// with a far simpler style than ours. It is a reference for the cost of a picture.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TileId } from '../../shared/geo/tile.ts';
import { decodeTile, polygonsOf, type TileFeature } from '../../shared/mvt/decode.ts';
import { openArchive } from '../../tiles-build/archive/file-source.ts';

const PYTHON = '/usr/bin/python3';

export const hasMapnik = spawnSync(PYTHON, ['-c', 'import mapnik']).status === 0;

const AREAS: readonly (readonly [layer: string, color: string])[] = [
  ['bg_land', '#bfbe8f'],
  ['DEPARE', '#a7d9fb'],
  ['DRGARE', '#82caff'],
  ['LNDARE', '#bfbe8f'],
  ['BUAARE', '#a19653'],
];
const LINES = ['DEPCNT', 'DEPEDGE', 'COALNE', 'SLCONS', 'NAVLNE', 'RECTRC', 'CBLSUB', 'PONTON'];
const MARKS = ['UWTROC', 'OBSTRN', 'WRECKS', 'LIGHTS', 'BOYLAT', 'BCNLAT', 'PILPNT', 'LNDMRK'];

/** Milliseconds of processor time to render and encode a tile, on average. */
export async function mapnikCpuMs(charts: string, tiles: readonly TileId[]): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'leadline-mapnik-'));
  const { archive, close } = await openArchive(wholeArchive(charts, 'enc-v2'));
  try {
    const jobs = [];
    for (const [i, { z, x, y }] of tiles.entries()) {
      // As our own: a raster tile is a quarter of the vector tile of the zoom before it.
      const stored = await archive.getZxy(z - 1, x >> 1, y >> 1);
      if (stored === undefined) continue;
      const layers = [];
      for (const { name, features } of decodeTile(new Uint8Array(stored.data))) {
        const file = join(scratch, `${i}-${name}.json`);
        writeFileSync(
          file,
          JSON.stringify({ type: 'FeatureCollection', features: features.map(geoJson) }),
        );
        layers.push({ name, file });
      }
      const [left, top] = [(x % 2) * 2048, (y % 2) * 2048];
      jobs.push({ layers, box: [left, -top - 2048, left + 2048, -top] });
    }
    writeFileSync(join(scratch, 'jobs.json'), JSON.stringify({ jobs, styles: stylesXml() }));
    const ran = spawnSync(PYTHON, ['-c', SCRIPT, join(scratch, 'jobs.json')], { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`mapnik: ${ran.stderr}`);
    return Number(ran.stdout);
  } finally {
    await close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function geoJson({ type, properties, paths }: TileFeature): object {
  const line = (path: readonly number[]) =>
    Array.from({ length: path.length / 2 }, (_, i) => [path[2 * i]!, -path[2 * i + 1]!]);
  const ring = (path: readonly number[]) => [...line(path), line(path)[0]!];
  const geometry =
    type === 1
      ? { type: 'MultiPoint', coordinates: line(paths[0]!) }
      : type === 2
        ? { type: 'MultiLineString', coordinates: paths.map(line) }
        : { type: 'MultiPolygon', coordinates: polygonsOf(paths).map((one) => one.map(ring)) };
  return { type: 'Feature', properties, geometry };
}

function stylesXml(): string {
  const rule = (name: string, symbolizer: string) =>
    `<Style name="${name}"><Rule>${symbolizer}</Rule></Style>`;
  const text =
    '<TextSymbolizer face-name="DejaVu Sans Book" size="9" halo-radius="1" allow-overlap="true">[dm]</TextSymbolizer>';
  return [
    ...AREAS.map(([name, color]) => rule(name, `<PolygonSymbolizer fill="${color}"/>`)),
    ...LINES.map((name) => rule(name, '<LineSymbolizer stroke="#4c5b63" stroke-width="1"/>')),
    ...MARKS.map((name) => rule(name, '<MarkersSymbolizer width="8" allow-overlap="true"/>')),
    rule('SOUNDG', text),
  ].join('');
}

/** Renders every job twice, and counts the second time: the first reads the files. */
const SCRIPT = `
import json, mapnik, sys, time
work = json.load(open(sys.argv[1]))
mapnik.register_fonts('/usr/share/fonts/truetype/dejavu')
spent = 0
for job in work['jobs']:
    found = {layer['name']: layer['file'] for layer in job['layers']}
    order = ${JSON.stringify([...AREAS.map(([name]) => name), ...LINES, ...MARKS, 'SOUNDG'])}
    layers = ''.join(
        '<Layer name="%s"><StyleName>%s</StyleName><Datasource><Parameter name="type">geojson</Parameter>'
        '<Parameter name="file">%s</Parameter></Datasource></Layer>' % (name, name, found[name])
        for name in order if name in found)
    chart = mapnik.Map(256, 256)
    mapnik.load_map_from_string(chart, '<Map background-color="#93aebb">' + work['styles'] + layers + '</Map>')
    chart.zoom_to_box(mapnik.Box2d(*job['box']))
    for measured in (False, True):
        started = time.process_time()
        image = mapnik.Image(256, 256)
        mapnik.render(chart, image)
        image.tostring('png256')
        if measured:
            spent += time.process_time() - started
print(1000 * spent / max(1, len(work['jobs'])))
`;

import { wholeArchive } from '../support/whole-archive.ts';
