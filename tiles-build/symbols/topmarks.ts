// Topmarks and daymarks, one drawing per shape: those of floating marks lean with their buoy, those
// of rigid marks are upright. The pivot is the foot of the mark that carries them.

import type { TOPMARK_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import { LEAN_DEGREES } from './buoys-simplified.ts';
import { coneOutline } from './cones.ts';
import {
  box,
  boxPoints,
  disc,
  line,
  moved,
  type Paint,
  polygon,
  regularPoints,
  type Shape,
  type SymbolShapes,
  turned,
} from './shape.ts';

type TopmarkName = (typeof TOPMARK_SYMBOLS)[number];

const FILLED: Paint = { fill: 'CHBLK' };
const STROKE: Paint = { stroke: 'CHBLK', width: 1.8 };

/** Height above the tallest body that carries a topmark, pixels. */
const FOOT = -17;

const cone = (points: 'up' | 'down', foot = FOOT) =>
  moved([polygon(coneOutline(4, 6.5, points), FILLED)], 0, foot);
const UPPER = FOOT - 7.5;
const ball = (y: number): Shape => disc(0, y, 3.5, FILLED);
const middle = FOOT - 4;

const CONE_UP = cone('up');
const CONE_DOWN = cone('down');
const CONES_UP = [...cone('up', UPPER), ...cone('up')];
const CONES_DOWN = [...cone('down', UPPER), ...cone('down')];
const BASES_TOGETHER = [...cone('up', FOOT - 6.5), ...cone('down')];
const POINTS_TOGETHER = [...cone('down', FOOT - 6.5), ...cone('up')];
const SPHERE = [ball(FOOT - 3.5)];
const SPHERES = [ball(FOOT - 3.5), ball(FOOT - 11)];
const CYLINDER = [box(-3, FOOT - 8, 6, 8, FILLED)];
const BOARD = [polygon(boxPoints(-4, FOOT - 7, 8, 7), { stroke: 'CHBLK', width: 1.5 })];
const CUBE_ON_POINT = [polygon(regularPoints(0, middle, 4.5, 4), FILLED)];
const UPRIGHT_CROSS = [
  line(0, middle - 4, 0, middle + 4, STROKE),
  line(-4, middle, 4, middle, STROKE),
];
const DIAGONAL_CROSS = [
  line(-3.5, middle - 3.5, 3.5, middle + 3.5, STROKE),
  line(-3.5, middle + 3.5, 3.5, middle - 3.5, STROKE),
];
const T_SHAPE = [line(-4, FOOT - 7, 4, FOOT - 7, STROKE), line(0, FOOT - 7, 0, FOOT, STROKE)];
const BESOM_UP = besom(FOOT, FOOT - 7);
const BESOM_DOWN = besom(FOOT - 7, FOOT);
const UNKNOWN = [polygon(boxPoints(-3, FOOT - 7, 6, 7), { stroke: 'CHMGD', width: 1.5 })];

export const TOPMARKS: Readonly<Record<TopmarkName, SymbolShapes>> = {
  DAYSQR21: [...post(), polygon(boxPoints(-4.5, FOOT - 8, 9, 9), { stroke: 'CHBLK', width: 1.5 })],
  DAYTRI21: [...post(), daymarkTriangle('up')],
  DAYTRI25: [...post(), daymarkTriangle('down')],
  TMARDEF1: UNKNOWN,
  TMARDEF2: afloat(UNKNOWN),
  TOPMAR02: afloat(CONE_UP),
  TOPMAR04: afloat(CONE_DOWN),
  TOPMAR05: afloat(CONES_UP),
  TOPMAR06: afloat(CONES_DOWN),
  TOPMAR07: afloat(BASES_TOGETHER),
  TOPMAR08: afloat(POINTS_TOGETHER),
  TOPMAR10: afloat(SPHERE),
  TOPMAR12: afloat(SPHERES),
  TOPMAR13: afloat(CYLINDER),
  TOPMAR14: afloat(BOARD),
  TOPMAR16: afloat(CUBE_ON_POINT),
  TOPMAR17: afloat(UPRIGHT_CROSS),
  TOPMAR18: afloat(T_SHAPE),
  TOPMAR65: afloat(DIAGONAL_CROSS),
  TOPMAR22: CONE_UP,
  TOPMAR24: CONE_DOWN,
  TOPMAR25: CONES_UP,
  TOPMAR26: CONES_DOWN,
  TOPMAR27: BASES_TOGETHER,
  TOPMAR28: POINTS_TOGETHER,
  TOPMAR30: SPHERE,
  TOPMAR32: SPHERES,
  TOPMAR33: CYLINDER,
  TOPMAR34: BOARD,
  TOPMAR36: CUBE_ON_POINT,
  TOPMAR85: DIAGONAL_CROSS,
  TOPMAR86: UPRIGHT_CROSS,
  TOPMAR87: BESOM_DOWN,
  TOPMAR88: BESOM_UP,
  TOPMAR89: T_SHAPE,
};

function afloat(shapes: SymbolShapes): Shape[] {
  return turned(shapes, LEAN_DEGREES);
}

function post(): Shape[] {
  return [line(0, 0, 0, FOOT + 1, { stroke: 'CHBLK', width: 1.5 })];
}

function daymarkTriangle(points: 'up' | 'down'): Shape {
  const [triangle] = moved(
    [polygon(coneOutline(5.5, 9.5, points), { stroke: 'CHBLK', width: 1.5 })],
    0,
    FOOT + 1,
  );
  return triangle as Shape;
}

/** A broom of twigs, spreading away from its tied end. */
function besom(tied: number, spread: number): Shape[] {
  return [-4, -1.5, 1.5, 4].map((x) => line(0, tied, x, spread, { stroke: 'CHBLK', width: 1.4 }));
}
