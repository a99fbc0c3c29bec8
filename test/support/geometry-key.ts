// Keys of geometries: equal for the same shape, whatever its start and order.

type Position = readonly number[];

/** Positions `[x, y]` or `[x, y, depth]` by part. */
export type Parts = readonly (readonly Position[])[];

/** In units of 1e-7 degrees. */
const rounded = (degrees: number) => Math.round(degrees * 1e7);
const centimetres = (depth: number) => Math.round(depth * 100);

const keyOf = (position: Position) => `${rounded(position[0]!)} ${rounded(position[1]!)}`;

/** Whether two shapes have the same positions in the same order, rounded as in their keys. */
export const isSameOrder = (parts: Parts, others: Parts): boolean =>
  parts.length === others.length &&
  parts.every((part, i) => {
    const other = others[i]!;
    return part.length === other.length && part.every((one, k) => isSamePosition(one, other[k]!));
  });

const isSamePosition = (one: Position, other: Position): boolean =>
  one.length === other.length &&
  rounded(one[0]!) === rounded(other[0]!) &&
  rounded(one[1]!) === rounded(other[1]!) &&
  (one.length < 3 || centimetres(one[2]!) === centimetres(other[2]!));

/** A closed ring, from its smallest position in the smaller direction. */
export function ringKey(ring: readonly Position[]): string {
  const keys = ring.map(keyOf);
  if (keys[0] === keys.at(-1)) keys.pop();
  const distinct = keys.filter((key, i) => key !== keys[(i + keys.length - 1) % keys.length]);
  const smallest = distinct.reduce((a, b) => (b < a ? b : a), distinct[0]!);
  const starts = distinct.flatMap((key, i) => (key === smallest ? [i] : []));
  const turned = starts.flatMap((start) => {
    const on = [...distinct.slice(start), ...distinct.slice(0, start)];
    return [on.join(), [on[0]!, ...on.slice(1).reverse()].join()];
  });
  return turned.reduce((a, b) => (b < a ? b : a));
}

/** The directed segments of lines: equal however the lines are joined. */
export function segmentKeys(lines: Parts): string[] {
  return lines
    .flatMap((line) => line.slice(1).map((to, i) => [keyOf(line[i]!), keyOf(to)] as const))
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from} > ${to}`)
    .sort();
}

/** Points with their depth in centimetres. */
export const pointKeys = (points: readonly Position[]): string[] =>
  points
    .map((point) => keyOf(point) + (point[2] === undefined ? '' : ` ${centimetres(point[2])}`))
    .sort();
