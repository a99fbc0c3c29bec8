// Finds the nearest palette colour. Compares four colours at a time, in order of the difference of
// their sums of red, green and blue. Charts blend between dark and light, so the sum separates
// colours better than one component.

import { sortAscending } from './sort';

/** The palette sorted by sum, in blocks of four colours. */
const BLOCKS: i32 = 64;
/**
 * Per block: red and green, then blue and 0 of each colour (16-bit integers), then their indices.
 */
const BLOCK_BYTES: i32 = 48;
const SORTED: usize = memory.data(BLOCKS * BLOCK_BYTES, 16);
/** Minimum and maximum sum per block (32-bit integers). */
const SUMS: usize = memory.data(BLOCKS * 8, 16);
/** For each sum, the block that contains or would contain colours with it. */
const BLOCK_OF: usize = memory.data(3 * 255 + 1, 16);
/** Sums with colour indices, to be sorted. */
const RANKED: usize = memory.data(256 * 8, 16);
/** More than the maximum difference of two sums. */
const FAR: i32 = 1 << 14;

/** Set the palette: 256 colours, red, green, blue each. */
export function setColors(palette: usize): void {
  for (let i = 0; i < 4 * BLOCKS; i++) {
    const color = palette + 3 * i;
    const sum = <i32>load<u8>(color) + load<u8>(color, 1) + load<u8>(color, 2);
    store<u64>(RANKED + (i << 3), (sum << 8) | i);
  }
  sortAscending(RANKED, 4 * BLOCKS);
  let sum = 0;
  for (let block = 0; block < BLOCKS; block++) {
    const at = SORTED + block * BLOCK_BYTES;
    for (let lane = 0; lane < 16; lane += 4) {
      const ranked = <i32>load<u64>(RANKED + (block << 5) + (lane << 1));
      const color = palette + 3 * (ranked & 255);
      store<i32>(at + lane, load<u8>(color) | (load<u8>(color, 1) << 16));
      store<i32>(at + lane, load<u8>(color, 2), 16);
      store<i32>(at + lane, ranked & 255, 32);
    }
    const least = <i32>load<u64>(RANKED + (block << 5)) >> 8;
    const most = <i32>load<u64>(RANKED + (block << 5), 24) >> 8;
    store<i32>(SUMS + (block << 3), least);
    store<i32>(SUMS + (block << 3), most, 4);
    for (; sum <= most; sum++) store<u8>(BLOCK_OF + sum, <u8>block);
  }
  for (; sum <= 3 * 255; sum++) store<u8>(BLOCK_OF + sum, <u8>(BLOCKS - 1));
}

/**
 * Index of the palette colour with the smallest squared distance; of equal ones the first. The
 * squared distance is at least a third of the squared difference of the sums, which ends the
 * search.
 * @param color red in the lowest byte, then green and blue
 */
export function indexOfNearest(color: i32): i32 {
  const red = color & 255;
  const green = (color >> 8) & 255;
  const blue = (color >> 16) & 255;
  const sum = red + green + blue;
  const redGreen = i32x4.splat(red | (green << 16));
  const blueOnly = i32x4.splat(blue);
  let up = <i32>load<u8>(BLOCK_OF + sum);
  let down = up - 1;
  // Distance and index in one integer, so that the minimum has the lowest index.
  let best = nearestOf(up++, redGreen, blueOnly);
  let gapUp = gapAbove(up, sum);
  let gapDown = gapBelow(down, sum);
  while (canBeNearer(min(gapUp, gapDown), best >> 8)) {
    if (gapUp <= gapDown) {
      best = min(best, nearestOf(up++, redGreen, blueOnly));
      gapUp = gapAbove(up, sum);
    } else {
      best = min(best, nearestOf(down--, redGreen, blueOnly));
      gapDown = gapBelow(down, sum);
    }
  }
  return best & 255;
}

function canBeNearer(gap: i32, square: i32): bool {
  return gap <= 0 || gap * gap <= 3 * square;
}

/** Distance from the sum to the block's minimum; very large after the last block. */
function gapAbove(block: i32, sum: i32): i32 {
  return block < BLOCKS ? load<i32>(SUMS + (block << 3)) - sum : FAR;
}

/** Distance from the block's maximum to the sum; very large before the first block. */
function gapBelow(block: i32, sum: i32): i32 {
  return block >= 0 ? sum - load<i32>(SUMS + (block << 3), 4) : FAR;
}

/** Nearest of a block's four colours: squared distance times 256, plus index. */
function nearestOf(block: i32, redGreen: v128, blueOnly: v128): i32 {
  const at = SORTED + block * BLOCK_BYTES;
  const rg = i16x8.sub(v128.load(at), redGreen);
  const b = i16x8.sub(v128.load(at, 16), blueOnly);
  const squares = i32x4.add(i32x4.dot_i16x8_s(rg, rg), i32x4.dot_i16x8_s(b, b));
  const four = v128.or(i32x4.shl(squares, 8), v128.load(at, 32));
  const two = i32x4.min_s(
    four,
    i8x16.shuffle(four, four, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7),
  );
  return min(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1));
}
