// The schema of the vector tileset enc-v2: its source layers, their geometry and properties. Documentation, TileJSON
// and the tests of styles are derived from it.

import { COMMON_PROPERTIES, type PropertyKey, TILE_PROPERTIES } from './tile-properties.ts';

/** Major: styles must change. Minor: layers or properties were added. */
export const TILE_SCHEMA_VERSION = '1.9.0';

type TileGeometry = 'point' | 'line' | 'area';

export type LayerGroup =
  | 'background'
  | 'maritime'
  | 'coverage'
  | 'depth'
  | 'ground'
  | 'structures'
  | 'aids'
  | 'dangers'
  | 'areas'
  | 'derived'
  | 'meta';

interface SourceLayer {
  readonly id: string;
  readonly group: LayerGroup;
  readonly geometry: readonly TileGeometry[];
  /** Without the common properties, which charted objects may always have. */
  readonly properties: readonly PropertyKey[];
  readonly meaning?: string;
}

const POINT = ['point'] as const;
const LINE = ['line'] as const;
const AREA = ['area'] as const;
const ANY = ['point', 'line', 'area'] as const;

function layersOf(
  group: LayerGroup,
  ids: string,
  geometry: readonly TileGeometry[],
  properties: readonly PropertyKey[],
  meaning?: string,
): SourceLayer[] {
  return ids.split(' ').map((id) => ({
    id,
    group,
    geometry,
    properties,
    ...(meaning === undefined ? {} : { meaning }),
  }));
}

const MARKS = ['sy', 'sp', 'no', 'co', 'tx', 'tf', 'cat'] as const;
const BUILT = ['sy', 'pt', 'cv', 'ln', 'cat', 'co', 'tx', 'tf', 'vc', 'el'] as const;
const DANGER = [
  'sy',
  'pt',
  'd',
  'dm',
  'ft',
  'dd',
  'ud',
  'sd',
  'qs',
  'ln',
  'fo',
  'ar',
  'cat',
  'rz',
] as const;
const ZONE = ['sy', 'bd', 'rs', 'or', 'tx', 'tf', 'cat', 'd1', 'k', 'pt'] as const;

