// How much each vertex of a line matters, after Douglas and Peucker (1973), so that one pass serves
// every zoom: a vertex is needed wherever its distance is more than the zoom's tolerance.

/**
 * Vertices looked at for each vertex of a line before its parts are halved. Coasts need some twenty to
 * sixty; where the farthest vertex lies near an end each time, as on a star, it would be half of all.
 */
const MOST_LOOKS = 256;

/**
 * Distance by which leaving a vertex out would bend the line, never more than that of the vertices
 * it depends on. The ends are never left out: Infinity. A line that would take time that grows with the
 * square of its vertices is parted in the middle after a while: it keeps a few more than it had to.
 */
export function vertexDistances(line: ArrayLike<number>): Float64Array {
  const count = line.length / 2;
  const distances = new Float64Array(count);
  if (count === 0) return distances;
  distances[0] = Number.POSITIVE_INFINITY;
  distances[count - 1] = Number.POSITIVE_INFINITY;
  // An explicit stack: charts hold lines of tens of thousands of vertices.
  const stack: number[] = [0, count - 1];
  const limits: number[] = [Number.POSITIVE_INFINITY];
  let looks = MOST_LOOKS * count;
  while (stack.length > 0) {
    const last = stack.pop()!;
    const first = stack.pop()!;
    const limit = limits.pop()!;
    let farthest = -1;
    let most = -1;
    for (let i = first + 1; i < last; i++) {
      const squared = squaredDistance(line, i, first, last);
      if (squared > most) {
        most = squared;
        farthest = i;
      }
    }
    // Where none bends the line none matters; a long straight line must not be taken apart one by one.
    if (most <= 0) continue;
    const distance = Math.min(limit, Math.sqrt(most));
    looks -= last - first;
    const split = looks > 0 ? farthest : (first + last) >>> 1;
    distances[split] = distance;
    stack.push(first, split, split, last);
    limits.push(distance, distance);
  }
  return distances;
}

/** From a vertex to the segment between two others; a closed line measures from its one end. */
function squaredDistance(line: ArrayLike<number>, at: number, a: number, b: number): number {
  const px = line[2 * at]!;
  const py = line[2 * at + 1]!;
  let x = line[2 * a]!;
  let y = line[2 * a + 1]!;
  const dx = line[2 * b]! - x;
  const dy = line[2 * b + 1]! - y;
  const length = dx * dx + dy * dy;
  if (length > 0) {
    const t = Math.max(0, Math.min(1, ((px - x) * dx + (py - y) * dy) / length));
    x += t * dx;
    y += t * dy;
  }
  return (px - x) * (px - x) + (py - y) * (py - y);
}
