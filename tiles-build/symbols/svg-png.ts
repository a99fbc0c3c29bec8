// Converts SVG text to PNG bytes, deterministically.

import { Resvg } from '@resvg/resvg-js';
import { PNG } from 'pngjs';

export function svgDocument(width: number, height: number, content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `${content}</svg>`
  );
}

/** With transparency. */
export function svgToPng(svg: string): Uint8Array {
  return packed(rendered(svg, []), 6);
}

/** Without transparency; `fontFiles` provide the fonts of the text. */
export function svgToOpaquePng(svg: string, fontFiles: readonly string[]): Uint8Array {
  return packed(rendered(svg, fontFiles), 2);
}

function rendered(svg: string, fontFiles: readonly string[]): Uint8Array {
  const font = { loadSystemFonts: false, fontFiles: [...fontFiles] };
  return new Resvg(svg, { font }).render().asPng();
}

/**
 * Compressed again without row filters, which enlarge small flat figures: two thirds of the size.
 */
function packed(png: Uint8Array, colorType: 2 | 6): Uint8Array {
  const image = PNG.sync.read(Buffer.from(png));
  return PNG.sync.write(image, { colorType, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });
}
