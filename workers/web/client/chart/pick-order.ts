// Order and grouping of the pick report: dangers, aids to navigation, other points, lines, areas, and last
// the meta objects of the chart.

/** The properties of a result that determine its order. */
export interface Listed {
  readonly layerId: string;
  readonly geometry: { readonly type: string };
  readonly rawAttributes: Readonly<Record<string, unknown>>;
  readonly extras: { readonly distance: number; readonly sentence: string };
}

/** Classes that are not listed. Every position of a chart has an M_COVR object. */
const NOT_LISTED: ReadonlySet<string> = new Set(['M_COVR']);

const DANGERS: ReadonlySet<string> = new Set(['UWTROC', 'OBSTRN', 'WRECKS']);
const AIDS =
  /^(?:BOY\w+|BCN\w+|LIGHTS|LITFLT|LITVES|DAYMAR|TOPMAR|FOGSIG|RTPBCN|RADRFL|RETRFL|NEWOBJ)$/;

function rankOf({ layerId, geometry: { type } }: Listed): number {
  if (DANGERS.has(layerId)) return 0;
  if (AIDS.test(layerId)) return 1;
  if (layerId.startsWith('M_') || layerId.startsWith('C_')) return 5;
  return type.endsWith('Point') ? 2 : type.endsWith('String') ? 3 : 4;
}

/** Features with the same sentence, for example of adjacent cells, or the sectors of one light. */
export interface ListedGroup<T extends Listed> {
  /** The nearest first. */
  readonly members: readonly [T, ...T[]];
  /** Number of objects. The sectors of a light are one object. */
  readonly count: number;
}

/** Returns the rows of the report, sorted by rank and distance. */
export function groupsOf<T extends Listed>(results: readonly T[]): ListedGroup<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  const ordered = results
    .filter(({ layerId }) => !NOT_LISTED.has(layerId))
    .sort((a, b) => rankOf(a) - rankOf(b) || a.extras.distance - b.extras.distance);
  for (const one of ordered) {
    const isLight = one.layerId === 'LIGHTS';
    const place = isLight ? JSON.stringify(one.geometry) : one.geometry.type;
    const key = `${one.layerId} ${place} ${one.extras.sentence}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups.values()].map((members) => ({
    members,
    count: members[0].layerId === 'LIGHTS' ? 1 : members.length,
  }));
}
