// In-place sorting.

/** Sort 64-bit integers in ascending order (Shell sort): for short lists, without extra memory. */
export function sortAscending(from: usize, count: i32): void {
  let gap = 1;
  while (gap < count / 9) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (let i = gap; i < count; i++) {
      const value = load<u64>(from + (i << 3));
      let j = i;
      for (; j >= gap && load<u64>(from + ((j - gap) << 3)) > value; j -= gap) {
        store<u64>(from + (j << 3), load<u64>(from + ((j - gap) << 3)));
      }
      store<u64>(from + (j << 3), value);
    }
  }
}
