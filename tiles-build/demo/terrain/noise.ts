// Uneven ground: smooth noise that is the same on every machine.

/** A number from 0 to 1 for a lattice point. */
function latticeValue(column: number, row: number): number {
  let bits = Math.imul(column, 0x27d4eb2d) ^ Math.imul(row, 0x165667b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 0x1_0000_0000;
}

const ease = (t: number) => t * t * (3 - 2 * t);

/** Smooth noise from −1 to 1 that changes over about one unit. */
export function noise(x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [tx, ty] = [ease(x - column), ease(y - row)];
  const along = (y0: number) => {
    const [a, b] = [latticeValue(column, y0), latticeValue(column + 1, y0)];
    return a + (b - a) * tx;
  };
  const [south, north] = [along(row), along(row + 1)];
  return (south + (north - south) * ty) * 2 - 1;
}
