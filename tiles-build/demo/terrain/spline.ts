// Smooth paths through given points.

/**
 * Points of a smooth path through points with equal numbers of values (uniform Catmull-Rom
 * splines).
 * @param steps number of points from one given point to the next
 */
export function splineThrough<T extends readonly number[]>(path: readonly T[], steps: number): T[] {
  const last = path.length - 1;
  const given = (i: number, axis: number) => path[Math.min(last, Math.max(0, i))]![axis]!;
  const between = (i: number, t: number, axis: number) => {
    const [a, b] = [given(i - 1, axis), given(i, axis)];
    const [c, d] = [given(i + 1, axis), given(i + 2, axis)];
    const bend = (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t;
    return b + 0.5 * ((c - a) * t + bend);
  };
  return Array.from({ length: last * steps + 1 }, (_, k) => {
    const i = Math.min(last - 1, Math.floor(k / steps));
    return path[0]!.map((__, axis) => between(i, k / steps - i, axis)) as unknown as T;
  });
}
