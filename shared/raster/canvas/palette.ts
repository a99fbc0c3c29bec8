// Pixels to at most 256 colours: a chart has few inks and many blends of them, so the most frequent
// colours stay exact and each rare blend takes the nearest of them.

import { SIDE } from '../paint/commands';
import { PALETTE, PIXELS, ROWS } from './memory';
import { indexOfNearest, setColors } from './nearest-color';
import { sortAscending } from './sort';

const MAX_COLORS: i32 = 256;
const COUNT: i32 = SIDE * SIDE;
/** Twice as many as a tile has pixels. */
const SLOTS: i32 = 2 * COUNT;

/**
 * Colours are numbered as they are met: by hash one more than the number of a colour; by number its
 * slot, the colour itself, how often it occurs (32-bit integers), and its index in the palette (bytes).
 */
const NUMBERS: usize = memory.data(SLOTS * 4, 16);
const SLOT_OF: usize = memory.data(COUNT * 4, 16);
const COLOR_OF: usize = memory.data(COUNT * 4, 16);
const COUNT_OF: usize = memory.data(COUNT * 4, 16);
const INDEX_OF: usize = memory.data(COUNT, 16);
/** Neighbours are mostly alike: runs of one colour within a row, its number and where the run ends. */
const RUNS: usize = memory.data(COUNT * 4, 16);
/** Of the colours that may be kept, all in one 64-bit integer: how rare, the colour, its number. */
const RANKED: usize = memory.data(COUNT * 8, 16);
/** How many colours occur so often, up to a palette full. */
const RARE: usize = memory.data((MAX_COLORS + 1) * 4, 16);

let colors: i32 = 0;
let runs: i32 = 0;

/**
 * Reduces the tile's pixels to a palette and indices, each row after a byte for the filter of PNG,
 * which is 0: indices have nothing to predict.
 * @returns how many colours the palette has
 */
export function reduceColors(): i32 {
  numberColors();
  const kept = keepMostFrequent();
  if (colors > kept) {
    setColors(PALETTE);
    for (let number = 0; number < colors; number++) {
      if (load<i32>(COUNT_OF + (number << 2)) !== 0) {
        const index = indexOfNearest(load<i32>(COLOR_OF + (number << 2)));
        store<u8>(INDEX_OF + number, <u8>index);
      }
    }
  }
  writeRows();
  return kept;
}

/** Numbers and counts the colours, run by run, and leaves the hash empty. */
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

/** The first address from one on that holds another word. */
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

/** The number of a colour, a new one where it was not met before. */
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
 * Puts the most frequent colours into the palette; of equally frequent ones the darker. Their counts
 * are 0 from here on. @returns how many
 */
function keepMostFrequent(): i32 {
  const least = leastKept();
  let found = 0;
  for (let number = 0; number < colors; number++) {
    const count = load<i32>(COUNT_OF + (number << 2));
    if (count < least) continue;
    const color = <u64>load<u32>(COLOR_OF + (number << 2));
    store<u64>(RANKED + (found << 3), ((<u64>(COUNT - count)) << 40) | (color << 16) | <u64>number);
    found++;
  }
  sortAscending(RANKED, found);
  const kept = min(found, MAX_COLORS);
  for (let index = 0; index < kept; index++) {
    const number = <i32>(load<u64>(RANKED + (index << 3)) & 0xffff);
    const color = load<i32>(COLOR_OF + (number << 2));
    store<u8>(PALETTE + 3 * index, <u8>color);
    store<u8>(PALETTE + 3 * index, <u8>(color >> 8), 1);
    store<u8>(PALETTE + 3 * index, <u8>(color >> 16), 2);
    store<u8>(INDEX_OF + number, <u8>index);
    store<i32>(COUNT_OF + (number << 2), 0);
  }
  return kept;
}

/** Colours that occur less often than this are not among the most frequent. */
function leastKept(): i32 {
  if (colors <= MAX_COLORS) return 1;
  // Rare colours are many: of those that occur often there is hardly ever a palette full.
  memory.fill(RARE, 0, (MAX_COLORS + 1) << 2);
  for (let number = 0; number < colors; number++) {
    const rare = RARE + (min(load<i32>(COUNT_OF + (number << 2)), MAX_COLORS) << 2);
    store<i32>(rare, load<i32>(rare) + 1);
  }
  let least = MAX_COLORS;
  let often = load<i32>(RARE + (least << 2));
  while (least > 1 && often < MAX_COLORS) often += load<i32>(RARE + (--least << 2));
  return least;
}

/**
 * Each run's index as often as the run is long, sixteen at a time: what is written beyond a run's end
 * the next one writes over, and after the last there is room for it.
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
 * Packs the indices into fewer bits, where the palette is small; rows stay whole bytes (PNG, 7.2).
 * @param bits 1, 2 or 4
 * @returns bytes of all rows
 */
export function packRows(bits: i32): i32 {
  let to = ROWS;
  for (let row = 0; row < SIDE; row++) {
    let from = ROWS + row * (SIDE + 1) + 1;
    let bytes = SIDE;
    store<u8>(to++, 0);
    // Two neighbours become one byte, until bytes are full.
    for (let shift = bits; shift < 8; shift <<= 1) {
      joinPairs(from, to, bytes, shift);
      from = to;
      bytes >>= 1;
    }
    to += bytes;
  }
  return <i32>(to - ROWS);
}

/** Of each two bytes the first, shifted, and the second in one: half as many, at the same place or before. */
function joinPairs(from: usize, to: usize, bytes: i32, shift: i32): void {
  for (let at = 0; at < bytes; at += 16) {
    const pairs = v128.load(from + at);
    const joined = v128.or(i16x8.shl(pairs, shift), i16x8.shr_u(pairs, 8));
    const low = v128.and(joined, i16x8.splat(255));
    store<u64>(to + (at >> 1), i64x2.extract_lane(i8x16.narrow_i16x8_u(low, low), 0));
  }
}
