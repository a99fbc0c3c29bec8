// The depth at which a danger matters: sounded, or inferred from its attributes and the water
// around it (S-52 DEPVAL02, OBSTRN07, WRECKS05 and UDWHAZ05 in our own words).

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { numberOf } from '../../../shared/s57/vocabulary/typed-values.ts';
import type { Surroundings } from './chart-context.ts';
import { NOT_WATER_METERS } from './skin.ts';

/** WATLEV codes. */
const ALWAYS_UNDER_WATER = 3;
const AWASH = 5;
const ABOVE_WATER: ReadonlySet<number> = new Set([1, 2]);

/** The depth that S-52 assigns to a danger without information: always dangerous. */
const UNKNOWN_METERS = -15;
/** Just under water: dangerous to every boat. */
const JUST_UNDER_METERS = 0.01;
/** A wreck or foul ground known not to endanger surface navigation. */
const HARMLESS_METERS = 20.1;

/** CATOBS 6; foul ground and ground tackle. */
const FOUL_AREA = 6;
const SAFE_TO_CROSS: ReadonlySet<number> = new Set([7, 9]);
/** EXPSOU: shallower than the depth range around it. */
const SHALLOWER = 2;
/** CATWRK 1 to 3. */
const NON_DANGEROUS_WRECK = 1;
const DANGEROUS_WRECK = 2;
const REMAINS_OF_WRECK = 3;

interface DangerDepth {
  /** `dd`: the depth to compare with the mariner's limit. */
  readonly dangerMeters: number;
  /** `ud`: the deepest water in which it lies or which it touches. */
  readonly aroundMeters: number;
}

/**
 * Whether it is foul ground, remains of a wreck or ground tackle, over which ships can sail but not anchor (S-57
 * CATOBS and CATWRK), without any attribute that contradicts this.
 */
export function isHarmless(acronym: string, attributes: Attributes): boolean {
  const isFoul =
    acronym === 'WRECKS'
      ? numberOf(attributes, 'CATWRK') === REMAINS_OF_WRECK
      : acronym === 'OBSTRN' && SAFE_TO_CROSS.has(numberOf(attributes, 'CATOBS') ?? 0);
  return isFoul && numberOf(attributes, 'VALSOU') === undefined && mayBeDeep(attributes);
}

/** Whether no attribute states that it uncovers, is awash, or is shallower than the water around it. */
export function mayBeDeep(attributes: Attributes): boolean {
  const waterLevel = numberOf(attributes, 'WATLEV') ?? ALWAYS_UNDER_WATER;
  return waterLevel === ALWAYS_UNDER_WATER && numberOf(attributes, 'EXPSOU') !== SHALLOWER;
}

export function dangerDepth(
  acronym: string,
  attributes: Attributes,
  surroundings: Surroundings,
): DangerDepth {
  if (isHarmless(acronym, attributes)) {
    return { dangerMeters: HARMLESS_METERS, aroundMeters: NOT_WATER_METERS };
  }
  const waterLevel = numberOf(attributes, 'WATLEV');
  const stands = waterLevel !== undefined && ABOVE_WATER.has(waterLevel);
  const dangerMeters =
    numberOf(attributes, 'VALSOU') ??
    fromSeabed(attributes, surroundings) ??
    (acronym === 'WRECKS' ? ofWreck(attributes) : ofObstruction(attributes));
  return {
    dangerMeters,
    // Objects above water are visible and never become the isolated danger symbol.
    aroundMeters: stands ? NOT_WATER_METERS : surroundings.deepestMeters,
  };
}

/**
 * An object under water within the depth range of its area (EXPSOU 1) or deeper (3) is no shallower
 * than the sea bed around it, if that is surveyed. Of several depth areas, the shallowest counts.
 */
function fromSeabed(attributes: Attributes, around: Surroundings): number | undefined {
  const exposition = numberOf(attributes, 'EXPSOU');
  const isWithinRange = exposition === 1 || exposition === 3;
  if (numberOf(attributes, 'WATLEV') !== ALWAYS_UNDER_WATER || !isWithinRange) return undefined;
  if (around.isUnsurveyed || around.shallowestMeters === NOT_WATER_METERS) return undefined;
  return around.shallowestMeters;
}

function ofObstruction(attributes: Attributes): number {
  if (numberOf(attributes, 'CATOBS') === FOUL_AREA) return JUST_UNDER_METERS;
  return byWaterLevel(attributes);
}

function ofWreck(attributes: Attributes): number {
  const category = numberOf(attributes, 'CATWRK');
  if (category === NON_DANGEROUS_WRECK && mayBeDeep(attributes)) return HARMLESS_METERS;
  if (category === DANGEROUS_WRECK) return UNKNOWN_METERS;
  return byWaterLevel(attributes);
}

function byWaterLevel(attributes: Attributes): number {
  const waterLevel = numberOf(attributes, 'WATLEV');
  if (waterLevel === ALWAYS_UNDER_WATER) return JUST_UNDER_METERS;
  return waterLevel === AWASH ? 0 : UNKNOWN_METERS;
}
