// Where everything lies in the canvas's memory. All of it is there from the start and used again by
// every tile: nothing is ever allocated.

import { ARTWORK_BYTES, COMMAND_WORDS, MASK_BYTES, SIDE } from '../paint/commands';

/** The tile: red, green, blue, 255 by fours, row by row. */
export const PIXELS: usize = memory.data(SIDE * SIDE * 4, 16);
/** What the painter wants done (`commands.ts`). */
export const COMMANDS: usize = memory.data(COMMAND_WORDS * 4, 16);
/** Images, fields and masks of letters, where the painter put them. */
export const ARTWORK: usize = memory.data(ARTWORK_BYTES, 16);
/** The mask of one turned letter. */
export const MASK: usize = memory.data(MASK_BYTES, 16);
/** The picture as a PNG's rows: a filter byte, then indices into the palette; and room beyond the last. */
export const ROWS: usize = memory.data(SIDE * (SIDE + 1) + 16, 16);
/** Red, green, blue by threes, of up to 256 colours. */
export const PALETTE: usize = memory.data(3 * 256, 16);
