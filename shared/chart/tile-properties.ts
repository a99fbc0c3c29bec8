// Every property of features in the vector tiles: a key has the same meaning in all source layers. The schema's
// page, TileJSON and the type of portrayal are derived from this table.

interface PropertySpec {
  readonly type: 'integer' | 'number' | 'text' | 'flag';
  /** Unit of the number; absent for codes and texts. */
  readonly unit?: string;
  readonly meaning: string;
}

const flag = (meaning: string): PropertySpec => ({ type: 'flag', meaning: `1: ${meaning}` });
const text = (meaning: string): PropertySpec => ({ type: 'text', meaning });
const code = (meaning: string): PropertySpec => ({ type: 'integer', meaning });
const integer = (unit: string, meaning: string): PropertySpec => ({
  type: 'integer',
  unit,
  meaning,
});
const number = (unit: string, meaning: string): PropertySpec => ({ type: 'number', unit, meaning });

/** Keys are short because each tile repeats them; flags are absent if not set. */
export const TILE_PROPERTIES = {
  // Common to every charted object.
  mz: number(
    'zoom',
    'shown from this zoom on (SCAMIN at the feature’s latitude, or the floor of its class far below the scale; soundings: also if there is space)',
  ),
  rz: number(
    'zoom',
    'dangers hidden below the compilation scale or below their floor: zoom from which the symbol is shown',
  ),
  n: code(
    'number of objects of its kind that it represents at this zoom, including itself; absent for one',
  ),
  nm: text('name (OBJNAM, otherwise NOBJNM)'),
  nn: text('name in the national language (NOBJNM)'),
  no: text('number or letter on an aid to navigation, or quarter of a channel, from its name'),
  q: code(
    'position: 1 low accuracy (QUAPOS other than 1, 10, 11). Soundings: 1 doubtful, 2 swept by wire',
  ),
  qt: text('kind of doubtful position: PA approximate, PD doubtful, rep reported'),
  inf: flag('has further information (INFORM, TXTDSC, PICREP)'),
  bn: integer('usage band', 'usage band of the cell, 1 overview to 6 berthing'),
  ds: integer('yyyymmdd', 'in force from (DATSTA)'),
  de: integer('yyyymmdd', 'in force until (DATEND)'),
  ps: integer('mmdd', 'in season from, every year (PERSTA)'),
  pe: integer('mmdd', 'in season until, every year (PEREND)'),
  lb: flag('label kept by the placement made at build time at this zoom'),
  cl: code('cell, an index set by the build'),

  // Symbols and patterns.
  sy: text('symbol, a name of the sprite (simplified marks)'),
  sp: text('paper-chart symbol, coloured if it ends in `-SUFFIX`'),
  pt: text('fill pattern, a name of the sprite'),
  rt: number('degree', 'screen rotation of a light’s flare, clockwise from up'),
  or: number('degree', 'true bearing of the symbol or line (ORIENT)'),
  co: text('colours from top to bottom or by sector, one letter each: W B R G U Y E N A V O M P'),
  fl: flag('topmark or light on a floating platform: raised and slanted symbol'),
  cv: flag('conspicuous (CONVIS 1)'),
  sl: code('position of an area’s symbol if its middle is not free: a row of `sign-places.ts`'),
  tx: text('text, with heights and depths in metres'),
  tf: text('the same text in feet; absent if it is the same'),
  cat: code('category of the object, the value of its CATxxx attribute'),
  cls: text('object class that a derived point represents'),
  ar: flag('point that represents an area or a line, which is drawn from separate lines'),

  // Depths and dangers.
  d1: number('metre', 'shallow end of the depth range (DRVAL1; -1 if unknown)'),
  d2: number('metre', 'deep end of the depth range (DRVAL2; just over d1 if unknown)'),
  v: number('metre', 'depth of the contour (VALDCO)'),
  d: number(
    'metre',
    'depth; on DEPEDGE the deep side’s d1 (also as dm, ft). Drying heights are negative',
  ),
  s: number('metre', 'shallow side’s d1; -100 for land and other areas without depths'),
  c: flag(
    'edge along a shore or dry structure that is drawn separately at every zoom and on every day',
  ),
  dm: integer('decimetre', 'the depth, rounded down'),
  ft: integer(
    'foot',
    'the depth in whole feet: as surveyed on charts whose soundings are whole feet, otherwise rounded down',
  ),
  dd: number('metre', 'depth at which the danger matters, inferred if not sounded'),
  ud: number(
    'metre',
    'deepest d1 of depth areas touching the danger; -100 if it is never isolated',
  ),
  sd: flag('the symbol has space for the depth, which is printed in it'),
  qs: flag('the depth of the danger is doubtful (QUASOU 3, 4, 5, 8, 9; STATUS 18)'),
  fo: flag('foul ground or foul area'),
  ln: code(
    'line: 0 dotted (under water), 1 dashed (covers, ruined, building), 2 solid; also selects the tint of areas of dangers',
  ),

  // Lights.
  vn: number('nautical mile', 'nominal range (VALNMR)'),
  mj: flag('major light: all-round, with a range of at least 10 M'),
  sc: flag('light with sectors, drawn by LIGHTS_SECTOR'),
  k: text('kind of line or figure (see the layer)'),
  i: text('image of a sector’s arc or leg in the sprite'),
  r: number('degree', 'true bearing of the image’s upright: an arc’s clockwise start, or a leg'),
  ring: code('0 inner ring, 1 outer ring of nested sectors'),

  // Areas and structures.
  bd: text('boundary: entry, anchor, fishing, caution, info, default'),
  rs: text('restriction of another area, as `bd`, by the severest of RESTRN'),
  vc: number('metre', 'least vertical clearance'),
  el: number('metre', 'elevation above the height datum'),
  sys: code('system of navigational marks (MARSYS)'),
  zc: text('category of zone of confidence: A1, A2, B, C, D or U'),

  // Coverage and background.
  cell: text('cell name'),
  cscl: integer('denominator', 'compilation scale'),
  band: integer('usage band', 'usage band, 1 overview to 6 berthing'),
  oz: number(
    'zoom',
    'zoom at which the cell is shown at twice its compilation scale, if it has finer neighbours',
  ),
  full: flag('all ground of the cell has depth or land areas (S-57 Group 1)'),
  rank: code('importance of a background feature, 0 first'),
} as const satisfies Record<string, PropertySpec>;

export type PropertyKey = keyof typeof TILE_PROPERTIES;

/** Properties that every layer of charted objects may have. */
export const COMMON_PROPERTIES = [
  'mz',
  'n',
  'nm',
  'nn',
  'q',
  'inf',
  'bn',
  'ds',
  'de',
  'ps',
  'pe',
  'cl',
  'lb',
] as const satisfies readonly PropertyKey[];
