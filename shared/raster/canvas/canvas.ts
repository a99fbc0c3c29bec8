// The canvas API for the painter. Commands are executed in order. A shape or line can span several
// calls until it is filled.

import * as command from '../paint/commands';
import { addEdge, fillCovered } from './coverage';
import { paintIcon, paintTurnedIcon } from './icon';
import { paintLetter, paintTurnedLetter } from './letter';
import { COMMANDS } from './memory';
import { setPattern } from './pattern';
import { endLine, lineFrom, lineTo, setPen } from './stroke';
import { setInk } from './surface';
import { addCrossings, fillInside } from './winding';

export { makeMask } from './letter';
export { ARTWORK, COMMANDS, PALETTE, PIXELS, ROWS } from './memory';
export { packRows, reduceColors } from './palette';
export { clear } from './surface';

/** Execute the commands in the buffer. @param words number of 32-bit words */
export function run(words: i32): void {
  const end = COMMANDS + (words << 2);
  let at = COMMANDS;
  while (at < end) {
    const name = load<i32>(at);
    const from = at + 4;
    if (name === command.SMOOTH_EDGES) at = edges(from, true);
    else if (name === command.FLAT_EDGES) at = edges(from, false);
    else if (name === command.LINE) at = line(from);
    else if (name === command.LETTER) {
      paintLetter(load<i32>(from), load<i32>(from, 4), load<i32>(from, 8));
      at = from + 12;
    } else if (name === command.INK) {
      setInk(load<i32>(from), load<i32>(from, 4), load<i32>(from, 8), load<f32>(from, 12));
      at = from + 16;
    } else if (name === command.FILL_SMOOTH) {
      fillCovered();
      at = from;
    } else if (name === command.FILL_FLAT) {
      fillInside(false);
      at = from;
    } else if (name === command.FILL_PATTERN) {
      setPattern(load<i32>(from), load<i32>(from, 4), load<i32>(from, 8));
      fillInside(true);
      at = from + 12;
    } else if (name === command.PEN) {
      const count = load<i32>(from, 4);
      setPen(load<f32>(from, 8), load<i32>(from) !== 0, from + 12, count);
      at = from + 12 + (count << 2);
    } else if (name === command.ICON) {
      paintIcon(load<i32>(from), load<i32>(from, 4), load<i32>(from, 8));
      at = from + 12;
    } else at = turned(name, from);
  }
}

/**
 * Commands with rotated content. An unknown command is a trap, after which the instance is
 * discarded.
 */
function turned(name: i32, from: usize): usize {
  if (name === command.TURNED_ICON) {
    const x = load<f32>(from, 4);
    const y = load<f32>(from, 8);
    paintTurnedIcon(load<i32>(from), x, y, load<f32>(from, 12), load<f32>(from, 16));
    return from + 20;
  }
  if (name !== command.TURNED_LETTER) unreachable();
  paintTurnedLetter(
    load<i32>(from),
    load<i32>(from, 4),
    load<i32>(from, 8),
    load<f32>(from, 12),
    load<f32>(from, 16),
    load<f32>(from, 20),
    load<f32>(from, 24),
    load<f32>(from, 28),
    load<f32>(from, 32),
  );
  return from + 36;
}

function edges(from: usize, isSmooth: bool): usize {
  const end = from + 4 + (load<i32>(from) << 3);
  let x = load<f32>(from, 4);
  let y = load<f32>(from, 8);
  for (let at = from + 12; at < end; at += 8) {
    const toX = load<f32>(at);
    const toY = load<f32>(at, 4);
    if (isSmooth) addEdge(x, y, toX, toY);
    else addCrossings(x, y, toX, toY);
    x = toX;
    y = toY;
  }
  return end;
}

/** A line or a piece of one; the next piece continues at its end. */
function line(from: usize): usize {
  const flags = load<i32>(from);
  const end = from + 8 + (load<i32>(from, 4) << 3);
  let at = from + 8;
  if ((flags & command.IS_FIRST) !== 0) {
    lineFrom(load<f32>(at), load<f32>(at, 4));
    at += 8;
  }
  for (; at < end; at += 8) lineTo(load<f32>(at), load<f32>(at, 4));
  if ((flags & command.IS_LAST) !== 0) endLine();
  return end;
}
