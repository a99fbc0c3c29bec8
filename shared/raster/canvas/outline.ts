// Converts lines to shapes: one outline with both sides, round at sharp bends. Edges run forward on
// the right side and backward on the left.

import { addEdge } from './coverage';
import { isOutside } from './outside';

/** On narrower lines, round bends and ends are invisible. */
const LEAST_ROUND_PIXELS: f64 = 1.2;
/** Cosine of the bend up to which both sides are simply joined; rounding would be invisible. */
const GENTLE: f64 = 0.7;
/** Sine and cosine of 45°, the step of round parts. */
const SINE: f64 = Math.SQRT1_2;

/** Half the line width, and whether ends and bends are round. */
let half: f64 = 0.5;
let hasCaps: bool = false;
let isRound: bool = false;
/** Current position of the line, and whether an outline was started. */
let atX: f64 = 0;
let atY: f64 = 0;
let isOpen: bool = false;
let isAtStart: bool = true;
let lengthBefore: f64 = 0;
/** Vector from the line to its right side on the current segment. */
let acrossX: f64 = 0;
let acrossY: f64 = 0;
/** Current positions of both sides. */
let rightX: f64 = 0;
let rightY: f64 = 0;
let leftX: f64 = 0;
let leftY: f64 = 0;

/** Set width and caps of the following lines. */
export function setOutline(halfWidth: f64, roundCaps: bool): void {
  half = halfWidth;
  isRound = 2 * halfWidth > LEAST_ROUND_PIXELS;
  hasCaps = roundCaps;
}

/** Start a line. */
export function outlineFrom(x: f64, y: f64): void {
  atX = x;
  atY = y;
  isOpen = false;
  isAtStart = true;
  lengthBefore = 0;
}

/** Continue the line. Parts far outside the tile are skipped. */
export function outlineTo(x: f64, y: f64): void {
  const dx = x - atX;
  const dy = y - atY;
  const length = sqrt(dx * dx + dy * dy);
  if (length !== 0) {
    if (isOutside(atX, atY, x, y, half)) {
      if (isOpen) end(false);
      isOpen = false;
    } else {
      const toX = (-dy / length) * half;
      const toY = (dx / length) * half;
      if (isOpen) turn(toX, toY, min(length, lengthBefore));
      acrossX = toX;
      acrossY = toY;
      if (!isOpen) begin(hasCaps && isAtStart);
      isOpen = true;
      lengthBefore = length;
    }
    isAtStart = false;
  }
  atX = x;
  atY = y;
}

/** End the line at its current position. */
export function endOutline(): void {
  if (isOpen) end(hasCaps);
  isOpen = false;
}

function begin(isCap: bool): void {
  rightX = atX - acrossX;
  rightY = atY - acrossY;
  leftX = rightX;
  leftY = rightY;
  if (isCap) halfDisc(-acrossX, -acrossY);
  rightTo(atX + acrossX, atY + acrossY);
}

function end(isCap: bool): void {
  sidesTo(acrossX, acrossY);
  if (isCap) halfDisc(acrossX, acrossY);
  rightTo(leftX, leftY);
}

/** Turn at a corner. @param shorter length of the shorter adjacent segment */
function turn(toX: f64, toY: f64, shorter: f64): void {
  const fromX = acrossX;
  const fromY = acrossY;
  const square = half * half;
  const cosine = (fromX * toX + fromY * toY) / square;
  // On the inner side, both segments must be long enough to intersect.
  if (cosine > GENTLE && 4 * square * (1 - cosine) <= shorter * shorter * (1 + cosine)) {
    const share = 1 / (1 + cosine);
    sidesTo((fromX + toX) * share, (fromY + toY) * share);
    return;
  }
  sidesTo(fromX, fromY);
  const points = isRound ? pointsWithin(cosine) : 0;
  // An arc on the outer side; on the inner side through the corner itself.
  if (fromX * toY - fromY * toX < 0) {
    arc(fromX, fromY, points);
    rightTo(atX + toX, atY + toY);
    leftTo(atX, atY);
    leftTo(atX - toX, atY - toY);
  } else {
    let awayX = -fromX;
    let awayY = -fromY;
    for (let i = 0; i < points; i++) {
      const turnedX = (awayX - awayY) * SINE;
      awayY = (awayX + awayY) * SINE;
      awayX = turnedX;
      leftTo(atX + awayX, atY + awayY);
    }
    leftTo(atX - toX, atY - toY);
    rightTo(atX, atY);
    rightTo(atX + toX, atY + toY);
  }
}

function halfDisc(awayX: f64, awayY: f64): void {
  if (isRound) arc(awayX, awayY, 3);
}

/** The right side around a corner. */
function arc(fromX: f64, fromY: f64, points: i32): void {
  let awayX = fromX;
  let awayY = fromY;
  for (let i = 0; i < points; i++) {
    const turnedX = (awayX + awayY) * SINE;
    awayY = (awayY - awayX) * SINE;
    awayX = turnedX;
    rightTo(atX + awayX, atY + awayY);
  }
}

function sidesTo(toX: f64, toY: f64): void {
  rightTo(atX + toX, atY + toY);
  leftTo(atX - toX, atY - toY);
}

function rightTo(x: f64, y: f64): void {
  addEdge(rightX, rightY, x, y);
  rightX = x;
  rightY = y;
}

function leftTo(x: f64, y: f64): void {
  addEdge(x, y, leftX, leftY);
  leftX = x;
  leftY = y;
}

/** Number of points at steps of 45° within an angle. */
function pointsWithin(cosine: f64): i32 {
  if (cosine >= SINE) return 0;
  if (cosine >= 0) return 1;
  return cosine >= -SINE ? 2 : 3;
}
