// The page that documents the vector tiles (`shared/chart/README.md`), generated from the schema. A test compares
// the two and updates the page on request.

import { COMMON_PROPERTIES, TILE_PROPERTIES } from '../../../shared/chart/tile-properties.ts';
import {
  type LayerGroup,
  SOURCE_LAYERS,
  TILE_SCHEMA_VERSION,
} from '../../../shared/chart/tile-schema.ts';

const GROUPS: Readonly<Record<LayerGroup, string>> = {
  background: 'Background, small scale',
  maritime: 'Maritime zones',
  coverage: 'Coverage of the cells',
  depth: 'Depths',
  ground: 'Land, coast and inland water',
  structures: 'Structures and landmarks',
  aids: 'Aids to navigation and services',
  dangers: 'Dangers and sea bed',
  areas: 'Areas, routes and streams',
  derived: 'Derived from several classes',
  meta: 'About the data',
};

const INTRODUCTION = `# The chart: bands, tiles, symbols

The parts of a chart as plain data: the usage band of each zoom (\`band-for-zoom.ts\`), the manifest of a build (\`manifest.ts\`; \`read-manifest.ts\` reads it and checks its sum; \`part-line.ts\` and \`part-index.ts\` find the part of an archive that stores a tile), the content of the vector tiles (\`tile-schema.ts\`, \`tile-properties.ts\`) and the names of images (\`symbol-names.ts\`).
Also: which dated objects are current (\`in-force.ts\`), boxes on the globe (\`bounds.ts\`), the initial view of a map (\`first-sight.ts\`), which names are names of places (\`place-classes.ts\`), how long a text may be (\`shown-text.ts\`), clipping a data tile to its descendants (\`clip-geojson.ts\`), the zoom of a scale (\`scale-zoom.ts\`), the positions of symbols of overlapping areas (\`sign-places.ts\`), and the classes that SCAMIN never removes from tiles (\`always-drawn.ts\`).
\`tiles-build/portray\` turns cells into these features; \`shared/style\` draws them.

## The vector tiles \`enc-v2\`, schema ${TILE_SCHEMA_VERSION}

The source layers and properties below are an interface: a new major version requires changes of styles, a minor one only adds something.
This page is generated from the schema; \`npx vitest run test/shared/chart -u\` updates it.
Charts made from these tiles are **not for navigation**.

- A source layer is named after the S-57 object class that it contains; names in small letters and derived layers are our own.
- A layer may contain points, lines and polygons. Draw the boundary of an area from its lines, not from the outline of its polygon: the lines omit borders of cells and masked edges.
- Everything that depends on a neighbour or a list is decided when the tiles are built. Styles decide what depends on the mariner: the safety contour is where \`s < limit ≤ d\` in \`DEPEDGE\`, and a danger is isolated if \`dd ≤ limit ≤ ud\`.
- The symbol and the name of an area are one point in \`AREASYM\`; \`cls\` is its class. Dangerous areas and lines have their point in their own layer, with \`ar\`.
- Outside charted areas a tile has only background layers (\`bg_…\`); without chart and land it has no layers.
- Ground that a cell covers without describing it is only in \`coverage\`: it has no depth data and is never deep water.
- Depths are in metres, positive down; drying heights are negative. Bearings are in degrees, clockwise from true north.
- Flags and unknown values are absent, not 0 or empty, except where noted.
- Texts have at most 300 characters; longer ones are shortened and end with an ellipsis.
- Below the compilation scale of a cell, its soundings, dangers and aids are thinned to those with enough space, the shoalest and most important first. A point that represents others has their number (\`n\`); such a danger has the least \`dd\` and the greatest \`ud\` of them. A hidden sounding or danger has one of its kind within 24 pixels that is at least as shoal. Soundings with enough space at the next zoom are in the tile with an \`mz\` half a zoom before it. Lines and areas with equal properties are one feature, with coarser positions.
- Of equal names of places, or of other areas, within 180 pixels one point has \`nm\`. Of lights with equal texts within 22 pixels, one has \`tx\` and \`tf\`. At the deepest zoom of a cell, all lights have their texts, and so have landmarks whose names no area has. Names in different cells are compared within a tile, except those of two landmarks.
- Far below the compilation scale of a cell, objects that SCAMIN does not govern are absent: see \`tiles-build/generalise/README.md\`. Soundings of cells with different SCAMIN begin at the same zoom on both sides of their border.
- \`mz\` has a fraction: objects are in the tiles of the whole zoom before it.
- A danger hidden by SCAMIN is in the tiles without \`mz\` at the zooms at which no other danger that is at least as shoal is within 24 pixels: show it there.
- A potential isolated danger is in the tiles before its \`mz\`. Show it there only if it is isolated for the mariner's limit and, if it has \`rz\`, from that zoom on; below that zoom another one represents it.
- The tiles contain dated objects whatever their dates, because tiles are used long after they are made; the dates are in \`ds\`, \`de\`, \`ps\` and \`pe\`. Show an object from \`ds\` to \`de\`, inclusive (\`in-force.ts\`): our styles, raster tiles and queries do so for all dates that are current anywhere on earth, which change at noon UTC. Dangers (\`WRECKS\`, \`OBSTRN\`, \`UWTROC\`) are also shown before \`ds\`, and the skin of the earth always. Seasons hide nothing: a mark shown in winter when it is absent is safer than one not shown in summer.
- A style document is valid for the days that it names (\`leadline:days\` in its metadata): fetch it again each day. Data tiles contain every object with its dates, as charted. Routes ignore only objects that had expired when their cell was issued, and avoid all other dated objects.
`;

/** The page as Markdown. */
export function tileSchemaPage(): string {
  const groups = Object.keys(GROUPS) as LayerGroup[];
  return [
    INTRODUCTION,
    '### Source layers',
    '',
    `All layers but background and coverage may also carry the common properties: ${keys(COMMON_PROPERTIES)}.`,
    '',
    ...groups.flatMap(groupTable),
    '### Properties',
    '',
    '| key | type | unit | meaning |',
    '|---|---|---|---|',
    ...Object.entries(TILE_PROPERTIES).map(
      ([key, spec]) =>
        `| \`${key}\` | ${spec.type} | ${'unit' in spec ? spec.unit : ''} | ${spec.meaning} |`,
    ),
    '',
  ].join('\n');
}

/** The table of a group; layers that differ only in their names share a row. */
function groupTable(group: LayerGroup): string[] {
  const rows = new Map<string, string[]>();
  for (const layer of SOURCE_LAYERS) {
    if (layer.group !== group) continue;
    const rest = `${layer.geometry.join(', ')} | ${keys(layer.properties)} | ${layer.meaning ?? ''} |`;
    const ids = rows.get(rest);
    if (ids === undefined) rows.set(rest, [layer.id]);
    else ids.push(layer.id);
  }
  return [
    `#### ${GROUPS[group]}`,
    '',
    '| layers | geometry | properties | |',
    '|---|---|---|---|',
    ...[...rows].map(([rest, ids]) => `| ${keys(ids)} | ${rest}`),
    '',
  ];
}

function keys(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ');
}
