/** What a block of cells is to a trip; the less, the worse. */
export const BLOCKED = 0;
/** Both, or unknown without looking into finer blocks. */
export const MIXED = 1;
export const FREE = 2;
export type BlockClass = typeof BLOCKED | typeof MIXED | typeof FREE;
