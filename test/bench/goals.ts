// Goals of benches: whether what was measured reaches them, and where not, what of the same run says why.

/** Something that is to be so many times something else. */
export interface Goal {
  readonly name: string;
  readonly reached: number;
  readonly wanted: number;
  /** Why it is missed, told by figures of the same run. */
  readonly cause: string;
}

/** A line for each goal; one that is missed says by how much, and why. */
export function goalLines(goals: readonly Goal[]): string[] {
  return goals.map(({ name, reached, wanted, cause }) => {
    const words = `${name}: ${reached.toFixed(2)} times (goal: ${wanted})`;
    return reached >= wanted ? `reached  ${words}` : `MISSED   ${words}: ${cause}`;
  });
}
