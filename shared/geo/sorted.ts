// Binary search in ascending numbers.

/**
 * Index of the first number that is not less than `wanted`.
 *
 * @param first start of the search
 * @param end exclusive end; returned if all numbers are less
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
