// Merging of fragments of one tile.

import { expect, it } from 'vitest';
import { decodeTile } from '../../../shared/mvt/decode.ts';
import { encodeTile, LayerBuilder, pointCommands } from '../../../shared/mvt/encode.ts';
import { mergeTiles } from '../../../shared/mvt/merge.ts';

const soundings = (...depths: readonly number[]): Uint8Array => {
  const layer = new LayerBuilder('SOUNDG');
  for (const d of depths) layer.add(100 + d * 10, 1, { d }, pointCommands([d * 10, 40]));
  return encodeTile([layer]);
};

it('mergeTiles puts the shallowest sounding of all cells last, so that it is drawn on top', () => {
  const merged = mergeTiles([soundings(12, 5.1, -1), soundings(11, 9.9), soundings(5.1)]);
  const depths = decodeTile(merged)[0]!.features.map(({ properties }) => properties['d']);
  // Both cells have the sounding of 5.1 m on their border.
  expect(depths).toEqual([12, 11, 9.9, 5.1, -1]);
});
