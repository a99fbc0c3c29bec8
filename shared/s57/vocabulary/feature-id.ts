// The identity of a feature as text, stable between builds: its cell and its FOID (S-57 Part 3,
// clause 4.3: agency, identification number and subdivision).

interface Foid {
  readonly agency: number;
  readonly number: number;
  readonly subdivision: number;
}

/** e.g. `US5WA22M.550.123456.789`. */
export function objectIdOf(cellName: string, { agency, number, subdivision }: Foid): string {
  return `${cellName}.${agency}.${number}.${subdivision}`;
}

/** The FOID without the cell: an object that continues in another cell has the same FOID. */
export function foidPart(objectId: string): string {
  return objectId.slice(objectId.indexOf('.') + 1);
}
