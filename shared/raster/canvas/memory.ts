// Memory layout of the canvas. All memory is reserved at the start and reused by every tile;
// nothing is allocated.

import { ARTWORK_BYTES, COMMAND_WORDS, MASK_BYTES, SIDE } from '../paint/commands';

/** Pixels of the tile, row by row: red, green, blue, 255. */
export const PIXELS: usize = memory.data(SIDE * SIDE * 4, 16);
/** Commands of the painter (`commands.ts`). */
export const COMMANDS: usize = memory.data(COMMAND_WORDS * 4, 16);
/** Images, fields and masks of letters, written by the painter. */
export const ARTWORK: usize = memory.data(ARTWORK_BYTES, 16);
/** Mask of the current rotated letter. */
export const MASK: usize = memory.data(MASK_BYTES, 16);
/** PNG rows: a filter byte, then palette indices, with space after the last row. */
export const ROWS: usize = memory.data(SIDE * (SIDE + 1) + 16, 16);
/** Palette of up to 256 colours: red, green, blue. */
export const PALETTE: usize = memory.data(3 * 256, 16);
