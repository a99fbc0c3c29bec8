// Geometries in a form that is the same for the same shape, whatever its start and order.

/** Positions rounded to 1e-7 degrees. */
const keyOf = (position: readonly number[]) =>
  `${Math.round(position[0]! * 1e7)} ${Math.round(position[1]! * 1e7)}`;

/** A closed ring: from its smallest position on, in the smaller direction. */
export function ringKey(ring: readonly (readonly number[])[]): string {
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

/** The directed segments of lines: the same however the lines are joined. */
export function segmentKeys(lines: readonly (readonly (readonly number[])[])[]): string[] {
  return lines
    .flatMap((line) => line.slice(1).map((to, i) => [keyOf(line[i]!), keyOf(to)] as const))
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from} > ${to}`)
    .sort();
}

/** Points with their depth in centimetres. */
export const pointKeys = (points: readonly (readonly number[])[]): string[] =>
  points
    .map((point) => keyOf(point) + (point[2] === undefined ? '' : ` ${Math.round(point[2] * 100)}`))
    .sort();
