// Numbers in ascending order.

/**
 * Place of the first number that is not below `wanted`, by halving.
 *
 * @param first where to begin
 * @param end where to end, exclusive: the answer where all are below
 */
export function lowerBound(
  sorted: ArrayLike<number>,
  wanted: number,
  first = 0,
  end = sorted.length,
): number {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
