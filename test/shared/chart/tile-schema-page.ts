// The page that documents the vector tiles (`shared/chart/README.md`), written from the schema so
// that it cannot say anything else. A test compares the two and renews the page on request.

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

What a chart is made of, as plain data: which usage band is shown at which zoom (\`band-for-zoom.ts\`), what a build consists of (\`manifest.ts\`; \`read-manifest.ts\` reads it and checks its sum), what the vector tiles hold (\`tile-schema.ts\`, \`tile-properties.ts\`) and which images their features name (\`symbol-names.ts\`).
Which dated objects are current says \`in-force.ts\`, what boxes round the globe are \`bounds.ts\`, where a map opens \`first-sight.ts\`, which names are names of places \`place-classes.ts\`, how a data tile serves its descendants \`clip-geojson.ts\`, at which zoom a scale is shown \`scale-zoom.ts\`, where signs of areas stand beside one another \`sign-places.ts\`, and which classes SCAMIN never keeps from the tiles \`always-drawn.ts\`.
How cells become these features is the build's business (\`tiles-build/portray\`); how they are drawn is a style's (\`shared/style\`).

## The vector tiles \`enc-v2\`, schema ${TILE_SCHEMA_VERSION}

The source layers and properties below are an interface: a new major version means that a style must change, a minor one that something was added.
This page is written from the schema; \`npx vitest run test/shared/chart -u\` renews it.
Charts made from these tiles are **not for navigation**.

- A source layer is named after the S-57 object class it holds; names in small letters and the derived layers are ours.
- One layer may hold points, lines and polygons. The boundary of an area is never the outline of its polygon: it comes as lines, from which borders of cells and masked edges are left out.
- Everything that depends on a neighbour or a list was decided when the tiles were built. What depends on the mariner stays open: a safety contour is where \`s < limit ≤ d\` in \`DEPEDGE\`, an isolated danger is where \`dd ≤ limit ≤ ud\`.
- The symbol and the name of an area stand once in \`AREASYM\`; \`cls\` tells the class. Dangerous areas have their point in their own layer, with \`ar\`.
- Outside charted areas a tile has background layers (\`bg_…\`) and no others; where there is neither chart nor land it has none.
- Ground that a cell covers without saying what it is, is in \`coverage\` alone: no depth data, never deep water.
- Depths are metres, positive down; drying heights are negative. Bearings are degrees, clockwise from true north.
- Flags and unknown values are absent, not 0 or empty, except where noted.
- Below the scale a cell was compiled for, its soundings, dangers and aids are those that have room, the shoalest and most important first. One that stands for others says for how many (\`n\`); a danger that does has the least \`dd\` and the greatest \`ud\` of them. A sounding or danger that gives way has one of its kind within 24 pixels that is at least as shoal. Soundings that have room at the next zoom are there with an \`mz\` half a zoom before it. Lines and areas that look alike are one feature, in coarser places.
- \`mz\` has a fraction: objects are in the tiles of the whole zoom before it.
- A danger that SCAMIN hides is in the tiles without \`mz\` at the zooms at which no other that is at least as shoal stands within 24 pixels: show it there.
- A potential isolated danger is in the tiles before its \`mz\`: show it there only if it is one for the mariner's limit, and where it carries \`rz\` from that zoom on: below, another stands for it.
- The tiles hold dated objects whatever their dates, as they are looked at for longer than they are made; the dates are on the features as \`ds\`, \`de\`, \`ps\`, \`pe\`. Whoever draws them shows an object from \`ds\` to \`de\`, both included, and not before or after (\`in-force.ts\`): our styles, raster tiles and queries do, by the dates that it is anywhere on earth at that moment, which change at noon UTC. Dangers (\`WRECKS\`, \`OBSTRN\`, \`UWTROC\`) are shown before \`ds\` too, and the skin of the earth always. Seasons hide nothing: a mark that is missed in winter is safer than one that is not drawn in summer.
- A style document is for the days that it names (\`leadline:days\` in its metadata): fetch it again each day. Data tiles hold every object with its dates, as charted. Routes leave out only what was over when its cell was issued, and keep away from whatever else is dated.
`;

/** The whole page as Markdown. */
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

/** Layers that agree in everything but their name share a row. */
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
