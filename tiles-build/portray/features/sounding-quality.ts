// Quality of a depth, of a sounding or of a danger (S-52 SNDFRM04 in our own words).

import type { Attributes } from '../../../shared/s57/cell/cell.ts';
import { hasAny, listOf } from '../../../shared/s57/vocabulary/typed-values.ts';

/**
 * QUASOU: doubtful, unreliable, no bottom found at the value shown, reported, reported unconfirmed.
 */
const DOUBTFUL_QUALITY: ReadonlySet<number> = new Set([3, 4, 5, 8, 9]);
/** STATUS 18: existence doubtful. */
const DOUBTFUL_STATUS: ReadonlySet<number> = new Set([18]);

/** Whether the depth has a ring on charts. */
export function isDoubtfulDepth(attributes: Attributes): boolean {
  return (
    hasAny(listOf(attributes, 'QUASOU'), DOUBTFUL_QUALITY) ||
    hasAny(listOf(attributes, 'STATUS'), DOUBTFUL_STATUS)
  );
}
