// Goals of benches. Prints whether a run reached each goal and, if not, the cause according to the same run.

interface Named {
  readonly name: string;
  readonly reached: number;
  /** The cause of a miss, with figures of the same run. */
  readonly cause: string;
}

/** A minimum for the ratio of two measurements. */
interface Ratio extends Named {
  readonly target: number;
}

/** A maximum for a measurement. */
interface Bound extends Named {
  readonly most: number;
  readonly unit: string;
}

export type Goal = Ratio | Bound;

/** A line for each goal. If it is missed, the line contains the cause. */
export function goalLines(goals: readonly Goal[]): string[] {
  return goals.map((goal) => {
    const words = `${goal.name}: ${measured(goal)}`;
    return isReached(goal) ? `reached  ${words}` : `MISSED   ${words}: ${goal.cause}`;
  });
}

const isReached = (goal: Goal): boolean =>
  'most' in goal ? goal.reached <= goal.most : goal.reached >= goal.target;

const measured = (goal: Goal): string =>
  'most' in goal
    ? `${goal.reached.toFixed(1)} ${goal.unit} (goal: ${goal.most})`
    : `${goal.reached.toFixed(2)} times (goal: ${goal.target})`;
