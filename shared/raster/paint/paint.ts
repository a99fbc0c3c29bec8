// A display list to pixels: the painter that serves. A second painter of the same list, by way of
// SVG, is its judge in the tests.

import type { DisplayItem, DisplayList, FillItem } from '../display-list.ts';
import type { GlyphSet } from '../glyphs.ts';
import type { SpriteImages } from '../sprite.ts';
import { Coverage } from './coverage.ts';
import { fillSpans } from './fill-spans.ts';
import { paintIcon } from './paint-icon.ts';
import { LetterMasks, paintHalo, paintLettersOf } from './paint-text.ts';
import { Pattern } from './pattern.ts';
import { addStroke } from './stroke.ts';
import { Surface } from './surface.ts';

/** Where the painter finds symbols and letters. */
export interface Artwork {
  readonly images: SpriteImages;
  readonly glyphs: (fonts: string) => GlyphSet;
}

/** Paints tiles one after another on the same canvas: nothing is allocated by tile. */
export class Painter {
  readonly #artwork: Artwork;
  readonly #surface = new Surface();
  readonly #coverage = new Coverage();
  readonly #masks = new LetterMasks();
  /** By image: charts have few patterns. */
  readonly #patterns = new Map<string, Pattern>();

  constructor(artwork: Artwork) {
    this.#artwork = artwork;
  }

  /** The tile's pixels, red, green, blue, 255 by fours; valid until the next tile is painted. */
  paint({ items, originX, originY }: DisplayList): Uint8ClampedArray {
    this.#surface.clear();
    for (let i = 0; i < items.length; i++) {
      const item = items[i]!;
      if (item.kind === 'text') i = this.#paintTexts(items, i);
      else if (item.kind === 'icon') this.#paintIcon(item);
      else if (item.kind === 'fill') this.#fill(item, originX, originY);
      else {
        for (const line of item.lines) {
          addStroke(this.#coverage, line, item.widthPixels, item.dashPixels, item.hasRoundCaps);
        }
        this.#coverage.flush(this.#surface, item.ink);
      }
    }
    return this.#surface.bytes;
  }

  #paintIcon(item: Extract<DisplayItem, { kind: 'icon' }>): void {
    const image = this.#artwork.images(item.image);
    if (image !== undefined) paintIcon(this.#surface, item, image);
  }

  /** A run of texts: all halos, then all letters. @returns the index of the run's last item */
  #paintTexts(items: readonly DisplayItem[], first: number): number {
    let end = first;
    for (; end < items.length; end++) {
      const item = items[end]!;
      if (item.kind !== 'text') break;
      paintHalo(this.#surface, item, this.#artwork.glyphs(item.font), this.#masks);
    }
    for (let i = first; i < end; i++) {
      const item = items[i]!;
      if (item.kind !== 'text') continue;
      paintLettersOf(this.#surface, item, this.#artwork.glyphs(item.font), this.#masks);
    }
    return end - 1;
  }

  #fill({ rings, ink, isSmooth }: FillItem, originX: number, originY: number): void {
    if (typeof ink === 'string') {
      const pattern = this.#patternOf(ink);
      if (pattern === undefined) return;
      pattern.beginTile(originX, originY);
      fillSpans(rings, (row, from, to) => pattern.fillSpan(row, from, to));
    } else if (isSmooth) {
      for (const ring of rings) this.#coverage.addRing(ring);
      this.#coverage.flush(this.#surface, ink);
    } else {
      fillSpans(rings, (row, from, to) => this.#surface.fillSpan(row, from, to, ink));
    }
  }

  #patternOf(name: string): Pattern | undefined {
    const known = this.#patterns.get(name);
    if (known !== undefined) return known;
    const image = this.#artwork.images(name);
    if (image === undefined) return undefined;
    const pattern = new Pattern(this.#surface, image);
    this.#patterns.set(name, pattern);
    return pattern;
  }
}
