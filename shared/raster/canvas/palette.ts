// Reduces pixels to at most 256 colours. A chart has few inks and many blends, so the most frequent
// colours are kept, then some that are far from all kept ones: the ink of a small symbol. Each other
// colour is replaced by the nearest.

import { SIDE } from '../paint/commands';
import { PALETTE, PIXELS, ROWS } from './memory';
import { sortAscending } from './sort';

const MAX_COLORS: i32 = 256;
/** Colours that are kept because they are frequent, if there are too many. */
const FREQUENT: i32 = 224;
const COUNT: i32 = SIDE * SIDE;
/** Twice the number of pixels. */
const SLOTS: i32 = 2 * COUNT;

/**
 * Colours are numbered in order of appearance. By hash: the number plus one. By number: slot,
 * colour, count (32-bit integers) and palette index (byte).
 */
const NUMBERS: usize = memory.data(SLOTS * 4, 16);
const SLOT_OF: usize = memory.data(COUNT * 4, 16);
const COLOR_OF: usize = memory.data(COUNT * 4, 16);
const COUNT_OF: usize = memory.data(COUNT * 4 + 16, 16);
const INDEX_OF: usize = memory.data(COUNT, 16);
/** Runs of one colour within a row: its number and the end of the run. */
const RUNS: usize = memory.data(COUNT * 4, 16);
/** Candidates for the palette as 64-bit integers: rarity, colour, number. */
const RANKED: usize = memory.data(COUNT * 8, 16);
/**
 * By number: squared distance to the nearest kept colour, times 256, plus its palette index (32-bit
 * integers). The candidates are no longer needed then.
 */
const NEAREST: usize = RANKED;
/** Number of colours per count, up to the palette size. */
const RARE: usize = memory.data((MAX_COLORS + 1) * 4, 16);

let colors: i32 = 0;
let runs: i32 = 0;

/**
 * Reduce the tile's pixels to a palette and indices. Each row starts with PNG filter byte 0,
 * because indices cannot be predicted.
 * @returns number of colours
 */
export function reduceColors(): i32 {
  numberColors();
  const isTooMany = colors > MAX_COLORS;
  keepMostFrequent(isTooMany ? FREQUENT : colors);
  if (isTooMany) keepDistant();
  writeRows();
  return min(colors, MAX_COLORS);
}

/** Number and count the colours run by run, and leave the hash empty. */
function numberColors(): void {
  colors = 0;
  runs = 0;
  for (let row = 0; row < SIDE; row++) {
    const start = PIXELS + ((row * SIDE) << 2);
    const end = start + (SIDE << 2);
    let at = start;
    while (at < end) {
      const word = load<u32>(at);
      const next = endOfRun(at + 4, end, word);
      const number = numberOf(word & 0xffffff);
      const count = COUNT_OF + (number << 2);
      store<i32>(count, load<i32>(count) + <i32>((next - at) >> 2));
      store<i32>(RUNS + (runs << 2), (number << 16) | (<i32>((next - start) >> 2) - 1));
      runs++;
      at = next;
    }
  }
  for (let number = 0; number < colors; number++) {
    store<i32>(NUMBERS + (load<i32>(SLOT_OF + (number << 2)) << 2), 0);
  }
}

/** First address with a different word. */
function endOfRun(from: usize, end: usize, word: u32): usize {
  const four = i32x4.splat(word);
  let at = from;
  while (at + 16 <= end) {
    const other = ~i32x4.bitmask(i32x4.eq(v128.load(at), four)) & 15;
    if (other !== 0) return at + (ctz(other) << 2);
    at += 16;
  }
  while (at < end && load<u32>(at) === word) at += 4;
  return at;
}

/** The number of a colour; a new one if the colour is new. */
function numberOf(color: i32): i32 {
  let slot = <i32>(<u32>(color * 0x9e3779b1) >>> 15);
  for (;;) {
    const known = load<i32>(NUMBERS + (slot << 2)) - 1;
    if (known < 0) break;
    if (load<i32>(COLOR_OF + (known << 2)) === color) return known;
    slot = (slot + 1) & (SLOTS - 1);
  }
  const number = colors++;
  store<i32>(NUMBERS + (slot << 2), number + 1);
  store<i32>(SLOT_OF + (number << 2), slot);
  store<i32>(COLOR_OF + (number << 2), color);
  store<i32>(COUNT_OF + (number << 2), 0);
  return number;
}

/**
 * Put the most frequent colours into the palette; of equally frequent ones the darker.
 * @param limit number of colours
 */
function keepMostFrequent(limit: i32): void {
  const least = leastKept(limit);
  let found = 0;
  for (let number = 0; number < colors; number++) {
    const count = load<i32>(COUNT_OF + (number << 2));
    if (count < least) continue;
    const color = <u64>load<u32>(COLOR_OF + (number << 2));
    store<u64>(RANKED + (found << 3), ((<u64>(COUNT - count)) << 40) | (color << 16) | <u64>number);
    found++;
  }
  sortAscending(RANKED, found);
  for (let index = 0; index < limit; index++) {
    keep(<i32>(load<u64>(RANKED + (index << 3)) & 0xffff), index);
  }
}

/** Put a colour into the palette. */
function keep(number: i32, index: i32): void {
  const color = load<i32>(COLOR_OF + (number << 2));
  store<u8>(PALETTE + 3 * index, <u8>color);
  store<u8>(PALETTE + 3 * index, <u8>(color >> 8), 1);
  store<u8>(PALETTE + 3 * index, <u8>(color >> 16), 2);
  store<u8>(INDEX_OF + number, <u8>index);
}

