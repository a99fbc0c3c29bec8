// The second renderer: draws the same display list through SVG with resvg in WebAssembly. Tests
// compare the first renderer with it. A deployment can select it (RASTER_PAINTER=resvg).

import { encode } from 'fast-png';
import type { DisplayList } from '../../../shared/raster/display-list.ts';
import type { Artwork } from '../../../shared/raster/paint/paint.ts';
import { SvgWriter } from '../../../shared/raster/paint/svg.ts';
import type { SpriteImage } from '../../../shared/raster/sprite.ts';
import { logFault } from '../runtime/log.ts';

type Resvg = typeof import('@resvg/resvg-wasm').Resvg;

/** Larger pictures are not passed to resvg, because its memory never shrinks. */
const MAX_SVG_CHARACTERS = 4_000_000;

/** Cache: the module can be started only once per isolate. */
let started: Promise<Resvg> | undefined;
/** After a trap the memory may be corrupt, and the module cannot be restarted. */
let isBroken = false;
let writer: SvgWriter | undefined;

/**
 * The pixels of the tile, four bytes each: red, green, blue, 255. `undefined` if resvg cannot draw
 * it; the caller must then use the other renderer.
 */
export async function paintWithResvg(
  list: DisplayList,
  artwork: Artwork,
): Promise<Uint8ClampedArray | undefined> {
  if (isBroken) return undefined;
  writer ??= new SvgWriter(artwork, dataAddress);
  const svg = writer.write(list);
  if (svg.length > MAX_SVG_CHARACTERS) return undefined;
  try {
    started ??= start();
    const Resvg = await started;
    const drawing = new Resvg(svg);
    try {
      const image = drawing.render();
      try {
        return new Uint8ClampedArray(image.pixels);
      } finally {
        image.free();
      }
    } finally {
      drawing.free();
    }
  } catch (error) {
    isBroken = true;
    logFault('resvg', error);
    return undefined;
  }
}

async function start(): Promise<Resvg> {
  const [{ initWasm, Resvg }, { default: module }] = await Promise.all([
    import('@resvg/resvg-wasm'),
    import('@resvg/resvg-wasm/index_bg.wasm'),
  ]);
  await initWasm(module);
  return Resvg;
}

/** An image as PNG in base64, the only format that resvg reads. */
export function dataAddress({ width, height, pixels }: SpriteImage): string {
  let text = '';
  for (const byte of encode({ width, height, data: pixels, channels: 4 })) {
    text += String.fromCharCode(byte);
  }
  return `data:image/png;base64,${btoa(text)}`;
}
