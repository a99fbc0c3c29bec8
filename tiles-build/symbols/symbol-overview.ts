// A picture of every symbol with its name, in the colours of all themes side by side, for visual
// checks.

import { THEMES, type Theme } from '../../shared/style/options.ts';
import { type Palette, paletteFor } from '../../shared/style/palette.ts';
import { SYMBOL_FAMILIES } from './catalog.ts';
import { fontPath } from './glyph-ranges.ts';
import { PATTERNS } from './patterns.ts';
import { imageToSvg, patternImage, type SpriteImage, symbolImage } from './sprite-images.ts';
import { svgDocument, svgToOpaquePng } from './svg-png.ts';

const COLUMNS = 11;
/** Space for the image of a symbol in one theme. */
const SWATCH = { width: 46, height: 46 } as const;
const NAME_HEIGHT = 12;
const HEADING_HEIGHT = 26;
const GAP = 6;

const CELL = {
  width: SWATCH.width * THEMES.length + GAP,
  height: SWATCH.height + NAME_HEIGHT + GAP,
} as const;

/** Generated families: a few of their names are enough. */
const SAMPLES: Readonly<Record<string, (name: string) => boolean>> = {
  'Buoys, paper chart': (name) =>
    !name.includes('-') || name.startsWith('BOYPIL01') || /-(R|G|Y|RW|BRB)$/.test(name),
  'Light sectors': (name) => !name.endsWith('-outer'),
};

interface Row {
  readonly svg: string;
  readonly height: number;
}

/** @param scale picture pixels per pixel of a sprite at ratio 1 */
export function symbolOverviewPng(scale = 1, onlyFamily?: string): Uint8Array {
  const rows = families()
    .filter(([title]) => onlyFamily === undefined || title === onlyFamily)
    .flatMap(([title, images]) => [headingRow(title), ...imageRows(images)]);
  const width = COLUMNS * CELL.width + GAP;
  let y = GAP;
  const content = rows.map((row) => {
    const placed = `<g transform="translate(${GAP} ${y})">${row.svg}</g>`;
    y += row.height;
    return placed;
  });
  const overview =
    `<g transform="scale(${scale})"><rect width="${width}" height="${y}" fill="#ffffff"/>` +
    `${content.join('')}</g>`;
  return svgToOpaquePng(svgDocument(width * scale, y * scale, overview), [
    fontPath('Noto Sans Regular'),
    fontPath('Noto Sans Bold'),
  ]);
}

function families(): [string, SpriteImage[]][] {
  const drawn = SYMBOL_FAMILIES.map(([title, shapes]): [string, SpriteImage[]] => {
    const isShown = SAMPLES[title] ?? (() => true);
    const names = Object.keys(shapes).filter(isShown).sort();
    return [title, names.map((name) => symbolImage(name, shapes[name] ?? []))];
  });
  const patterns = Object.keys(PATTERNS) as (keyof typeof PATTERNS)[];
  return [...drawn, ['Patterns', patterns.map((name) => patternImage(name))]];
}

function headingRow(title: string): Row {
  return {
    height: HEADING_HEIGHT,
    svg: text(0, HEADING_HEIGHT - 10, 13, `${title}: ${THEMES.join(', ')}`, 'font-weight="bold"'),
  };
}

function imageRows(images: readonly SpriteImage[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < images.length; at += COLUMNS) {
    const cells = images.slice(at, at + COLUMNS).map((image, column) => {
      const themes = THEMES.map((theme, index) => swatch(image, theme, index * SWATCH.width));
      const name = text(1, SWATCH.height + 9, 8.5, image.name);
      return `<g transform="translate(${column * CELL.width} 0)">${themes.join('')}${name}</g>`;
    });
    rows.push({ svg: cells.join(''), height: CELL.height });
  }
  return rows;
}

/** The image on the deep water of the theme; symbols on land are shown on land. */
function swatch(image: SpriteImage, theme: Theme, x: number): string {
  const palette = paletteFor(theme);
  const { width, height } = SWATCH;
  const ground = `<rect width="${width}" height="${height}" fill="${groundOf(image, palette)}"/>`;
  const content = image.kind === 'pattern' ? tiledImage(image, palette) : middle(image, palette);
  return (
    `<svg x="${x}" y="0" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}">${ground}${content}</svg>`
  );
}

/** Centres the drawn part, because the pivot of many symbols is their foot. */
function middle(image: SpriteImage, palette: Palette): string {
  const box = drawnBox(image);
  const space = SWATCH.width - 2;
  const factor = Math.min(1, space / box.width, space / box.height);
  const x = SWATCH.width / 2 - (box.left + box.width / 2 - image.left) * factor;
  const y = SWATCH.height / 2 - (box.top + box.height / 2 - image.top) * factor;
  const inner = imageToSvg(image, palette, { x: 0, y: 0, ratio: 1 });
  return `<g transform="translate(${x} ${y}) scale(${factor})">${inner}</g>`;
}

function drawnBox({ shapes }: SpriteImage) {
  const points = shapes.flatMap((shape) => shape.steps.flatMap((step) => step.points));
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - 2, Math.min(...ys) - 2];
  return { left, top, width: Math.max(...xs) + 2 - left, height: Math.max(...ys) + 2 - top };
}

function tiledImage(image: SpriteImage, palette: Palette): string {
  const tiles: string[] = [];
  for (let y = 0; y < SWATCH.height; y += image.height) {
    for (let x = 0; x < SWATCH.width; x += image.width) {
      tiles.push(imageToSvg(image, palette, { x, y, ratio: 1 }));
    }
  }
  return tiles.join('');
}

const ON_LAND = new Set(['LANDF', 'OUTLL']);

function groundOf(image: SpriteImage, palette: Palette): string {
  const isOnLand = image.shapes.some(
    ({ paint }) => ON_LAND.has(paint.stroke ?? '') || ON_LAND.has(paint.fill ?? ''),
  );
  return isOnLand ? palette.LANDA : palette.DEPDW;
}

function text(x: number, y: number, size: number, words: string, more = ''): string {
  return (
    `<text x="${x}" y="${y}" font-family="Noto Sans" font-size="${size}" ` +
    `fill="#222222" ${more}>${words}</text>`
  );
}