/** The minimum count of the most frequent colours. */
function leastKept(limit: i32): i32 {
  if (colors === limit) return 1;
  // Most colours are rare, so the palette is seldom filled by frequent ones.
  memory.fill(RARE, 0, (MAX_COLORS + 1) << 2);
  for (let number = 0; number < colors; number++) {
    const rare = RARE + (min(load<i32>(COUNT_OF + (number << 2)), MAX_COLORS) << 2);
    store<i32>(rare, load<i32>(rare) + 1);
  }
  let least = MAX_COLORS;
  let often = load<i32>(RARE + (least << 2));
  while (least > 1 && often < limit) often += load<i32>(RARE + (--least << 2));
  return least;
}

/**
 * Fill the palette, each time with the colour of the largest error, and give every colour the index
 * of the nearest.
 */
function keepDistant(): void {
  memory.fill(NEAREST, 127, colors << 2);
  for (let index = 0; index < FREQUENT; index++) {
    bringNearer(load<i32>(PALETTE + 3 * index) & 0xffffff, index);
  }
  // Four colours at a time; those after the last count nothing.
  memory.fill(COUNT_OF + (colors << 2), 0, 12);
  for (let index = FREQUENT; index < MAX_COLORS; index++) {
    const number = mostWrong();
    keep(number, index);
    bringNearer(load<i32>(COLOR_OF + (number << 2)), index);
  }
  for (let number = 0; number < colors; number++) {
    store<u8>(INDEX_OF + number, load<u8>(NEAREST + (number << 2)));
  }
}

/** Number of the colour with the largest error. */
function mostWrong(): i32 {
  let most = f32x4.splat(0);
  for (let number = 0; number < colors; number += 4) most = f32x4.max(most, errorsOf(number));
  most = f32x4.max(most, v128.shuffle<i32>(most, most, 2, 3, 0, 1));
  most = f32x4.max(most, v128.shuffle<i32>(most, most, 1, 0, 3, 2));
  let number = 0;
  let found = 0;
  for (; found === 0; number += 4) found = i32x4.bitmask(f32x4.eq(errorsOf(number), most));
  return number - 4 + ctz(found);
}

/** Errors of four colours: number of pixels, times squared distance to the nearest kept colour. */
function errorsOf(number: i32): v128 {
  const counts = v128.load(COUNT_OF + (number << 2));
  const squares = i32x4.shr_u(v128.load(NEAREST + (number << 2)), 8);
  return f32x4.mul(f32x4.convert_i32x4_s(counts), f32x4.convert_i32x4_s(squares));
}

/** Give the index of a new palette colour to the colours that it is the nearest to. */
function bringNearer(color: i32, index: i32): void {
  const target = i16x8.extend_low_i8x16_u(i32x4.splat(color));
  const end = NEAREST + (colors << 2);
  let nearest = NEAREST;
  for (let at = COLOR_OF; nearest < end; at += 16, nearest += 16) {
    const four = v128.load(at);
    const low = i16x8.sub(i16x8.extend_low_i8x16_u(four), target);
    const high = i16x8.sub(i16x8.extend_high_i8x16_u(four), target);
    const a = i32x4.dot_i16x8_s(low, low);
    const b = i32x4.dot_i16x8_s(high, high);
    const squares = i32x4.add(
      v128.shuffle<i32>(a, b, 0, 2, 4, 6),
      v128.shuffle<i32>(a, b, 1, 3, 5, 7),
    );
    const ranked = v128.or(i32x4.shl(squares, 8), i32x4.splat(index));
    v128.store(nearest, i32x4.min_s(v128.load(nearest), ranked));
  }
}

/**
 * Write the index of each run, sixteen bytes at a time. Bytes beyond the end of a run are
 * overwritten by the next; after the last there is spare space.
 */
function writeRows(): void {
  let row = ROWS;
  let column = 0;
  for (let run = 0; run < runs; run++) {
    const packed = load<u32>(RUNS + (run << 2));
    const indices = i8x16.splat(load<u8>(INDEX_OF + (packed >> 16)));
    const end = <i32>(packed & 0xffff) + 1;
    if (column === 0) store<u8>(row, 0);
    for (; column < end; column += 16) v128.store(row + 1 + column, indices);
    column = end;
    if (column === SIDE) {
      column = 0;
      row += SIDE + 1;
    }
  }
}

/**
 * Pack the indices into fewer bits if the palette is small. Rows are whole bytes (PNG, 7.2).
 * @param bits 1, 2 or 4
 * @returns size of all rows in bytes
 */
export function packRows(bits: i32): i32 {
  let to = ROWS;
  for (let row = 0; row < SIDE; row++) {
    let from = ROWS + row * (SIDE + 1) + 1;
    let bytes = SIDE;
    store<u8>(to++, 0);
    // Join pairs of neighbours until the bytes are full.
    for (let shift = bits; shift < 8; shift <<= 1) {
      joinPairs(from, to, bytes, shift);
      from = to;
      bytes >>= 1;
    }
    to += bytes;
  }
  return <i32>(to - ROWS);
}

/** Join each pair of bytes to one: the first shifted, then the second. */
function joinPairs(from: usize, to: usize, bytes: i32, shift: i32): void {
  for (let at = 0; at < bytes; at += 16) {
    const pairs = v128.load(from + at);
    const joined = v128.or(i16x8.shl(pairs, shift), i16x8.shr_u(pairs, 8));
    const low = v128.and(joined, i16x8.splat(255));
    store<u64>(to + (at >> 1), i64x2.extract_lane(i8x16.narrow_i16x8_u(low, low), 0));
  }
}
