// Goals of benches: whether what was measured reaches them, and where not, what of the same run says why.

interface Named {
  readonly name: string;
  readonly reached: number;
  /** Why it is missed, told by figures of the same run. */
  readonly cause: string;
}

/** Something that is to be at least so many times something else. */
interface Ratio extends Named {
  readonly wanted: number;
}

/** Something that is to be no more than so much. */
interface Bound extends Named {
  readonly most: number;
  readonly unit: string;
}

export type Goal = Ratio | Bound;

/** A line for each goal; one that is missed says by how much, and why. */
export function goalLines(goals: readonly Goal[]): string[] {
  return goals.map((goal) => {
    const words = `${goal.name}: ${measured(goal)}`;
    return isReached(goal) ? `reached  ${words}` : `MISSED   ${words}: ${goal.cause}`;
  });
}

const isReached = (goal: Goal): boolean =>
  'most' in goal ? goal.reached <= goal.most : goal.reached >= goal.wanted;

const measured = (goal: Goal): string =>
  'most' in goal
    ? `${goal.reached.toFixed(1)} ${goal.unit} (goal: ${goal.most})`
    : `${goal.reached.toFixed(2)} times (goal: ${goal.wanted})`;
