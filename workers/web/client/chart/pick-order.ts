// Order and grouping of the pick report: dangers, aids to navigation, other points, lines, areas, and last
// the meta objects of the chart.

/** The properties of a result that determine its order. */
export interface Listed {
  readonly layerId: string;
  readonly geometry: { readonly type: string };
  readonly rawAttributes: Readonly<Record<string, unknown>>;
  readonly extras: { readonly distance: number; readonly title: string };
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

/** Equal features, for example of adjacent cells, and their number. */
export interface ListedGroup<T extends Listed> {
  /** The nearest of them. */
  readonly first: T;
  readonly count: number;
}

/**
 * Returns the rows of the report, sorted by rank and distance. Features with the same class and attributes
 * form one row.
 */
export function groupsOf<T extends Listed>(results: readonly T[]): ListedGroup<T>[] {
  const groups = new Map<string, { first: T; count: number }>();
  const ordered = results
    .filter(({ layerId }) => !NOT_LISTED.has(layerId))
    .sort((a, b) => rankOf(a) - rankOf(b) || a.extras.distance - b.extras.distance);
  for (const one of ordered) {
    const key = `${one.layerId} ${one.geometry.type} ${one.extras.title} ${spelled(one.rawAttributes)}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { first: one, count: 1 });
    else known.count++;
  }
  return [...groups.values()];
}

/** Serializes attributes in a fixed order. */
const spelled = (attributes: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
