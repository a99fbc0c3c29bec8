import { describe, expect, it } from 'vitest';
import { chosenDepthText, depthText } from '../../../workers/web/chart/depth-text.ts';

describe('depthText', () => {
  it.each([
    [3.69, 'meters', '3.6 m'],
    [3.6, 'meters', '3.6 m'],
    [5.1, 'feet', '16 feet'],
    [-0.8, 'feet', '-3 feet'],
    [3.6576, 'feet', '12 feet'],
    [10, 'fathoms', '5.4 fathoms'],
    [18.288, 'fathoms', '10.0 fathoms'],
  ])('rounds %d m in %s down to %s', (meters, units, text) => {
    expect(depthText(meters, units)).toBe(text);
  });
});

describe('chosenDepthText', () => {
  it('rounds a safety depth to the nearest unit', () => {
    expect(chosenDepthText(10, 'feet')).toBe('33 feet');
  });
});
