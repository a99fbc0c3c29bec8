// Seas drawn at random from a seed: islands, shoals, walls with gaps, bridges, in all sizes.

import {
  makeSea,
  type SeaPlan,
  type Shape,
  type Spot,
  type SyntheticSea,
} from './synthetic-sea.ts';

export type Random = () => number;

/** A star of `count` rays around a place: may have deep bays, never crosses itself. */
export function island(
  random: Random,
  x: number,
  y: number,
  radius: number,
  count: number,
): Spot[] {
  return Array.from({ length: count }, (_, i): Spot => {
    const angle = (i / count) * 2 * Math.PI;
    const reach = radius * (0.3 + 0.7 * random());
    return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach];
  });
}

export interface RandomSeaOptions {
  /** Squares along each side. */
  readonly squares?: number;
  /** Shapes for each square. */
  readonly density?: number;
  readonly corner?: Spot;
  readonly plan?: Partial<SeaPlan>;
}

export function randomSea(random: Random, options: RandomSeaOptions = {}): SyntheticSea {
  const squares = options.squares ?? 2;
  const width = squares * 256;
  const count = Math.ceil(squares * squares * (options.density ?? 6));
  const shapes: Shape[] = [];
  const place = (): Spot => [random() * width, random() * width];
  for (let i = 0; i < count; i++) {
    const [x, y] = place();
    const radius = 3 + random() ** 3 * (width / 4);
    const rays = 5 + Math.floor(random() * 30);
    const ring = island(random, x, y, radius, rays);
    const chance = random();
    if (chance < 0.5) shapes.push({ ring, kind: 'land', depth: Number.NaN });
    else if (chance < 0.85)
      shapes.push({ ring, kind: 'depth', depth: Math.round(random() * 60) / 10 - 1 });
    else if (chance < 0.9) shapes.push({ ring, kind: 'prohibited', flags: 1 });
    else if (chance < 0.95) shapes.push({ ring, kind: 'restricted', flags: 2 });
    else shapes.push({ ring, kind: 'unknown-depth', flags: 1024 });
  }
  for (let i = 0; i < count / 3; i++) {
    const ring = [place(), place()];
    const chance = random();
    if (chance < 0.4) {
      shapes.push({ ring, open: true, kind: 'overhead', clearance: Math.round(random() * 30) });
    } else if (chance < 0.7) {
      // A wall with a gap somewhere.
      const [[ax, ay], [bx, by]] = ring as [Spot, Spot];
      const at = random();
      const gap = (3 + random() * 12) / Math.hypot(bx - ax, by - ay);
      const spot = (t: number): Spot => [ax + (bx - ax) * t, ay + (by - ay) * t];
      shapes.push({
        ring: [spot(0), spot(Math.max(0, at - gap))],
        open: true,
        kind: 'structure',
        depth: Number.NaN,
      });
      shapes.push({
        ring: [spot(Math.min(1, at + gap)), spot(1)],
        open: true,
        kind: 'structure',
        depth: Number.NaN,
      });
    } else {
      shapes.push({ ring: [ring[0]!], open: true, kind: 'danger', depth: random() * 8 });
    }
  }
  const corner = options.corner ?? [
    Math.floor(random() * 16384),
    2500 + Math.floor(random() * 9000),
  ];
  return makeSea({ corner, squares: [squares, squares], depth: 20, shapes, ...options.plan });
}
