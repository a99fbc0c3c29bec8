// Line simplification (Douglas and Peucker, 1973) for all zooms in one pass: a vertex is needed if
// its distance exceeds the zoom's tolerance.

/**
 * Maximum number of inspected vertices per vertex before a line is halved. Coasts need 20 to 60. On
 * lines such as a star, where the farthest vertex is always near an end, it would be half of all
 * vertices.
 */
const MAX_LOOKS = 256;

/**
 * For each vertex, the distance by which the line would move without it, never more than that of
 * the vertices it depends on. Ends are Infinity. To avoid quadratic time, unfavourable lines are
 * halved and keep a few more vertices than necessary.
 */
export function vertexDistances(line: ArrayLike<number>): Float64Array {
  const count = line.length / 2;
  const distances = new Float64Array(count);
  if (count === 0) return distances;
  distances[0] = Number.POSITIVE_INFINITY;
  distances[count - 1] = Number.POSITIVE_INFINITY;
  // An explicit stack, because charts contain lines with tens of thousands of vertices.
  const stack: number[] = [0, count - 1];
  const limits: number[] = [Number.POSITIVE_INFINITY];
  let looks = MAX_LOOKS * count;
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
    // Skip straight parts. Dividing a long straight line vertex by vertex would be slow.
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

/**
 * Squared distance from a vertex to the segment between two others. A closed line is measured from
 * its common end.
 */
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
