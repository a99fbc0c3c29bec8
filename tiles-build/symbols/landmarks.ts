// Landmarks: each is drawn once, in brown if it is inconspicuous and in black if it is conspicuous.
// Towers and similar objects stand on their charted position.

import type { LAND_SYMBOLS } from '../../shared/chart/symbol-names.ts';
import type { ColorToken } from '../../shared/style/palette.ts';
import { LANDSCAPE } from './landscape.ts';
import {
  arc,
  box,
  corners,
  disc,
  line,
  moved,
  onCircle,
  type Paint,
  path,
  polygon,
  rays,
  regularPoints,
  type Shape,
  type SymbolShapes,
  turned,
} from './shape.ts';

type LandName = (typeof LAND_SYMBOLS)[number];
type LandmarkName = Exclude<LandName, keyof typeof LANDSCAPE>;
type Sketch = (ink: ColorToken) => Shape[];

const pen = (ink: ColorToken, width = 1.3): Paint => ({ stroke: ink, width });
const solid = (ink: ColorToken): Paint => ({ fill: ink });

/** The position circle between two strokes of ground. */
const foot = (ink: ColorToken): Shape[] => [
  line(-6, 0, -1.8, 0, pen(ink, 1)),
  line(1.8, 0, 6, 0, pen(ink, 1)),
  disc(0, 0, 1.6, pen(ink, 1)),
];

const tower: Sketch = (ink) => [
  ...foot(ink),
  path('M-3 -1.6 L-2 -17 L2 -17 L3 -1.6 M-3.5 -17 L3.5 -17 L0 -20.5 Z', pen(ink)),
];

const radioTower: Sketch = (ink) => [
  ...foot(ink),
  path('M-3.5 -1.6 L0 -18 L3.5 -1.6 M-2.4 -6 L2.4 -6 M-1.5 -11 L1.5 -11', pen(ink)),
  ...[4, 7].flatMap((radius) => [
    arc(0, -18, radius, 55, 125, pen(ink)),
    arc(0, -18, radius, 235, 305, pen(ink)),
  ]),
];

const waterTower: Sketch = (ink) => [
  ...foot(ink),
  path('M-4 -1.6 L-2.5 -10 M4 -1.6 L2.5 -10 M0 -1.6 L0 -10', pen(ink)),
  path('M-5.5 -17 L5.5 -17 L5.5 -13 C5.5 -9 -5.5 -9 -5.5 -13 Z', solid(ink)),
];

const chimney: Sketch = (ink) => [
  ...foot(ink),
  path('M-3 -1.6 L-1.4 -16 L1.4 -16 L3 -1.6', pen(ink)),
  path('M0 -17.5 C3 -18 3 -20.5 6 -20 C9 -19.5 8 -17 11 -17.5', pen(ink)),
];

const flareStack: Sketch = (ink) => [
  ...foot(ink),
  path('M-1.6 -1.6 L-1.2 -13 L1.2 -13 L1.6 -1.6', pen(ink)),
  path('M0 -13 C-4.5 -16 0 -18 0.5 -22 C3.5 -19 5 -15 0 -13 Z', solid(ink)),
];

const monument: Sketch = (ink) => [
  ...foot(ink),
  path('M-5 -1.6 L-5 -4 L5 -4 L5 -1.6', pen(ink)),
  path('M-2.2 -4 L-1.4 -16 L0 -19 L1.4 -16 L2.2 -4 Z', solid(ink)),
];

const dome: Sketch = (ink) => [
  ...foot(ink),
  path('M-7 -1.6 L-7 -5 L7 -5 L7 -1.6', pen(ink)),
  path('M-6 -5 C-6 -14 6 -14 6 -5 Z', solid(ink)),
  line(0, -11, 0, -14.5, pen(ink)),
];

const mast: Sketch = (ink) => [
  ...foot(ink),
  line(0, -1.6, 0, -19, pen(ink, 1.6)),
  path('M-5.5 -1 L0 -17 L5.5 -1', pen(ink, 0.9)),
];

const windmill: Sketch = (ink) => [
  ...foot(ink),
  path('M-4 -1.6 L-2 -12 L2 -12 L4 -1.6', pen(ink)),
  ...moved(turned(rays(0, 0, 9, 4, pen(ink, 1.6)), 45), 0, -13),
];

const windTurbine: Sketch = (ink) => [
  ...foot(ink),
  line(0, -1.6, 0, -13, pen(ink, 1.5)),
  ...rays(0, -13, 8, 3, pen(ink, 1.8)),
  disc(0, -13, 1.4, solid(ink)),
];

const church: Sketch = (ink) => [
  path('M0 -9 L0 9 M-9 0 L9 0', pen(ink, 1.2)),
  polygon(
    regularPoints(0, 0, 4.6, 4).map((point) => rotate45(point)),
    {
      fill: 'CHBRN',
      ...pen(ink),
    },
  ),
  path('M0 -3 L0 3 M-3 0 L3 0', pen(ink, 1.2)),
];

const temple: Sketch = (ink) => [
  path('M-7 5 L7 5 M-5 5 L-5 -1 M5 5 L5 -1 M0 5 L0 -1', pen(ink)),
  path('M-9 -1 C-5 -1.5 -2 -4 0 -7 C2 -4 5 -1.5 9 -1 Z', { fill: ink, ...pen(ink) }),
];

