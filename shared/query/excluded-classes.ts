// Object classes that a feature query never returns, or returns only at large zooms.

import { objectClassByAcronym } from '../s57/vocabulary/object-classes.ts';

/** Last zoom at which depth contours and soundings are excluded. */
export const LAST_ZOOM_WITHOUT_DEPTHS = 12;

const codes = (...acronyms: readonly string[]): ReadonlySet<number> =>
  new Set(acronyms.map((acronym) => objectClassByAcronym(acronym)!.code));

/** Includes `m_nsys`, the systems of marks of inland charts, which extend those of sea charts. */
const NEVER = codes('M_NSYS', 'm_nsys', 'M_QUAL', 'M_NPUB', 'MAGVAR');
const AT_LARGE_ZOOMS = codes('DEPCNT', 'SOUNDG');

/** Whether the contract excludes a class at a zoom (rules 2 and 3 of enc_query). */
export function isExcluded(classCode: number, zoom: number): boolean {
  return (
    NEVER.has(classCode) || (zoom <= LAST_ZOOM_WITHOUT_DEPTHS && AT_LARGE_ZOOMS.has(classCode))
  );
}
