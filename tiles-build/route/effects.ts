// The effects of each object class on navigability: the rules, class by class. Unknown values count
// as the worst case: a danger without a depth is never safe, and a bridge without a clearance has
// no clearance.

import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Attributes, Primitive } from '../../shared/s57/cell/cell.ts';
import { listOf, numberOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { leastDepth } from '../portray/features/skin.ts';
import { type Effect, NO_EFFECT } from './item.ts';
import { newObjectEffects, newObjectText } from './new-object-effects.ts';
import { restrictionEffects, restrictionText } from './restriction-effects.ts';

type Rule = (attributes: Attributes, primitive: Primitive) => Effect | undefined;

/** Metres around points: the size of the object, or the accuracy of its position. */
export const POINT_RADIUS_METERS = 10;
/**
 * Metres around buoys and beacons: their own size. The dangers that they mark are charted
 * themselves, so an approximate position of a mark (QUAPOS, POSACC) does not make it larger. A
 * radius of that size would close the channel between two marks.
 */
export const MARK_RADIUS_METERS = 2;
/** Metres around bridges, dams and gates that are charted as points: their usual length. */
export const SPAN_RADIUS_METERS = 100;
/** Metres around lines that show ships the way. */
const TRACK_RADIUS_METERS = 25;

const LAND: Effect = { ...NO_EFFECT, kind: 'land', depth: Number.NaN };
const STRUCTURE: Effect = { ...NO_EFFECT, kind: 'structure', depth: Number.NaN };

const land: Rule = (_, primitive) => ({ ...LAND, isGround: primitive === 'area' });
const structure: Rule = () => STRUCTURE;
/** A structure of the skin of the earth: no other object describes the ground below it. */
const groundStructure: Rule = (_, primitive) => ({ ...STRUCTURE, isGround: primitive === 'area' });
/** A dam across the water, even if it is charted as a point. */
const span: Rule = (_, primitive) => spanning(STRUCTURE, primitive);
const spanning = (effect: Effect, primitive: Primitive): Effect =>
  primitive === 'point' ? { ...effect, radius: SPAN_RADIUS_METERS } : effect;
const MARKS = 'BCNCAR BCNISD BCNLAT BCNSAW BCNSPP BCNWTW BOYCAR BOYISD BOYLAT BOYSAW BOYSPP BOYWTW';
const STANDING =
  'LNDMRK SILTNK BUISGL FORSTC CRANES DAYMAR DISMAR FNCLNE NOTMRK BUNSTA REFDMP WTWGAG';
/** Usually on land; closes water if it stands in water. */
const standing: Rule = () => STRUCTURE;
const marks =
  (...flags: readonly (keyof typeof SEA_FLAGS)[]): Rule =>
  () => ({ ...NO_EFFECT, flags: flags.reduce((sum, flag) => sum | SEA_FLAGS[flag], 0) });
/** TRAFIC: inbound, outbound, one-way. */
const ONE_WAY_TRAFFIC: ReadonlySet<number> = new Set([1, 2, 3]);
/** The least depth of a fairway limits the draft if it is less than that of the depth areas. */
const track: Rule = (attributes, primitive) => {
  const bearing = ONE_WAY_TRAFFIC.has(numberOf(attributes, 'TRAFIC') ?? 0)
    ? numberOf(attributes, 'ORIENT')
    : undefined;
  const oneWay = bearing === undefined ? 0 : SEA_FLAGS.oneWay;
  const way = { ...NO_EFFECT, flags: SEA_FLAGS.fairway | oneWay, bearing };
  return primitive === 'area'
    ? { ...way, ...seabedOf(attributes) }
    : { ...way, radius: TRACK_RADIUS_METERS };
};

/** Depth areas: the least depth. If the depth is unknown, only the flag shows it. */
const depthArea: Rule = (attributes, primitive) => {
  const depth = leastDepth(attributes);
  const isGround = primitive === 'area';
  // The water is at most as deep as the deep end.
  if (depth === undefined) {
    const deepest = numberOf(attributes, 'DRVAL2') ?? UNKNOWN_DEPTH.depth;
    return { ...UNKNOWN_DEPTH, isGround, depth: deepest };
  }
  return { ...NO_EFFECT, kind: 'depth', depth, isGround };
};
const UNKNOWN_DEPTH: Effect = {
  ...NO_EFFECT,
  kind: 'unknown-depth',
  flags: SEA_FLAGS.unknownDepth,
};

/**
 * Dangers: the sounded depth of the top, otherwise never safe. A rock that covers and uncovers
 * (WATLEV 4, 5) has its drying height.
 */
const danger: Rule = (attributes) => {
  const depth = isTopUnknown(attributes) ? undefined : numberOf(attributes, 'VALSOU');
  return { ...NO_EFFECT, kind: 'danger', depth: depth ?? Number.NaN };
};
/**
 * Values with which a depth (VALSOU) is not that of the top of the object. WATLEV 1, 2, 7: partly
 * under water, dry, floating. CATOBS 8, 10: booms. CATWRK 4, 5: the mast or the hull shows.
 * QUASOU 2: depth unknown.
 */
const TOP_UNKNOWN = { WATLEV: [1, 2, 7], CATOBS: [8, 10], CATWRK: [4, 5], QUASOU: [2] } as const;
const isTopUnknown = (attributes: Attributes): boolean =>
  Object.entries(TOP_UNKNOWN).some(([acronym, codes]) =>
    listOf(attributes, acronym).some((code) => (codes as readonly number[]).includes(code)),
  );
/** Objects with their own least depth, if it is charted. */
const onSeabed: Rule = (attributes) => {
  const seabed = seabedOf(attributes);
  return seabed && { ...NO_EFFECT, ...seabed };
};

function seabedOf(attributes: Attributes): Pick<Effect, 'kind' | 'depth'> | undefined {
  const depth = leastDepth(attributes) ?? numberOf(attributes, 'VALSOU');
  return depth === undefined ? undefined : { kind: 'danger', depth };
}

/** STATUS 4, not in use; CONDTN 1 and 2, under construction and ruined: it does not open. */
const isOutOfUse = (attributes: Attributes): boolean =>
  listOf(attributes, 'STATUS').includes(4) || [1, 2].includes(numberOf(attributes, 'CONDTN') ?? 0);

/** CATBRG: opening, swing, lifting, bascule, draw. */
const OPENING_BRIDGES: ReadonlySet<number> = new Set([2, 3, 4, 5, 7]);
/** A lifting bridge (CATBRG 4), whose height is limited even when it is open. */
const LIFTING_BRIDGE = 4;

/** CATBRG 6: a bridge that floats on pontoons. Without a clearance, nothing passes below it. */
const PONTOON_BRIDGE = 6;

const CLEARANCES = ['VERCLR', 'VERCCL', 'VERCSA'] as const;

const overhead: Rule = (attributes) => ({
  ...NO_EFFECT,
  kind: 'overhead',
  clearance: leastOf(attributes, CLEARANCES),
});
const bridge: Rule = (attributes, primitive) => {
  const kinds = listOf(attributes, 'CATBRG');
  if (isOutOfUse(attributes) || !kinds.some((code) => OPENING_BRIDGES.has(code))) {
    const floats = kinds.includes(PONTOON_BRIDGE);
    const isClosed = floats && Number.isNaN(leastOf(attributes, CLEARANCES));
    return spanning(isClosed ? STRUCTURE : overhead(attributes, primitive)!, primitive);
  }
  const clearance =
    numberOf(attributes, 'VERCOP') ??
    (kinds.includes(LIFTING_BRIDGE) ? leastOf(attributes, CLEARANCES) : Number.POSITIVE_INFINITY);
  const flags = SEA_FLAGS.openingBridge;
  return spanning({ ...NO_EFFECT, kind: 'overhead', clearance, flags }, primitive);
};

function leastOf(attributes: Attributes, acronyms: readonly string[]): number {
  const known = acronyms.flatMap((acronym) => numberOf(attributes, acronym) ?? []);
  return known.length === 0 ? Number.NaN : Math.min(...known);
}

const LOCK_GATE = 4;
/**
 * Lock gates open for ships; all other gates count as closed. DRVAL1 is the depth over the sill
 * (S-57 Appendix A, GATCON). A gate without limits has edges too, so that a refusal can name it.
 */
const gate: Rule = (attributes, primitive) => {
  const isLock = numberOf(attributes, 'CATGAT') === LOCK_GATE && !isOutOfUse(attributes);
  if (!isLock) return spanning(STRUCTURE, primitive);
  const clearance = numberOf(attributes, 'VERCLR') ?? Number.POSITIVE_INFINITY;
  const sill = seabedOf(attributes);
  const kind = clearance === Number.POSITIVE_INFINITY ? 'danger' : 'overhead';
  return spanning({ ...NO_EFFECT, ...sill, kind, clearance, flags: SEA_FLAGS.lock }, primitive);
};

/** A lock out of use is an obstacle. */
const lock: Rule = (attributes, primitive) =>
  isOutOfUse(attributes) ? STRUCTURE : marks('lock')(attributes, primitive);

const lane: Rule = (attributes) => ({
  ...NO_EFFECT,
  flags: SEA_FLAGS.lane,
  bearing: numberOf(attributes, 'ORIENT'),
});

const LEADING_LINE = 3;
const leading: Rule = (attributes, primitive) =>
  numberOf(attributes, 'CATNAV') === LEADING_LINE ? track(attributes, primitive) : undefined;

const GLACIER = 5;
const ice: Rule = (attributes, primitive) =>
  numberOf(attributes, 'CATICE') === GLACIER
    ? { ...LAND }
    : marks('caution')(attributes, primitive);

const CABLE_FERRIES: ReadonlySet<number> = new Set([2, 4]);
/** A cable or a swinging wire across the water: CATFRY 2, and 4 in inland charts. */
const ferry: Rule = (attributes, primitive) =>
  listOf(attributes, 'CATFRY').some((code) => CABLE_FERRIES.has(code))
    ? marks('caution')(attributes, primitive)
    : undefined;

const BOMBORA = 5;
/** CATWAT 5: waves break over a submerged rock. */
const turbulence: Rule = (attributes, primitive) =>
  numberOf(attributes, 'CATWAT') === BOMBORA
    ? danger(attributes, primitive)
    : marks('caution')(attributes, primitive);

const NOT_INSTALLED = 1;
/** CATDIS 1: a distance that is shown only in the chart. */
const distanceMark: Rule = (attributes, primitive) =>
  numberOf(attributes, 'CATDIS') === NOT_INSTALLED ? undefined : standing(attributes, primitive);

/** CATVEG: mangroves, reed, nipa palm, mangrove tree: plants that grow in water. */
const WATER_PLANTS: ReadonlySet<number> = new Set([7, 11, 17, 21]);
const vegetation: Rule = (attributes, primitive) =>
  listOf(attributes, 'CATVEG').some((code) => WATER_PLANTS.has(code))
    ? marks('caution')(attributes, primitive)
    : undefined;

/** An explicit rule, so that no class is forgotten. */
const nothing: Rule = () => undefined;

const rulesFor = (acronyms: string, rule: Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(acronyms.split(' ').map((acronym) => [acronym, rule]));

export const NAVIGABILITY_RULES: Readonly<Record<string, Rule>> = {
  DEPARE: depthArea,
  DRGARE: (attributes, primitive) => {
    const area = depthArea(attributes, primitive)!;
    return { ...area, flags: area.flags | SEA_FLAGS.fairway };
  },
  UNSARE: (_, primitive) => ({ ...UNKNOWN_DEPTH, isGround: primitive === 'area' }),
  ...rulesFor('LNDARE COALNE LAKSHR RIVBNK CANBNK RAPIDS WATFAL', land),
  ...rulesFor('PONTON HULKES FLODOC', groundStructure),
  ...rulesFor('SLCONS DYKCON CAUSWY PYLONS PILPNT MORFAC OFSPLF DRYDOC', structure),
  DAMCON: span,
  ...rulesFor('FSHFAC LOGPON OILBAR GRIDRN LITFLT LITVES BOYINB', structure),
  ...rulesFor(STANDING, standing),
  DISMAR: distanceMark,
  ...rulesFor(MARKS, structure),
  ...rulesFor('OBSTRN WRECKS UWTROC MARCUL', danger),
  ...rulesFor('PIPSOL CBLSUB BERTHS', onSeabed),
  BRIDGE: bridge,
  ...rulesFor('CBLOHD PIPOHD CONVYR', overhead),
  GATCON: gate,
  // Exceptional structures lift ships or carry them: lifts, inclined planes, aqueducts.
  ...rulesFor('LOKBSN LKBSPT EXCNST', lock),
  TSSLPT: lane,
  TSSRON: () => ({ ...NO_EFFECT, flags: SEA_FLAGS.lane }),
  ...rulesFor('TSEZNE TSELNE', marks('separation')),
  ...rulesFor('FAIRWY DWRTPT DWRTCL RECTRC RCRTCL TWRTPT', track),
  // A recommended lane has one direction without TRAFIC.
  RCTLPT: (attributes, primitive) => track({ ...attributes, TRAFIC: 3 }, primitive),
  NAVLNE: leading,
  ...rulesFor('MIPARE SUBTLN', marks('military')),
  ...rulesFor('CTNARE PRCARE TSSCRS DMPGRD OSPARE SPLARE ICNARE', marks('caution')),
  ...rulesFor('SNDWAV WEDKLP CTSARE SPRING', marks('caution')),
  WATTUR: turbulence,
  VEGATN: vegetation,
  FERYRT: ferry,
  ICEARE: ice,
  // Zones, names and services: RESTRN describes their restrictions.
  ...rulesFor('ADMARE CONZNE COSARE CUSZNE EXEZNE FSHZNE FSHGRD FRPARE HRBARE TESARE', nothing),
  ...rulesFor('RESARE ISTZNE ARCSLN ASLXIS STSLNE TSSBND SEAARE LNDRGN PRTARE COMARE', nothing),
  ...rulesFor('ACHARE ACHBRT CBLARE PIPARE DOCARE HRBBSN HRBFAC SMCFAC TERMNL', nothing),
  ...rulesFor('CHKPNT PILBOP PRDARE TRNBSN LOKARE BRGARE RTPLPT WTWAXS WTWPRF', nothing),
  ...rulesFor('WTWARE VEHTRF TISDGE LG_SDM LG_VSP C_BRGA SENSOR', nothing),
  // Depths: depth areas describe what is safe, and a swept depth is not less than theirs.
  ...rulesFor('DEPCNT SWPARE SBDARE SOUNDG TIDEWY', nothing),
  // On land, in the air, below the sea bed, or waters without depth areas, which are closed anyway.
  ...rulesFor('AIRARE BUAARE CANALS LAKARE RIVERS LNDELV RAILWY ROADWY RUNWAY', nothing),
  ...rulesFor('SLOGRD SLOTOP SQUARE TUNNEL CTRPNT', nothing),
  // Equipment: the structure that carries it is a separate object.
  ...rulesFor('CGUSTA RSCSTA FOGSIG LIGHTS RADLNE RADRFL RADRNG RADSTA RDOCAL RDOSTA', nothing),
  ...rulesFor('RETRFL RTPBCN SISTAT SISTAW TOPMAR', nothing),
  // Streams, tides and magnetism.
  ...rulesFor('CURENT TS_FEB TS_PAD TS_PNH TS_PRH TS_TIS T_HMON T_NHMN T_TIMS', nothing),
  ...rulesFor('LOCMAG MAGVAR', nothing),
  // Metadata, relations between objects, and cartography.
  ...rulesFor('M_ACCY M_COVR M_CSCL M_HDAT M_HOPA M_NPUB M_NSYS M_PROD M_QUAL', nothing),
  ...rulesFor('M_SDAT M_SREL M_UNIT M_VDAT C_AGGR C_ASSO C_STAC', nothing),
  ...rulesFor('$AREAS $LINES $CSYMB $COMPS $TEXTS', nothing),
};

/** These count if they stand in water, like wind turbines (LNDMRK), and not on the shore. */
export const SHORE_STRUCTURE_CLASSES: ReadonlySet<string> = new Set(STANDING.split(' '));

/** Buoys and beacons. As points they have the radius MARK_RADIUS_METERS. */
export const MARK_CLASSES: ReadonlySet<string> = new Set(MARKS.split(' '));

/** An object that no rule covers: a path that meets it gets a warning. */
const WITHOUT_RULE: Effect = {
  ...NO_EFFECT,
  flags: SEA_FLAGS.noticed,
  radius: POINT_RADIUS_METERS,
  notice: 'without-rule',
};

/**
 * All effects of a feature: those of its class, and those of restrictions, which many classes have.
 */
export function effectsOf(
  acronym: string,
  attributes: Attributes,
  primitive: Primitive,
): readonly Effect[] {
  const classEffects = ownEffects(acronym, attributes, primitive);
  return primitive === 'area'
    ? [...classEffects, ...restrictionEffects(acronym, attributes)]
    : classEffects;
}

function ownEffects(
  acronym: string,
  attributes: Attributes,
  primitive: Primitive,
): readonly Effect[] {
  const rule = NAVIGABILITY_RULES[acronym];
  if (rule !== undefined) {
    const effect = rule(attributes, primitive);
    return effect === undefined ? [] : [effect];
  }
  // A class that is not in the catalogue may have the attributes of a new object.
  return [...newObjectEffects(acronym, attributes, primitive), WITHOUT_RULE];
}

/** The text that a warning quotes for a feature with a notice. */
export function noticeText(effect: Effect, attributes: Attributes): string {
  return effect.notice === 'restriction' ? restrictionText(attributes) : newObjectText(attributes);
}
