// Commands from the painter to the canvas as 32-bit words: the command number and its arguments,
// integers and 32-bit floats. Both sides read this file, so each constant is a plain integer.

/** Pixels along one side of a tile. */
export const SIDE = 256;

/** Red, green, blue (integers), opacity 0 to 1 (float): the ink of the following commands. */
export const INK = 1;
/** Number of points, then x and y of each (floats): edges of an antialiased area. */
export const SMOOTH_EDGES = 2;
/**
 * Blend the ink over the area of the preceding edges and lines, according to the coverage of each
 * pixel.
 */
export const FILL_SMOOTH = 3;
/** Like SMOOTH_EDGES, for an area without antialiasing. */
export const FLAT_EDGES = 4;
/** Fill all pixels whose centre is inside the preceding flat edges. */
export const FILL_FLAT = 5;
/**
 * Like FILL_FLAT with a repeated image: its address, and its column and row at the tile's corner.
 */
export const FILL_PATTERN = 6;
/** Whether ends are round, number of dash and gap lengths; then floats: width, the lengths. */
export const PEN = 7;
/** Flags IS_FIRST and IS_LAST, number of points, then x and y of each (floats). */
export const LINE = 8;
/** Address of an image, column and row of its corner. */
export const ICON = 9;
/** Address of an image, x and y of its centre, cosine and sine of its rotation (floats). */
export const TURNED_ICON = 10;
/** Address of a letter's mask, column and row of the pen. */
export const LETTER = 11;
/**
 * Address of a letter's field, column and row of the pen; then floats: size in pixels, additional
 * width, cosine and sine of the rotation, x and y of the pen within its pixel.
 */
export const TURNED_LETTER = 12;

/** Flags of line pieces: first piece, last piece. */
export const IS_FIRST = 1;
export const IS_LAST = 2;

/** Maximum number of dash and gap lengths. */
export const MAX_DASHES = 16;
/** Size of the command buffer in words. */
export const COMMAND_WORDS = 131072;
/** Bytes for images, fields and masks in the canvas's memory. */
export const ARTWORK_BYTES = 2097152;
/** Maximum size of a rotated letter's mask in bytes. */
export const MASK_BYTES = 65536;
/** Header of masks and fields: width, height and corner offset (4 integers). */
export const SHAPE_HEADER_BYTES = 16;
/** Header of images: width and height (2 integers). */
export const IMAGE_HEADER_BYTES = 8;