const mosque: Sketch = (ink) => [
  path('M-6 7 L-6 1 L6 1 L6 7 Z', pen(ink)),
  path('M-4.5 1 C-4.5 -5 4.5 -5 4.5 1 Z', solid(ink)),
  line(0, -4, 0, -5.5, pen(ink)),
  path(
    'M-1.6 -12 C-5 -9.5 -3 -5 0 -5 C3 -5 5 -9.5 1.6 -12 C2.8 -9.5 1.8 -7 0 -7 C-1.8 -7 -2.8 -9.5 -1.6 -12 Z',
    solid(ink),
  ),
];

const silo: Sketch = (ink) => [
  path('M-3 6 L-3 -6 C-3 -9.5 3 -9.5 3 -6 L3 6 Z', { fill: 'CHBRN', ...pen(ink) }),
  path('M3 6 L8 6 L8 -1 L3 -1', { fill: 'CHBRN', ...pen(ink) }),
];

const tank: Sketch = (ink) => [
  disc(0, 0, 5.5, { fill: 'CHBRN', ...pen(ink) }),
  ...turned(rays(0, 0, 5.5, 4, pen(ink, 1)), 45),
];

const tankFarm: Sketch = (ink) =>
  regularPoints(0, 1, 5, 3).map(([x, y]) => disc(x, y, 3.4, { fill: 'CHBRN', ...pen(ink) }));

const dish: Sketch = (ink) => [
  ...foot(ink),
  path('M-3.5 -1.6 L0 -8 L3.5 -1.6', pen(ink)),
  path('M-7 -13 C-6 -6 1 -2.5 6 -5.5 Z', { fill: ink, ...pen(ink) }),
  line(-0.5, -9.5, 4, -14, pen(ink)),
  disc(4, -14, 1, solid(ink)),
];

const cairn: Sketch = (ink) =>
  corners('-5 -2, 0 -2, 5 -2, -2.5 -6.2, 2.5 -6.2, 0 -10.4').map(([x = 0, y = 0]) =>
    disc(x, y, 2, pen(ink, 1.2)),
  );

/** A fortification with five bastions. */
const fort: Sketch = (ink) => [
  polygon(
    Array.from({ length: 10 }, (_, index) => onCircle(0, 0, index % 2 === 0 ? 8.5 : 5, index * 36)),
    { fill: 'CHBRN', ...pen(ink) },
  ),
];

const hilltop: Sketch = (ink) => [
  ...Array.from({ length: 12 }, (_, index) => {
    const [x1, y1] = onCircle(0, 0, 3.8, index * 30);
    const [x2, y2] = onCircle(0, 0, 7.5, index * 30);
    return line(x1, y1, x2, y2, pen(ink, 1));
  }),
  disc(0, 0, 1.3, solid(ink)),
];

const building: Sketch = (ink) => [box(-4, -4, 8, 8, { fill: 'CHBRN', ...pen(ink, 1.4) })];

const FAINT = 'LANDF';
const BOLD = 'CHBLK';

const LANDMARKS: Readonly<Record<LandmarkName, SymbolShapes>> = {
  POSGEN01: [disc(0, 0, 4, pen(FAINT, 1.5)), disc(0, 0, 1.2, solid(FAINT))],
  POSGEN03: [disc(0, 0, 4, pen(BOLD, 1.5)), disc(0, 0, 1.2, solid(BOLD))],
  POSGEN04: [disc(0, 0, 2, solid(FAINT))],
  TOWERS01: tower(FAINT),
  TOWERS03: tower(BOLD),
  TOWERS02: waterTower(FAINT),
  TOWERS12: waterTower(BOLD),
  TOWERS05: radioTower(FAINT),
  TOWERS15: radioTower(BOLD),
  CHIMNY01: chimney(FAINT),
  CHIMNY11: chimney(BOLD),
  FLASTK01: flareStack(FAINT),
  FLASTK11: flareStack(BOLD),
  MONUMT02: monument(FAINT),
  MONUMT12: monument(BOLD),
  DOMES001: dome(FAINT),
  DOMES011: dome(BOLD),
  MSTCON04: mast(FAINT),
  MSTCON14: mast(BOLD),
  WNDMIL02: windmill(FAINT),
  WNDMIL12: windmill(BOLD),
  WIMCON01: windTurbine(FAINT),
  WIMCON11: windTurbine(BOLD),
  BUIREL01: church(FAINT),
  BUIREL13: church(BOLD),
  BUIREL04: temple(FAINT),
  BUIREL14: temple(BOLD),
  BUIREL05: mosque(FAINT),
  BUIREL15: mosque(BOLD),
  SILBUI01: silo(FAINT),
  SILBUI11: silo(BOLD),
  TNKCON02: tank(FAINT),
  TNKCON12: tank(BOLD),
  TNKFRM01: tankFarm(FAINT),
  TNKFRM11: tankFarm(BOLD),
  DSHAER01: dish(FAINT),
  DSHAER11: dish(BOLD),
  CAIRNS01: cairn(FAINT),
  CAIRNS11: cairn(BOLD),
  FORSTC01: fort(FAINT),
  FORSTC11: fort(BOLD),
  HILTOP01: hilltop(FAINT),
  HILTOP11: hilltop(BOLD),
  BUISGL01: building(FAINT),
  BUISGL11: building(BOLD),
};

export const LAND: Readonly<Record<LandName, SymbolShapes>> = { ...LANDMARKS, ...LANDSCAPE };

function rotate45([x, y]: readonly [number, number]): readonly [number, number] {
  return [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2];
}
