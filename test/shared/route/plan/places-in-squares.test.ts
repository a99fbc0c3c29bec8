import { describe, expect, test } from 'vitest';
import { placesInSquares } from '../../../../shared/route/plan/sight/line-of-sight.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const SIZE = 256;
const squareOf = ({ x, y }: { x: number; y: number }) =>
  `${Math.floor(x / SIZE)} ${Math.floor(y / SIZE)}`;

describe('the places of a line in finest squares', () => {
  test('include a square if the line cuts only its corner', () => {
    const places = placesInSquares({ x: 10, y: 247 }, { x: 20, y: 257.5 });
    expect(new Set(places.map(squareOf))).toEqual(new Set(['0 0', '0 1']));
    const corner = placesInSquares({ x: 200, y: 252 }, { x: 300, y: 262 });
    expect(corner.map(squareOf)).toContain('0 1');
  });

  test('include each square that a much finer walk finds, in any direction', () => {
    const random = seededRandom(7);
    const missed: string[] = [];
    for (let round = 0; round < 200; round++) {
      const end = () => ({ x: (random() - 0.5) * 4000, y: (random() - 0.5) * 4000 });
      const [a, b] = [end(), end()];
      const found = new Set(placesInSquares(a, b).map(squareOf));
      for (let i = 0; i <= 5000; i++) {
        const t = i / 5000;
        const place = { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) };
        if (!found.has(squareOf(place))) missed.push(squareOf(place));
      }
    }
    expect(missed).toEqual([]);
  });

  test('are the ends alone for a line without length', () => {
    const places = placesInSquares({ x: 5, y: 5 }, { x: 5, y: 5 });
    expect(new Set(places.map(squareOf))).toEqual(new Set(['0 0']));
  });
});