/** Every source layer of the tiles, in the order of the schema's page. */
export const SOURCE_LAYERS: readonly SourceLayer[] = [
  ...layersOf(
    'background',
    'bg_land bg_ice',
    AREA,
    ['nm', 'rank'],
    'Small-scale land, outside of cells; lakes are holes in it',
  ),
  ...layersOf('background', 'bg_lake', AREA, ['nm', 'rank'], 'Small-scale lakes'),
  ...layersOf('background', 'bg_coast', LINE, ['rank'], 'Small-scale coastline'),
  ...layersOf('background', 'bg_place bg_sea_name', POINT, ['nm', 'rank'], 'Small-scale names'),
  ...layersOf(
    'background',
    'bg_maritime_line',
    LINE,
    ['k', 'nm', 'tx'],
    'Maritime boundaries of the background, also drawn over charts',
  ),
  ...layersOf(
    'background',
    'bg_maritime_area',
    AREA,
    ['k', 'nm', 'tx'],
    'Maritime zones of the background, also drawn over charts',
  ),
  ...layersOf(
    'background',
    'bg_maritime_label',
    POINT,
    ['k', 'nm', 'tx'],
    'Names of maritime zones of the background',
  ),

  ...layersOf('maritime', 'maritime_line', LINE, ['k'], 'Limits of maritime zones'),
  ...layersOf('maritime', 'maritime_area', AREA, ['k'], 'Maritime zones'),
  ...layersOf('maritime', 'maritime_label', POINT, ['k', 'tx'], 'Names of maritime zones'),

  ...layersOf(
    'coverage',
    'coverage',
    AREA,
    ['cell', 'cscl', 'band', 'oz', 'full'],
    'Where a cell is shown',
  ),
  ...layersOf(
    'coverage',
    'coverage_line',
    LINE,
    ['cell', 'k'],
    '`k` edge: outline of a cell; scale: change of scale',
  ),

  ...layersOf(
    'depth',
    'DEPARE DRGARE UNSARE',
    ['area', 'line'],
    ['d1', 'd2', 'rs'],
    'Depth areas, dredged areas and unsurveyed areas',
  ),
  ...layersOf('depth', 'SWPARE', LINE, ['d1', 'dm', 'ft'], 'Limits of swept areas'),
  ...layersOf('depth', 'DEPCNT', LINE, ['v', 'dm', 'ft'], 'Depth contours'),
  ...layersOf(
    'depth',
    'DEPEDGE',
    LINE,
    ['s', 'd', 'dm', 'ft', 'c'],
    'Boundaries between different depth ranges: the safety contour is where s < limit ≤ d',
  ),
  ...layersOf('depth', 'SOUNDG', POINT, ['d', 'dm', 'ft'], 'Soundings, one point each'),

  ...layersOf(
    'ground',
    'LNDARE',
    ANY,
    ['sy'],
    'Land; lines are shores without a charted coastline that is always drawn',
  ),
  ...layersOf(
    'ground',
    'LNDRGN VEGATN SLOGRD LAKARE RIVERS CANALS DOCARE LOKBSN RAPIDS TIDEWY SNDWAV ICEARE BUAARE AIRARE RUNWAY TUNNEL DAMCON CAUSWY DYKCON PRDARE SQUARE',
    ANY,
    BUILT,
  ),
  ...layersOf(
    'ground',
    'LNDELV',
    ['point', 'line'],
    ['sy', 'el', 'tx', 'tf'],
    'Spot heights and height contours',
  ),
  ...layersOf('ground', 'COALNE LAKSHR RIVBNK CANBNK SLOTOP RAILWY FNCLNE', LINE, [
    'cat',
    'ln',
    'cv',
  ]),
  ...layersOf('ground', 'SLCONS ROADWY', ANY, ['cat', 'ln', 'sy']),
  ...layersOf('ground', 'WATFAL', ['point', 'line'], ['sy', 'cat']),

  ...layersOf(
    'structures',
    'BRIDGE PYLONS PONTON HULKES FLODOC DRYDOC GATCON MORFAC BERTHS CRANES OFSPLF SILTNK LNDMRK FORSTC GRIDRN LOGPON BUISGL CONVYR',
    ANY,
    [...BUILT, 'sp'],
  ),
  ...layersOf('structures', 'CBLOHD PIPOHD OILBAR', LINE, ['vc', 'cat', 'tx', 'tf']),
  ...layersOf('structures', 'PILPNT CTRPNT', POINT, ['sy', 'cat']),

  ...layersOf(
    'aids',
    'BOYLAT BOYCAR BOYISD BOYSAW BOYSPP BOYINB BCNLAT BCNCAR BCNISD BCNSAW BCNSPP LITFLT LITVES DAYMAR',
    POINT,
    MARKS,
  ),
  ...layersOf('aids', 'TOPMAR', POINT, ['sy', 'co', 'fl']),
  ...layersOf(
    'aids',
    'LIGHTS',
    POINT,
    ['sy', 'rt', 'tx', 'tf', 'co', 'vn', 'mj', 'sc', 'fl', 'or'],
    'One point per light; lights with the same rhythm share one text',
  ),
  ...layersOf(
    'aids',
    'LIGHTS_SECTOR',
    POINT,
    ['k', 'i', 'r', 'ring', 'vn'],
    '`k` arc, leg or ring (all-round major light): images to be rotated to `r`',
  ),
  ...layersOf(
    'aids',
    'FOGSIG RTPBCN RADRFL RDOSTA RADSTA SISTAT SISTAW RSCSTA CGUSTA DISMAR NOTMRK',
    POINT,
    ['sy', 'tx', 'cat', 'or'],
  ),
  ...layersOf('aids', 'PILBOP', ['point', 'line'], ['sy', 'tx', 'cat']),

  ...layersOf('dangers', 'UWTROC OBSTRN WRECKS', ANY, DANGER),
  ...layersOf('dangers', 'WATTUR WEDKLP FSHFAC MARCUL', ANY, [
    'sy',
    'pt',
    'cat',
    'rs',
    'd',
    'dm',
    'ft',
  ]),
  ...layersOf(
    'dangers',
    'SBDARE',
    ANY,
    ['pt', 'tx', 'ar'],
    'Nature of the sea bed, in INT 1 abbreviations',
  ),
  ...layersOf('dangers', 'SPRING', POINT, ['sy']),

  ...layersOf(
    'areas',
    'ACHARE ACHBRT CTNARE PRCARE DMPGRD PIPARE MIPARE CTSARE CHKPNT HRBFAC SMCFAC SEAARE SPLARE RCTLPT ICNARE',
    ['point', 'line'],
    ZONE,
    'Points and limits',
  ),
  ...layersOf(
    'areas',
    'RESARE CBLARE FAIRWY OSPARE FSHGRD HRBARE FRPARE TSSLPT TSSCRS TSSRON ISTZNE DWRTPT TWRTPT SUBTLN RADRNG ARCSLN',
    LINE,
    ZONE,
    'Limits',
  ),
  ...layersOf('areas', 'TSEZNE', ['area', 'line'], ZONE),
  ...layersOf(
    'areas',
    'CBLSUB PIPSOL TSSBND TSELNE DWRTCL RCRTCL RECTRC NAVLNE FERYRT RADLNE RDOCAL ASLXIS',
    ['point', 'line'],
    ZONE,
  ),
  ...layersOf(
    'areas',
    'CURENT TS_FEB TS_PAD LOCMAG MAGVAR',
    ['point', 'line'],
    ['sy', 'or', 'tx', 'cat'],
  ),

  ...layersOf(
    'derived',
    'AREASYM',
    POINT,
    ['cls', 'sy', 'sl', 'no', 'cv', 'or', 'tx', 'tf', 'dm', 'ft', 'vc', 'cat', 'bd', 'rs'],
    'The symbol, name and text of an area or of a line such as a bridge, once per object',
  ),
  ...layersOf(
    'derived',
    'LOWACC',
    POINT,
    ['cls', 'sy', 'qt'],
    'Doubtful position of the point feature below',
  ),
  ...layersOf(
    'derived',
    'OTHER',
    ['point', 'line'],
    ['cls', 'sy', 'ar', 'tx'],
    'New objects (NEWOBJ), mainly virtual aids, and question marks for objects of unknown classes and for cartographic objects, which an ENC must not contain',
  ),

  ...layersOf('meta', 'M_QUAL', AREA, ['zc', 'pt'], 'Quality of the data'),
  ...layersOf('meta', 'M_NSYS', LINE, ['sys', 'or'], 'Limits of buoyage systems'),
];

