// Rocks, wrecks, obstructions and other objects on the sea bed. The style decides whether a danger
// matters to a boat, by comparing `dd` and `ud` with the mariner's limit.

import type { SymbolName } from '../../../shared/chart/symbol-names.ts';
import type { Attributes, Feature } from '../../../shared/s57/cell/cell.ts';
import { decimetres } from '../../../shared/s57/vocabulary/depth-units.ts';
import { listOf, numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { ChartContext } from '../features/chart-context.ts';
import { type ClassRule, type Decision, type RuleTable, rulesFor } from '../features/class-rule.ts';
import { dangerDepth, isHarmless, mayBeDeep } from '../features/danger-depth.ts';
import { entrySign, restrictionOf } from '../features/restrictions.ts';
import { seabedText } from '../features/seabed.ts';
import { DASHED, DOTTED, SOLID } from '../features/shore-line.ts';
import { isDoubtfulDepth } from '../features/sounding-quality.ts';

const DANGER: ClassRule = { parts: ['point', 'line', 'fill', 'outline', 'center'], decide: danger };

export const DANGER_RULES: RuleTable = {
  UWTROC: DANGER,
  OBSTRN: DANGER,
  WRECKS: DANGER,
  WATTUR: { parts: ['point', 'line', 'outline', 'symbol'], decide: () => ({ sy: 'WATTUR02' }) },
  WEDKLP: {
    parts: ['point', 'outline', 'symbol'],
    decide: (attributes) => ({ sy: 'WEDKLP03', cat: numberOf(attributes, 'CATWED') }),
  },
  FSHFAC: {
    parts: ['point', 'line', 'fill', 'outline', 'symbol'],
    decide: (attributes, feature) => {
      const cat = numberOf(attributes, 'CATFIF');
      const sy = cat === 1 ? 'FSHFAC03' : 'FSHFAC02';
      return { cat, sy, pt: feature.primitive === 'area' ? 'FSHFAC04' : undefined };
    },
  },
  MARCUL: {
    parts: ['point', 'line', 'outline', 'symbol'],
    decide: (attributes, _, chart) => ({
      sy: entrySign(attributes) ?? 'MARCUL02',
      cat: numberOf(attributes, 'CATMFA'),
      rs: restrictionOf(attributes)?.boundary,
      ...sounded(numberOf(attributes, 'VALSOU'), chart),
    }),
  },
  ...rulesFor('SBDARE', {
    parts: ['point', 'line', 'patterned', 'center'],
    decide: (attributes) => ({
      tx: seabedText(attributes),
      pt: isRockyLedge(attributes) ? 'RCKLDG01' : undefined,
    }),
  }),
};

/** CATOBS. */
const FISH_HAVEN = 5;
const FOUL_AREA = 6;
const FOUL_GROUND = 7;
const GROUND_TACKLE = 9;
/** Booms, which float. */
const BOOMS: ReadonlySet<number> = new Set([8, 10]);
/** CATWRK. */
const NON_DANGEROUS = 1;
const MAST_SHOWING = 4;
const HULL_SHOWING = 5;
/** WATLEV. */
const PARTLY_ABOVE = 1;
const ALWAYS_DRY = 2;
const ALWAYS_UNDER = 3;
const COVERS = 4;
const AWASH = 5;
const FLOATS = 7;

/** Symbols that are an oval or a circle with space for a depth. */
const WITH_SPACE: ReadonlySet<SymbolName> = new Set(['DANGER01', 'DANGER03']);

function danger(attributes: Attributes, feature: Feature, chart: ChartContext): Decision {
  const acronym = chart.acronymOf(feature);
  const isWreck = acronym === 'WRECKS';
  const depth = numberOf(attributes, 'VALSOU');
  const category = numberOf(attributes, isWreck ? 'CATWRK' : 'CATOBS');
  const isFoul = acronym === 'OBSTRN' && (category === FOUL_AREA || category === FOUL_GROUND);
  const isPoint = feature.primitive === 'point';
  const isSafe = isHarmless(acronym, attributes);
  const sign = isWreck ? (isSafe ? 'FOULGND1' : undefined) : obstructionSign(attributes);
  const areaSign = feature.primitive === 'area' ? sign : undefined;
  const sy = isPoint ? pointSymbol(acronym, attributes) : areaSign;
  const { dangerMeters, aroundMeters } = dangerDepth(
    acronym,
    attributes,
    chart.surroundings(feature),
  );
  return {
    ...sounded(depth, chart),
    sy,
    sd: depth !== undefined && (sy === undefined || WITH_SPACE.has(sy)) ? 1 : undefined,
    qs: depth !== undefined && isDoubtfulDepth(attributes) ? 1 : undefined,
    dd: dangerMeters,
    ud: aroundMeters,
    cat: category,
    fo: isFoul ? 1 : undefined,
    ...(isPoint
      ? {}
      : {
          ln: isSafe ? DASHED : boundaryLine(attributes),
          pt: isFoul && !isSafe ? 'FOULAR01' : undefined,
        }),
  };
}

/** A depth as the integers from which depth texts are composed. */
function sounded(depth: number | undefined, chart: ChartContext): Decision {
  if (depth === undefined) return {};
  return { d: depth, dm: decimetres(depth), ft: chart.feetOf(depth) };
}

/** The symbol of a point danger without a mariner's limit. */
function pointSymbol(acronym: string, attributes: Attributes): SymbolName {
  const depth = numberOf(attributes, 'VALSOU');
  const waterLevel = numberOf(attributes, 'WATLEV');
  if (acronym === 'WRECKS') return wreckSymbol(depth, waterLevel, attributes);
  if (acronym === 'UWTROC') {
    if (waterLevel === COVERS || waterLevel === AWASH) return 'UWTROC04';
    if (depth !== undefined) return 'DANGER01';
    return waterLevel === ALWAYS_UNDER ? 'UWTROC03' : 'UWTROC04';
  }
  return obstructionSign(attributes) ?? obstructionSymbol(depth, waterLevel, attributes);
}

/** The symbol of an obstruction of unknown depth that is foul ground, ground tackle or afloat (look-ups of S-52). */
function obstructionSign(attributes: Attributes): SymbolName | undefined {
  const category = numberOf(attributes, 'CATOBS') ?? 0;
  if (numberOf(attributes, 'VALSOU') !== undefined) return undefined;
  if (isHarmless('OBSTRN', attributes)) return category === GROUND_TACKLE ? 'ACHARE02' : 'FOULGND1';
  const isAfloat = BOOMS.has(category) || numberOf(attributes, 'WATLEV') === FLOATS;
  return isAfloat ? 'FLTHAZ02' : undefined;
}

function obstructionSymbol(
  depth: number | undefined,
  waterLevel: number | undefined,
  attributes: Attributes,
): SymbolName {
  const category = numberOf(attributes, 'CATOBS');
  const isFoulArea = category === FOUL_AREA;
  const isAbove = waterLevel === PARTLY_ABOVE || waterLevel === ALWAYS_DRY;
  if (isAbove && !isFoulArea) return 'OBSTRN11';
  const isSometimesDry = !isFoulArea && (waterLevel === COVERS || waterLevel === AWASH);
  if (depth !== undefined) return isSometimesDry ? 'DANGER03' : 'DANGER01';
  if (category === FISH_HAVEN) return 'FSHHAV01';
  return isSometimesDry ? 'OBSTRN03' : 'OBSTRN01';
}

function wreckSymbol(
  depth: number | undefined,
  waterLevel: number | undefined,
  attributes: Attributes,
): SymbolName {
  if (depth !== undefined) return 'DANGER01';
  if (isHarmless('WRECKS', attributes)) return 'FOULGND1';
  const category = numberOf(attributes, 'CATWRK');
  if (category === MAST_SHOWING || category === HULL_SHOWING) return 'WRECKS01';
  const isUnder = waterLevel === ALWAYS_UNDER;
  if (category === NON_DANGEROUS && isUnder && mayBeDeep(attributes)) return 'WRECKS04';
  return waterLevel !== undefined && !isUnder ? 'WRECKS01' : 'WRECKS05';
}

/** Line style of the boundary of a dangerous area, by how often it is visible. */
function boundaryLine(attributes: Attributes): number {
  if (numberOf(attributes, 'CATOBS') === FOUL_AREA) return DOTTED;
  switch (numberOf(attributes, 'WATLEV')) {
    case PARTLY_ABOVE:
    case ALWAYS_DRY:
      return SOLID;
    case COVERS:
      return DASHED;
    default:
      return DOTTED;
  }
}

/** Rock, lava or coral that uncovers: NATSUR 9, 11, 14 with WATLEV 4. */
function isRockyLedge(attributes: Attributes): boolean {
  const isRock = listOf(attributes, 'NATSUR').some((code) => [9, 11, 14].includes(code));
  return isRock && numberOf(attributes, 'WATLEV') === COVERS;
}
