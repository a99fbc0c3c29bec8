import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { PATTERN_SYMBOLS, type PatternName } from '../../../shared/chart/symbol-names.ts';
import { paletteFor } from '../../../shared/style/palette.ts';
import { PATTERNS } from '../../../tiles-build/symbols/patterns.ts';
import { moved } from '../../../tiles-build/symbols/shape.ts';
import {
  imageToSvg,
  patternImage,
  type SpriteImage,
} from '../../../tiles-build/symbols/sprite-images.ts';
import { svgDocument, svgToPng } from '../../../tiles-build/symbols/svg-png.ts';

const day = paletteFor('day');

function pixelsOf(image: SpriteImage, ratio: 1 | 2) {
  const side = image.width * ratio;
  const svg = imageToSvg(image, day, { x: 0, y: 0, ratio });
  return { side, data: PNG.sync.read(Buffer.from(svgToPng(svgDocument(side, side, svg)))).data };
}

/**
 * A seamless tile does not know where its edges are: drawing the figure half a tile further gives
 * the same pixels as moving the pixels around the tile. The renderer's sampling of curves lets single
 * pixels differ by a quarter; a seam differs wholly, or along a line.
 */
function seamOf(name: PatternName, ratio: 1 | 2, change: Partial<SpriteImage> = {}) {
  const { side: step, shapes } = PATTERNS[name];
  const shifted = moved(shapes, step / 2, step / 2);
  const still = pixelsOf({ ...patternImage(name), ...change }, ratio);
  const { side, data } = pixelsOf({ ...patternImage(name, shifted), ...change }, ratio);
  const half = side / 2;
  let [largest, sum] = [0, 0];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const here = (y * side + x) * 4 + 3;
      const there = (((y + half) % side) * side + ((x + half) % side)) * 4 + 3;
      const difference = Math.abs((still.data[here] ?? 0) - (data[there] ?? 0));
      largest = Math.max(largest, difference);
      sum += difference;
    }
  }
  return { largest, mean: sum / side ** 2 };
}

test('seamOf detects a figure that is cut at the edge', () => {
  expect(seamOf('SNDWAV01', 1, { wraps: false }).largest).toBeGreaterThan(150);
});

describe.each(PATTERN_SYMBOLS)('%s', (name) => {
  test('is seamless on every side', () => {
    for (const ratio of [1, 2] as const) {
      const { largest, mean } = seamOf(name, ratio);
      expect(largest).toBeLessThanOrEqual(64);
      expect(mean).toBeLessThan(1);
    }
  });

  test('has a side that divides 256 pixels', () => {
    expect(256 % PATTERNS[name].side).toBe(0);
  });

  test('covers only a small part of its area', () => {
    const { data, side } = pixelsOf(patternImage(name), 1);
    const ink = data.reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0);
    const share = ink / 255 / side ** 2;
    expect(share).toBeGreaterThan(0.005);
    expect(share).toBeLessThan(0.25);
  });
});
