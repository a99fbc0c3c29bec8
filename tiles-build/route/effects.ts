// What each object class does to navigability: the rules, class by class. What is not known is taken
// for the worse: a danger without a depth is never safe, a bridge without a clearance has none.

import { SEA_FLAGS } from '../../shared/route/sea.ts';
import type { Attributes, Primitive } from '../../shared/s57/cell/cell.ts';
import { listOf, numberOf } from '../../shared/s57/vocabulary/typed-values.ts';
import { leastDepth } from '../portray/features/skin.ts';
import { type Effect, NO_EFFECT } from './item.ts';

type Rule = (attributes: Attributes, primitive: Primitive) => Effect | undefined;

/** Metres around points: what they stand for is that wide, or that well placed. */
export const POINT_RADIUS_METERS = 10;
/** Metres around lines that ships are led along. */
const TRACK_RADIUS_METERS = 25;

const LAND: Effect = { ...NO_EFFECT, kind: 'land', depth: Number.NaN };
const STRUCTURE: Effect = { ...NO_EFFECT, kind: 'structure', depth: Number.NaN };

const land: Rule = (_, primitive) => ({ ...LAND, isGround: primitive === 'area' });
const structure: Rule = () => STRUCTURE;
/** Of the skin of the earth: nothing else says what the ground below is. */
const groundStructure: Rule = (_, primitive) => ({ ...STRUCTURE, isGround: primitive === 'area' });
const STANDING = 'LNDMRK SILTNK BUISGL FORSTC';
/** What stands on land as a rule: on an area of it, nothing more is said. */
const standing: Rule = (_, primitive) => (primitive === 'point' ? STRUCTURE : undefined);
const marks =
  (...flags: readonly (keyof typeof SEA_FLAGS)[]): Rule =>
  () => ({ ...NO_EFFECT, flags: flags.reduce((sum, flag) => sum | SEA_FLAGS[flag], 0) });
const track: Rule = (_, primitive) => ({
  ...NO_EFFECT,
  flags: SEA_FLAGS.fairway,
  radius: primitive === 'area' ? 0 : TRACK_RADIUS_METERS,
});

/** Depth areas: the least depth; where it is not known, the flag alone says so. */
const depthArea: Rule = (attributes, primitive) => {
  const depth = leastDepth(attributes);
  const isGround = primitive === 'area';
  if (depth === undefined) return { ...UNKNOWN_DEPTH, isGround };
  return { ...NO_EFFECT, kind: 'depth', depth, isGround };
};
const UNKNOWN_DEPTH: Effect = {
  ...NO_EFFECT,
  kind: 'unknown-depth',
  flags: SEA_FLAGS.unknownDepth,
};

/** Dangers: as deep as they were sounded, else never safe, whatever the water level says. */
const danger: Rule = (attributes) => ({
  ...NO_EFFECT,
  kind: 'danger',
  depth: numberOf(attributes, 'VALSOU') ?? Number.NaN,
});
/** What lies on the sea bed, where its least depth is charted. */
const onSeabed: Rule = (attributes) => {
  const depth = leastDepth(attributes) ?? numberOf(attributes, 'VALSOU');
  return depth === undefined ? undefined : { ...NO_EFFECT, kind: 'danger', depth };
};

/** CATBRG: opening, swing, lifting, bascule, draw. */
const OPENING_BRIDGES: ReadonlySet<number> = new Set([2, 3, 4, 5, 7]);

const overhead: Rule = (attributes) => ({
  ...NO_EFFECT,
  kind: 'overhead',
  clearance: leastOf(attributes, ['VERCLR', 'VERCCL', 'VERCSA']),
});
const bridge: Rule = (attributes, primitive) => {
  const opens = listOf(attributes, 'CATBRG').some((code) => OPENING_BRIDGES.has(code));
  if (!opens) return overhead(attributes, primitive);
  return {
    ...NO_EFFECT,
    kind: 'overhead',
    clearance: numberOf(attributes, 'VERCOP') ?? Number.POSITIVE_INFINITY,
    flags: SEA_FLAGS.openingBridge,
  };
};

function leastOf(attributes: Attributes, acronyms: readonly string[]): number {
  const known = acronyms.flatMap((acronym) => numberOf(attributes, acronym) ?? []);
  return known.length === 0 ? Number.NaN : Math.min(...known);
}

const LOCK_GATE = 4;
/** The gates of locks open for ships; all others are taken for closed. */
const gate: Rule = (attributes) => {
  if (numberOf(attributes, 'CATGAT') !== LOCK_GATE) return STRUCTURE;
  const clearance = numberOf(attributes, 'VERCLR') ?? Number.POSITIVE_INFINITY;
  const kind = clearance === Number.POSITIVE_INFINITY ? undefined : 'overhead';
  return { ...NO_EFFECT, kind, clearance, flags: SEA_FLAGS.lock };
};

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

