// The identity of a feature as one text, equal between builds: its cell and its FOID (S-57 Part 3,
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

/** The FOID's part alone: objects that continue in the next cell share it. */
export function foidPart(objectId: string): string {
  return objectId.slice(objectId.indexOf('.') + 1);
}
