// Which object classes a feature query never answers with, and which only at large zooms.

import { objectClassByAcronym } from '../s57/vocabulary/object-classes.ts';

/** Last zoom at which depth contours and soundings are left out. */
export const LAST_ZOOM_WITHOUT_DEPTHS = 12;

const codes = (...acronyms: readonly string[]): ReadonlySet<number> =>
  new Set(acronyms.map((acronym) => objectClassByAcronym(acronym)!.code));

/** Also the systems of marks of inland charts, which extend those of the sea. */
const NEVER = codes('M_NSYS', 'm_nsys', 'M_QUAL', 'M_NPUB', 'MAGVAR');
const AT_LARGE_ZOOMS = codes('DEPCNT', 'SOUNDG');

/** Whether the contract leaves a class out at a zoom (rules 2 and 3 of enc_query). */
export function isExcluded(classCode: number, zoom: number): boolean {
  return (
    NEVER.has(classCode) || (zoom <= LAST_ZOOM_WITHOUT_DEPTHS && AT_LARGE_ZOOMS.has(classCode))
  );
}
