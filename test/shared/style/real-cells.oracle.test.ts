// Checks that every image, font and character exists that the style needs for real cells.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { decodeTile } from '../../../shared/mvt/decode.ts';
import {
  type CompiledLayer,
  compileStyle,
  imageName,
} from '../../../shared/raster/compile-style.ts';
import type { AssetsIndex } from '../../../shared/style/assets-index.ts';
import { CHART_SOURCE } from '../../../shared/style/layers/layer.ts';
import type { StyleOptions } from '../../../shared/style/options.ts';
import { openArchive } from '../../../tiles-build/archive/file-source.ts';
import { hasEncData } from '../../support/enc-data.ts';
import { artworkOf } from '../../support/raster-tiles.ts';
import { realCharts } from '../../support/real-charts.ts';
import { wholeArchive } from '../../support/whole-archive.ts';
import { styleWith } from '../../support/written-style.ts';

/** Options that together cover every layer, kind of danger and depth unit. */
const OPTIONS: readonly Partial<StyleOptions>[] = [
  { depthLimit: 0, showEncBoundaries: true, showMaritimeBoundaries: 'full' },
  { depthLimit: 3, depthUnits: 'feet' },
  { depthLimit: 10, depthUnits: 'fathoms' },
  { depthLimit: 40, roundOffSoundings: true },
];
const IMAGES = ['icon-image', 'fill-pattern', 'background-pattern'];

/** The layers of a document, all visible. */
function layersWith(options: Partial<StyleOptions>): CompiledLayer[] {
  const style = styleWith(options);
  const layers = style.layers.map((layer) => ({
    ...layer,
    layout: { ...layer.layout, visibility: 'visible' as const },
  }));
  return compileStyle({ ...style, layers: layers as never }, CHART_SOURCE);
}

function bySourceLayer(layers: readonly CompiledLayer[]): Map<string, CompiledLayer[]> {
  const found = new Map<string, CompiledLayer[]>();
  for (const layer of layers) {
    found.set(layer.sourceLayer, [...(found.get(layer.sourceLayer) ?? []), layer]);
  }
  return found;
}

const sets: readonly { name: string; charts: () => Promise<string> | string }[] = [
  { name: 'the demo', charts: () => inject('demoCharts') },
  ...(hasEncData ? [{ name: 'the real cells', charts: realCharts }] : []),
];

describe.each(sets)('$name', ({ charts }) => {
  let folder: string;
  beforeAll(async () => {
    folder = await charts();
  });

  test('needs only images, fonts and characters that exist', async () => {
    const assets = inject('assets');
    const artwork = artworkOf(assets);
    const index = JSON.parse(readFileSync(join(assets, 'assets.json'), 'utf8')) as AssetsIndex;
    const bySource = OPTIONS.map(layersWith).map(bySourceLayer);
    const { archive, close } = await openArchive(wholeArchive(folder, 'enc-v2'));
    const seen = new Set<string>();
    const missing = new Set<string>();
    let checkedCount = 0;
    for await (const tile of tilesOf(archive)) {
      for (const { name, features } of decodeTile(tile)) {
        for (const { type, properties } of features) {
          const kind = `${name} ${type} ${JSON.stringify(properties)}`;
          if (seen.has(kind)) continue;
          seen.add(kind);
          for (const layers of bySource) {
            for (const layer of layers.get(name) ?? []) {
              // At zoom 22 no feature is hidden by its scale.
              if (!layer.matches({ type, properties }, 22)) continue;
              checkedCount++;
              inspect(layer, { type, properties });
            }
          }
        }
      }
    }
    await close();
    expect(checkedCount).toBeGreaterThan(1000);
    expect([...missing]).toEqual([]);

    function inspect(layer: CompiledLayer, feature: Parameters<CompiledLayer['matches']>[0]): void {
      for (const property of IMAGES) {
        const image = imageName(layer.value(property, 22, feature));
        if (image !== '' && artwork.images(image) === undefined)
          missing.add(`${layer.id}: ${image}`);
      }
      const text = String(layer.value('text-field', 22, feature) ?? '');
      if (text === '') return;
      const font = layer.value<readonly string[]>('text-font', 22, feature)[0]!;
      if (index.fonts.stacks[font] === undefined) missing.add(`${layer.id}: font ${font}`);
      for (const letter of text) {
        if (/\s/.test(letter)) continue;
        const code = letter.codePointAt(0)!;
        if (!artwork.glyphs(font).has(code))
          missing.add(`${layer.id}: letter U+${code.toString(16)}`);
      }
    }
  });
});

type Archive = Awaited<ReturnType<typeof openArchive>>['archive'];

/** All tiles of an archive. The ancestors of a stored tile are stored too. */
async function* tilesOf(archive: Archive, z = 0, x = 0, y = 0): AsyncGenerator<Uint8Array> {
  const found = await archive.getZxy(z, x, y);
  if (found === undefined) return;
  yield new Uint8Array(found.data);
  for (const child of [0, 1, 2, 3]) {
    yield* tilesOf(archive, z + 1, 2 * x + (child & 1), 2 * y + (child >> 1));
  }
}