/**
 * Object classes that describe data or have nothing to draw: present in queries and data tiles, absent from vector
 * tiles.
 */
export const QUERY_ONLY_CLASSES: ReadonlySet<string> = new Set(
  (
    'M_ACCY M_COVR M_CSCL M_HDAT M_HOPA M_NPUB M_PROD M_SDAT M_SREL M_UNIT M_VDAT M_CONF M_CLAS ' +
    'M_VERS M_LINE C_AGGR C_ASSO C_STAC RETRFL ' +
    'TS_PRH TS_PNH TS_TIS T_HMON T_NHMN T_TIMS ' +
    'WTWAXS WTWPRF BRGARE COMARE HRBBSN LOKARE LKBSPT PRTARE RTPLPT TRNBSN WTWARE TISDGE ' +
    'LG_SDM LG_VSP C_BRGA SENSOR'
  ).split(' '),
);

const LAYERS_BY_ID = new Map(SOURCE_LAYERS.map((layer) => [layer.id, layer]));

export function sourceLayer(id: string): SourceLayer | undefined {
  return LAYERS_BY_ID.get(id);
}

/** Every property that a layer may have, including the common ones for charted objects. */
export function propertiesOf(layer: SourceLayer): readonly PropertyKey[] {
  const isCharted = layer.group !== 'background' && layer.group !== 'coverage';
  return isCharted ? [...new Set([...COMMON_PROPERTIES, ...layer.properties])] : layer.properties;
}

interface VectorLayer {
  readonly id: string;
  readonly description: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** The `vector_layers` of TileJSON 3.0.0 and of the archive's metadata. */
export function vectorLayers(minzoom: number, maxzoom: number): VectorLayer[] {
  return SOURCE_LAYERS.map((layer) => ({
    id: layer.id,
    description: layer.meaning ?? `Object class ${layer.id}`,
    minzoom,
    maxzoom,
    fields: Object.fromEntries(
      propertiesOf(layer).map((key) => [
        key,
        TILE_PROPERTIES[key].type === 'text' ? 'String' : 'Number',
      ]),
    ),
  }));
}
