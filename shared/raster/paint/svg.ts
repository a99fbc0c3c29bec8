// Writes a display list as SVG, for an independent renderer in tests. Uses no file references, text
// elements or group opacity.

import {
  type DisplayList,
  type FillItem,
  type IconItem,
  type Ink,
  type Path,
  type StrokeItem,
  type TextItem,
  TILE_PIXELS,
} from '../display-list.ts';
import { GLYPH_EM, type GlyphSet } from '../glyphs.ts';
import type { SpriteImage } from '../sprite.ts';
import { traceField } from '../trace-field.ts';
import type { Artwork } from './paint.ts';

const SIZE = TILE_PIXELS;
/** Coordinates are rounded to 1/64 pixel. */
const DECIMALS = 64;

/** Writes lists with the same artwork. Caches converted images and letters. */
export class SvgWriter {
  readonly #artwork: Artwork;
  readonly #addressOf: (image: SpriteImage) => string;
  readonly #images = new Map<string, string>();
  readonly #letters = new Map<string, string>();

  /** @param addressOf returns an image as a data URL that the renderer supports */
  constructor(artwork: Artwork, addressOf: (image: SpriteImage) => string) {
    this.#artwork = artwork;
    this.#addressOf = addressOf;
  }

  write({ items, originX, originY }: DisplayList): string {
    const definitions: string[] = [];
    const parts: string[] = [];
    for (let i = 0; i < items.length; i++) {
      const item = items[i]!;
      if (item.kind === 'stroke') parts.push(stroke(item));
      else if (item.kind === 'icon') parts.push(this.#icon(item));
      else if (item.kind === 'fill') parts.push(this.#fill(item, definitions, originX, originY));
      else {
        // As in maps: all halos of a run of texts, then all letters.
        let end = i;
        while (items[end]?.kind === 'text') end++;
        const run = items.slice(i, end) as TextItem[];
        for (const isHalo of [true, false]) {
          for (const text of run) parts.push(this.#text(text, isHalo));
        }
        i = end - 1;
      }
    }
    const size = `width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}"`;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>` +
      `<defs>${definitions.join('')}</defs>${parts.join('')}</svg>`
    );
  }

  #fill(
    { rings, ink, isSmooth }: FillItem,
    definitions: string[],
    originX: number,
    originY: number,
  ): string {
    const shape = `d="${rings.map((ring) => `${pathOf(ring)}Z`).join('')}"`;
    const crisp = isSmooth ? '' : ' shape-rendering="crispEdges"';
    if (typeof ink !== 'string') return `<path ${shape}${paintOf('fill', ink)}${crisp}/>`;
    const image = this.#artwork.images(ink);
    if (image === undefined) return '';
    const id = `p${definitions.length}`;
    const [x, y] = [-(originX % image.width), -(originY % image.height)];
    definitions.push(
      `<pattern id="${id}" patternUnits="userSpaceOnUse" x="${x}" y="${y}"` +
        ` width="${image.width}" height="${image.height}">${this.#image(ink, image, 0, 0)}</pattern>`,
    );
    return `<path ${shape} fill="url(#${id})"${crisp}/>`;
  }

  #icon({ image: name, x, y, turnDegrees }: IconItem): string {
    const image = this.#artwork.images(name);
    if (image === undefined) return '';
    const { width, height } = image;
    if (turnDegrees === undefined) {
      return this.#image(name, image, Math.round(x - width / 2), Math.round(y - height / 2));
    }
    const turn = `transform="translate(${short(x)} ${short(y)}) rotate(${turnDegrees})"`;
    return `<g ${turn}>${this.#image(name, image, -width / 2, -height / 2)}</g>`;
  }

  #image(name: string, image: SpriteImage, x: number, y: number): string {
    const { width, height } = image;
    let address = this.#images.get(name);
    if (address === undefined) {
      address = this.#addressOf(image);
      this.#images.set(name, address);
    }
    return `<image x="${x}" y="${y}" width="${width}" height="${height}" xlink:href="${address}"/>`;
  }

  #text(text: TextItem, isHalo: boolean): string {
    const ink = isHalo ? text.halo : text.ink;
    if (ink.alpha === 0 || (isHalo && text.haloPixels <= 0)) return '';
    const scale = text.sizePixels / GLYPH_EM;
    const width = (2 * text.haloPixels) / scale;
    const edge = `${paintOf('stroke', ink)} stroke-width="${width}" stroke-linejoin="round"`;
    const paint = paintOf('fill', ink) + (isHalo ? edge : '');
    const glyphs = this.#artwork.glyphs(text.font);
    return text.glyphs
      .map(({ code, x, y, turnDegrees }) => {
        const letter = this.#letter(text.font, glyphs, code);
        if (letter === '') return '';
        const place = `translate(${short(text.x + x)} ${short(text.y + y)})`;
        const turn = turnDegrees === 0 ? '' : ` rotate(${turnDegrees})`;
        return `<path transform="${place}${turn} scale(${scale})" d="${letter}"${paint}/>`;
      })
      .join('');
  }

  #letter(font: string, glyphs: GlyphSet, code: number): string {
    const key = `${font} ${code}`;
    let path = this.#letters.get(key);
    if (path === undefined) {
      const glyph = glyphs.get(code);
      const rings = glyph === undefined ? [] : traceField(glyph);
      path = rings.map((ring) => `${pathOf(ring)}Z`).join('');
      this.#letters.set(key, path);
    }
    return path;
  }
}

function stroke({ lines, ink, widthPixels, dashPixels, hasRoundCaps }: StrokeItem): string {
  const dashes = dashPixels.length === 0 ? '' : ` stroke-dasharray="${dashPixels.join(' ')}"`;
  const caps = hasRoundCaps ? ' stroke-linecap="round"' : '';
  return (
    `<path d="${lines.map(pathOf).join('')}" fill="none"${paintOf('stroke', ink)}` +
    ` stroke-width="${widthPixels}" stroke-linejoin="round"${caps}${dashes}/>`
  );
}

function paintOf(name: 'fill' | 'stroke', { red, green, blue, alpha }: Ink): string {
  const opacity = alpha === 1 ? '' : ` ${name}-opacity="${alpha}"`;
  return ` ${name}="rgb(${red},${green},${blue})"${opacity}`;
}

function pathOf(path: Path | readonly number[]): string {
  let text = `M${short(path[0]!)} ${short(path[1]!)}`;
  if (path.length > 2) text += 'L';
  for (let i = 2; i < path.length; i += 2) text += `${short(path[i]!)} ${short(path[i + 1]!)} `;
  return text;
}

const short = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;
