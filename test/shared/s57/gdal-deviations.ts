// Where GDAL 3.6 reads a good cell wrongly, each with its reason. Anything else that differs fails.

export interface Deviation {
  readonly cells: readonly string[];
  /** What GDAL leaves out, as `CLASS.ATTRIBUTE`. */
  readonly droppedAttributes: readonly string[];
  readonly reason: string;
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    cells: ['US3AK12M', 'ZZ3AK12M'],
    droppedAttributes: ['FOGSIG.PEREND', 'FOGSIG.PERSTA'],
    reason:
      "GDAL's class tables do not list the attribute for the class, so it drops the value with a " +
      'warning. The file holds it, no clause of S-57 Part 3 makes it void, and a fog signal that ' +
      'sounds a part of the year is what a navigator has to know.',
  },
];

/**
 * Cells that GDAL opens and that are no good for comparing: bug1526 has no DSPM, so that nobody can
 * know the unit of its coordinates (GDAL takes a default); the fake_s57 files are headers alone.
 */
export const NOT_COMPARED: ReadonlySet<string> = new Set([
  'BUG1526',
  'FAKE_S57',
  'FAKE_S57_UPDATE_DSID',
  'FAKE_S57_VARIANT_C151',
]);
