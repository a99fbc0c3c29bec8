// Paths and parameters that were found, or made up, to break the reading of them, kept for good.

const ODD_NUMBERS = [
  '1e2',
  '0x10',
  '%205',
  '5%20',
  '+5',
  '%2B5',
  '%D9%A3',
  '%EF%BC%95',
  '-0',
  '-1',
  '05',
  '4.0',
  '4.',
  '.4',
  '1_0',
  'NaN',
  'Infinity',
  '9007199254740993',
  '4294967296',
  '2147483648',
  '%00',
  '%2F',
  'null',
  '{z}',
  '5%0A',
  '5%0D%0A',
  '5;',
  '5,6',
  '5%E2%80%8B',
  '0b1',
  '1n',
  '%',
  '%zz',
  '%ff',
  '5%00',
] as const;

const SETS = [
  ['enc-v2', 'mvt', 400],
  ['data-geojson-v1', 'json', 400],
  ['data-shoreline-v1', 'json', 400],
  ['raster-v1', 'png', 404],
] as const;

/** Address and status. */
export const TILES: readonly (readonly [path: string, status: number])[] = SETS.flatMap(
  ([set, end, status]) =>
    ODD_NUMBERS.flatMap((odd) =>
      [0, 1, 2].map((place) => {
        const parts = ['5', '5', '5'];
        parts[place] = odd;
        return [`/api/v2/tiles/${set}/${parts.join('/')}.${end}`, status] as const;
      }),
    ),
);

const each = (path: string, queries: readonly string[]) =>
  queries.map((query) => `${path}?${query}`);

const LIST = [
  'bbox=',
  'bbox=1,2,3',
  'bbox=a,b,c,d',
  'bbox=-181,0,0,1',
  'bbox=0,0,1e400,1',
  'bbox=NaN,0,1,1',
  'bbox=0x1,0,1,1',
  'bbox=0,5,1,1',
  'bbox=0,0,1,1,2,2',
  'bbox=0,0,1,1&bbox=2,2,3,3',
  'bbox=0,0,1,1%00',
  'bbox=170,0,-170,1',
  'bbox=-180,-90,180,90',
  'limit=0',
  'limit=501',
  'limit=-1',
  'limit=1e2',
  'limit=5.5',
  'limit=%D9%A3',
  'limit=9007199254740993',
  'limit=1&limit=2',
  'since=-1',
  'since=x',
  'since=1e400',
  'since=9007199254740993',
  'cursor=x',
  'cursor=%00',
  'cursor=eyJhIjoxfQ',
  'cursor=9e99_6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  'cursor=9007199254740993.6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  'cursor=99999999999999.6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  'cursor=1795385139978.4431b7f5-b67a-4664-82a4-70fc082898ag',
  'includeDeleted=x',
  'offset=-1',
  'offset=9007199254740993',
  'offset=100000&limit=9007199254740993',
  'includeExpired=x',
  'reportType=x',
  'format=x',
  '__proto__=1',
] as const;

const STYLE = [
  'theme=DAY',
  'theme=',
  'theme=day&theme=night',
  'depthLimit=NaN',
  'depthLimit=1e400',
  'depthLimit=-1',
  'depthLimit=0x10',
  'depthLimit=%D9%A3',
  'depthLimit=1,5',
  'depthLimit=-0',
  'depthLimit=1e-400',
  'depthUnits=fathom',
  'roundOffSoundings=yes',
  'showMaritimeBoundaries=true',
  'satelliteTileUrl=javascript:alert(1)',
  'satelliteTileUrl=data:,x',
  'satelliteTileUrl=%00',
  'satelliteTileUrl=//x/%7Bz%7D/%7Bx%7D/%7By%7D',
  'glyphs=x',
  'font=__proto__',
  'styleId=%00',
  'styleName=%ED%A0%80',
  'styleName=%00',
  'hideLayers=,,,',
  'showLayers=__proto__',
  '%00=1',
  '%=1',
] as const;

const REGION = [
  'bbox=0,0,1,1',
  'bbox=0,0,1,1&maxZoom=99',
  'bbox=0,0,1,1&maxZoom=-1',
  'bbox=0,0,1,1&maxZoom=1e1',
  'bbox=-180,-90,180,90&maxZoom=16',
  'bbox=0,0,0,0&maxZoom=6',
  'bbox=NaN,0,1,1&maxZoom=6',
  'bbox=0,0,1,1&maxZoom=6&from=%00',
  'bbox=0,0,1,1&maxZoom=6&from=../..',
  'bbox=0,0,1,1&maxZoom=6&maxZoom=7',
] as const;

const SOUNDED = [
  'bbox=0,0,5,5&zoom=99',
  'bbox=0,0,5,5&zoom=-1',
  'bbox=0,0,5,5&zoom=1e1',
  'bbox=0,0,5,5&zoom=NaN',
  'bbox=-180,-90,180,90&zoom=22',
  'bbox=0,90,5,90&zoom=5',
  'bbox=0,-90,5,-86&zoom=14',
  'bbox=180,0,-180,1&zoom=3',
  'bbox=0,0,0,0&zoom=22',
] as const;

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const IDS = [
  ID.toUpperCase(),
  '00000000-0000-0000-0000-000000000000',
  `%7B${ID}%7D`,
  ID.replaceAll('-', ''),
  `${ID}%20`,
  `${ID}%00`,
  "1'%20or%201=1",
  'a'.repeat(5000),
  '%',
  '%ff',
  '%F0%9F%9A%A2',
] as const;

/** Read with a token: any documented answer but an error of the service is one. */
export const READS: readonly string[] = [
  ...each('/api/v1/user-reports', LIST),
  ...each('/api/v1/styles/base.json', STYLE),
  ...each('/api/v1/regions/plan', REGION),
  ...each('/api/v1/user-reports/bathymetry/soundings', SOUNDED),
  ...each('/api/v1/user-reports/bathymetry', [
    'cursor=x',
    'limit=0',
    'uniqueId=%00',
    'limit=99999',
  ]),
  ...IDS.map((id) => `/api/v1/user-reports/${id}`),
  ...IDS.map((id) => `/api/v1/user-reports/bathymetry/${id}`),
  ...IDS.map((id) => `/api/portal/v1/styles/${id}`),
];
