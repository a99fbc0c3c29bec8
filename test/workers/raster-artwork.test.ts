// Artwork of raster tiles if an isolate starts with several requests.

import { encode } from 'fast-png';
import { expect, test, vi } from 'vitest';
import type { AssetsIndex } from '../../shared/style/assets-index.ts';
import type { Env } from '../../workers/service/runtime/env.ts';

const INDEX = {
  sprites: { themes: { day: '/sprite' } },
  fonts: { stacks: {}, template: '/{fontstack}/{range}.pbf' },
} as unknown as AssetsIndex;

const FILES: Readonly<Record<string, BodyInit>> = {
  '/sprite.json': '{}',
  '/sprite.png': encode({ width: 1, height: 1, data: new Uint8Array(4), channels: 4 }) as BodyInit,
};

const ENV = {
  ASSETS: { fetch: async (address: string) => new Response(FILES[new URL(address).pathname]) },
} as unknown as Env;

test('rasterArtwork returns the same artwork to simultaneous requests', async () => {
  vi.resetModules();
  const { rasterArtwork } = await import('../../workers/service/raster/artwork.ts');
  const [a, b] = await Promise.all([rasterArtwork(ENV, INDEX), rasterArtwork(ENV, INDEX)]);
  expect(a).toBe(b);
});
