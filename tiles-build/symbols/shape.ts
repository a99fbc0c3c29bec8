// The primitives of all symbols: outlines in pixels, painted by colour token. The origin is the
// symbol's pivot (the charted position), x to the right, y down.

import type { ColorToken } from '../../shared/style/palette.ts';

export type Point = readonly [x: number, y: number];

/** Points from text: x and y, a comma between points. */
export const corners = (text: string): Point[] =>
  text.split(',').map((point) => {
    const [x, y] = point.trim().split(' ').map(Number);
    return [x!, y!];
  });

/** How an outline is painted; lengths in pixels at ratio 1. Line ends are round unless `butt`. */
export interface Paint {
  readonly fill?: ColorToken;
  readonly stroke?: ColorToken;
  readonly width?: number;
  readonly dash?: readonly number[];
  readonly butt?: true;
  readonly opacity?: number;
}

/** One step of an outline: SVG's absolute commands, with only coordinate pairs as arguments. */
export interface Step {
  readonly command: 'M' | 'L' | 'Q' | 'C' | 'Z';
  readonly points: readonly Point[];
}

export interface Shape {
  readonly steps: readonly Step[];
  readonly paint: Paint;
}

/** A symbol: its shapes from bottom to top. */
export type SymbolShapes = readonly Shape[];

export function polygon(points: readonly Point[], paint: Paint): Shape {
  return { steps: [...lineSteps(points), { command: 'Z', points: [] }], paint };
}

export function polyline(points: readonly Point[], paint: Paint): Shape {
  return { steps: lineSteps(points), paint };
}

export function line(x1: number, y1: number, x2: number, y2: number, paint: Paint): Shape {
  return polyline(
    [
      [x1, y1],
      [x2, y2],
    ],
    paint,
  );
}

/** Rectangle from its top left corner. */
export function box(x: number, y: number, width: number, height: number, paint: Paint): Shape {
  return polygon(boxPoints(x, y, width, height), paint);
}

export function boxPoints(x: number, y: number, width: number, height: number): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

export function disc(x: number, y: number, radius: number, paint: Paint): Shape {
  return oval(x, y, radius, radius, paint);
}

export function oval(x: number, y: number, radiusX: number, radiusY: number, paint: Paint): Shape {
  const around = arcSteps(0, 0, 1, 0, 360).map((step) => ({
    ...step,
    points: step.points.map(([u, v]): Point => [x + u * radiusX, y + v * radiusY]),
  }));
  return { steps: [...around, { command: 'Z', points: [] }], paint };
}

/** Part of a circle, clockwise between two bearings in degrees (0 is up). */
export function arc(
  x: number,
  y: number,
  radius: number,
  from: number,
  to: number,
  paint: Paint,
): Shape {
  return { steps: arcSteps(x, y, radius, from, to), paint };
}

/** Outline in SVG notation; absolute M, L, Q, C and Z only. */
export function path(data: string, paint: Paint): Shape {
  const steps = [...data.matchAll(/([MLQCZ])([^MLQCZ]*)/g)].map(([, command, rest]): Step => {
    const numbers = (rest?.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const points = Array.from(
      { length: numbers.length / 2 },
      (_, index): Point => [numbers[index * 2] ?? 0, numbers[index * 2 + 1] ?? 0],
    );
    return { command: command as Step['command'], points };
  });
  return { steps, paint };
}

/** Lines from a centre to points at equal angles; 6 is an asterisk, 4 a plus sign. */
export function rays(x: number, y: number, radius: number, count: number, paint: Paint): Shape[] {
  return Array.from({ length: count }, (_, index) => {
    const [toX, toY] = onCircle(x, y, radius, (index * 360) / count);
    return line(x, y, toX, toY, paint);
  });
}

/** Corners of a regular polygon with one corner up, clockwise. */
export function regularPoints(x: number, y: number, radius: number, count: number): Point[] {
  return Array.from({ length: count }, (_, index) => onCircle(x, y, radius, (index * 360) / count));
}

export function onCircle(x: number, y: number, radius: number, bearingDegrees: number): Point {
  const angle = (bearingDegrees * Math.PI) / 180;
  return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
}

export function moved(shapes: SymbolShapes, dx: number, dy: number): Shape[] {
  return mapPoints(shapes, ([x, y]) => [x + dx, y + dy]);
}

/** Rotated about the pivot, clockwise. */
export function turned(shapes: SymbolShapes, degrees: number): Shape[] {
  const angle = (degrees * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return mapPoints(shapes, ([x, y]) => [x * cosine - y * sine, x * sine + y * cosine]);
}

/** Scaled about the pivot; a negative factor mirrors. Line widths do not change. */
export function scaled(shapes: SymbolShapes, factorX: number, factorY = factorX): Shape[] {
  return mapPoints(shapes, ([x, y]) => [x * factorX, y * factorY]);
}

/** The same outlines with some of their paint replaced. */
export function painted(shapes: SymbolShapes, paint: Paint): Shape[] {
  return shapes.map((shape) => ({ ...shape, paint: { ...shape.paint, ...paint } }));
}

function mapPoints(shapes: SymbolShapes, change: (point: Point) => Point): Shape[] {
  return shapes.map((shape) => ({
    ...shape,
    steps: shape.steps.map((step) => ({ ...step, points: step.points.map(change) })),
  }));
}

function lineSteps(points: readonly Point[]): Step[] {
  return points.map((point, index) => ({ command: index === 0 ? 'M' : 'L', points: [point] }));
}

/** Cubic curves of at most 45 degrees each; the error is less than a thousandth of a pixel. */
function arcSteps(x: number, y: number, radius: number, from: number, to: number): Step[] {
  const count = Math.max(1, Math.ceil(Math.abs(to - from) / 45));
  const sweep = (to - from) / count;
  const handle = (4 / 3) * Math.tan((sweep * Math.PI) / 720) * radius;
  const steps: Step[] = [{ command: 'M', points: [onCircle(x, y, radius, from)] }];
  for (let index = 0; index < count; index++) {
    const [start, end] = [from + index * sweep, from + (index + 1) * sweep];
    const [startX, startY] = onCircle(x, y, radius, start);
    const [endX, endY] = onCircle(x, y, radius, end);
    const [outX, outY] = onCircle(0, 0, handle, start + 90);
    const [inX, inY] = onCircle(0, 0, handle, end - 90);
    steps.push({
      command: 'C',
      points: [
        [startX + outX, startY + outY],
        [endX + inX, endY + inY],
        [endX, endY],
      ],
    });
  }
  return steps;
}