const MINEFIELD = 14;
const OFFSHORE_SAFETY_ZONE = 1;
const MILITARY_AREA = 9;
/** What the category of a restricted area says beyond its restrictions. */
const restrictedArea: Rule = (attributes, primitive) => {
  const categories = listOf(attributes, 'CATREA');
  if (categories.includes(MINEFIELD)) return PROHIBITED;
  if (categories.includes(OFFSHORE_SAFETY_ZONE)) return RESTRICTED;
  return categories.includes(MILITARY_AREA) ? marks('military')(attributes, primitive) : undefined;
};

const PROHIBITED: Effect = {
  ...NO_EFFECT,
  kind: 'prohibited',
  depth: Number.POSITIVE_INFINITY,
  flags: SEA_FLAGS.prohibited,
};
const RESTRICTED: Effect = { ...NO_EFFECT, kind: 'restricted', flags: SEA_FLAGS.restricted };

const rulesFor = (acronyms: string, rule: Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(acronyms.split(' ').map((acronym) => [acronym, rule]));

export const ROUTE_RULES: Readonly<Record<string, Rule>> = {
  DEPARE: depthArea,
  DRGARE: (attributes, primitive) => {
    const area = depthArea(attributes, primitive)!;
    return { ...area, flags: area.flags | SEA_FLAGS.fairway };
  },
  UNSARE: (_, primitive) => ({ ...UNKNOWN_DEPTH, isGround: primitive === 'area' }),
  ...rulesFor('LNDARE COALNE LAKSHR RIVBNK CANBNK RAPIDS WATFAL', land),
  ...rulesFor('PONTON HULKES FLODOC', groundStructure),
  ...rulesFor('SLCONS DYKCON DAMCON CAUSWY PYLONS PILPNT MORFAC OFSPLF DRYDOC', structure),
  ...rulesFor('FSHFAC LOGPON OILBAR GRIDRN LITFLT LITVES', structure),
  ...rulesFor(STANDING, standing),
  ...rulesFor('BCNCAR BCNISD BCNLAT BCNSAW BCNSPP', structure),
  ...rulesFor('BOYCAR BOYINB BOYISD BOYLAT BOYSAW BOYSPP', structure),
  ...rulesFor('BCNWTW BOYWTW', structure),
  ...rulesFor('OBSTRN WRECKS UWTROC MARCUL', danger),
  ...rulesFor('PIPSOL CBLSUB', onSeabed),
  BRIDGE: bridge,
  ...rulesFor('CBLOHD PIPOHD CONVYR', overhead),
  GATCON: gate,
  LOKBSN: marks('lock'),
  TSSLPT: lane,
  TSSRON: () => ({ ...NO_EFFECT, flags: SEA_FLAGS.lane }),
  ...rulesFor('TSEZNE TSELNE', marks('separation')),
  ...rulesFor('FAIRWY DWRTPT DWRTCL RECTRC RCRTCL RCTLPT TWRTPT', track),
  NAVLNE: leading,
  RESARE: restrictedArea,
  ...rulesFor('MIPARE SUBTLN', marks('military')),
  ...rulesFor('CTNARE PRCARE TSSCRS DMPGRD OSPARE SPLARE ICNARE', marks('caution')),
  ...rulesFor('SNDWAV WATTUR WEDKLP CTSARE', marks('caution')),
  ICEARE: ice,
};

/** Points of these count where they stand in water, as wind turbines do (LNDMRK), and not on the shore. */
export const STANDING_CLASSES: ReadonlySet<string> = new Set(STANDING.split(' '));

/** RESTRN: entry prohibited. */
const ENTRY_PROHIBITED = 7;
/** RESTRN: entry restricted, area to be avoided. */
const ENTRY_RESTRICTED: readonly number[] = [8, 14];

/** All that a feature does: by its class, and by the restrictions that many classes can have. */
export function effectsOf(
  acronym: string,
  attributes: Attributes,
  primitive: Primitive,
): readonly Effect[] {
  const own = ROUTE_RULES[acronym]?.(attributes, primitive);
  const effects = own === undefined ? [] : [own];
  if (primitive !== 'area') return effects;
  const restrictions = listOf(attributes, 'RESTRN');
  const adds = (effect: Effect) => !effects.some(({ kind }) => kind === effect.kind);
  if (restrictions.includes(ENTRY_PROHIBITED))
    return adds(PROHIBITED) ? [...effects, PROHIBITED] : effects;
  if (ENTRY_RESTRICTED.some((code) => restrictions.includes(code)) && adds(RESTRICTED)) {
    return [...effects, RESTRICTED];
  }
  return effects;
}
