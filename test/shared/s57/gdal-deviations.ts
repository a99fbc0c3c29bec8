// Valid cells that GDAL 3.6 reads wrongly, with the reason. Any other difference fails the test.

export interface Deviation {
  readonly cells: readonly string[];
  /** Attributes that GDAL omits, as `CLASS.ATTRIBUTE`. */
  readonly droppedAttributes: readonly string[];
  readonly reason: string;
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    cells: ['US3AK12M', 'ZZ3AK12M'],
    droppedAttributes: ['FOGSIG.PEREND', 'FOGSIG.PERSTA'],
    reason:
      "GDAL's class tables do not list the attribute for the class, so it drops the value with a " +
      'warning. The file contains it, S-57 Part 3 does not forbid it, and navigators must know that ' +
      'a fog signal sounds only during a part of the year.',
  },
];

/**
 * Cells that GDAL opens but that cannot be compared: bug1526 has no DSPM, so that the unit of its
 * coordinates is unknown (GDAL uses a default); the fake_s57 files contain only headers.
 */
export const NOT_COMPARED: ReadonlySet<string> = new Set([
  'BUG1526',
  'FAKE_S57',
  'FAKE_S57_UPDATE_DSID',
  'FAKE_S57_VARIANT_C151',
]);
