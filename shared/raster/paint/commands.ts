// What the painter tells the canvas, as words of 32 bits: the number of a command and what belongs to
// it, integers and 32-bit floats. Read by both sides, so each constant is a plain whole number.

/** Pixels along one side of a tile. */
export const SIDE = 256;

/** Red, green, blue (integers), opacity 0 to 1 (float): what is laid over from here on. */
export const INK = 1;
/** How many points, then x and y of each (floats): edges of an area with blended edges, in turn. */
export const SMOOTH_EDGES = 2;
/** Lay the ink over what the edges and lines so far cover, each pixel as far as it is covered. */
export const FILL_SMOOTH = 3;
/** As SMOOTH_EDGES, of an area whose pixels are filled or not. */
export const FLAT_EDGES = 4;
/** Lay the ink over every pixel whose middle lies inside the flat edges so far. */
export const FILL_FLAT = 5;
/** The same with an image repeated: its address, and its column and row at the tile's corner. */
export const FILL_PATTERN = 6;
/** Whether ends are round, how many lengths of dashes and gaps; then floats: width, the lengths. */
export const PEN = 7;
/** IS_FIRST and IS_LAST of a line's pieces, how many points, then x and y of each (floats). */
export const LINE = 8;
/** Address of an image, column and row of its corner. */
export const ICON = 9;
/** Address of an image, x and y of its middle, cosine and sine of its turn (floats). */
export const TURNED_ICON = 10;
/** Address of a letter's mask, column and row of the pen. */
export const LETTER = 11;
/**
 * Address of a letter's field, column and row of the pen; then floats: size in pixels, how much wider
 * than drawn, cosine and sine of its turn, x and y of the pen from the corner of its pixel.
 */
export const TURNED_LETTER = 12;

/** Of a line's pieces: it begins here, it ends here. */
export const IS_FIRST = 1;
export const IS_LAST = 2;

/** Lengths of dashes and gaps that a pen has at the most. */
export const MOST_DASHES = 16;
/** Words that the buffer of commands holds. */
export const COMMAND_WORDS = 131072;
/** Bytes for images, fields and masks, in the canvas's memory. */
export const ARTWORK_BYTES = 2097152;
/** Bytes of the largest mask that a turned letter may have. */
export const MASK_BYTES = 65536;
/** Width, height, and where the corner lies, before what a mask or field holds: 4 integers. */
export const SHAPE_HEADER_BYTES = 16;
/** Width and height before the pixels of an image: 2 integers. */
export const IMAGE_HEADER_BYTES = 8;
