// Paints display lists with the WebAssembly canvas. Tests compare it with a second painter, which
// writes SVG.

import type { DisplayItem, DisplayList, FillItem, IconItem, StrokeItem } from '../display-list.ts';
import type { GlyphSet } from '../glyphs.ts';
import type { IndexedRows } from '../png.ts';
import type { SpriteImages } from '../sprite.ts';
import { Canvas } from './canvas.ts';
import type { StartCanvas } from './canvas-exports.ts';
import * as command from './commands.ts';
import { paintHalo, paintLetters } from './paint-text.ts';

/** Symbols and letters for the painter. */
export interface Artwork {
  readonly images: SpriteImages;
  readonly glyphs: (fonts: string) => GlyphSet;
}

/** Paints tiles one after another on the same canvas, without allocation per tile. */
export class Painter {
  readonly #artwork: Artwork;
  readonly #start: StartCanvas;
  readonly #onTrap: (error: unknown) => void;
  #canvas: Canvas | undefined;

  /**
   * @param start creates an instance of the canvas, initially and after each trap
   * @param onTrap called for each trap after which the painter retries with a new instance
   */
  constructor(
    artwork: Artwork,
    start: StartCanvas,
    onTrap: (error: unknown) => void = () => undefined,
  ) {
    this.#artwork = artwork;
    this.#start = start;
    this.#onTrap = onTrap;
  }

  /**
   * The tile's pixels (red, green, blue, 255), valid until the next call.
   * @throws if a new instance fails too
   */
  paint(list: DisplayList): Uint8ClampedArray {
    return this.#withCanvas((canvas) => {
      this.#paint(canvas, list);
      return canvas.pixels;
    });
  }

  /** The tile as palette and rows for a PNG. Validity and errors are as in `paint`. */
  draw(list: DisplayList): IndexedRows {
    return this.#withCanvas((canvas) => {
      this.#paint(canvas, list);
      return canvas.reduce();
    });
  }

  /** Reduce other pixels in the same way. @param rgba four bytes per pixel */
  reduce(rgba: Uint8ClampedArray): IndexedRows {
    return this.#withCanvas((canvas) => {
      canvas.pixels.set(rgba);
      return canvas.reduce();
    });
  }

  /** After a trap the memory is invalid, so the work starts again with a new instance. */
  #withCanvas<T>(work: (canvas: Canvas) => T): T {
    try {
      this.#canvas ??= new Canvas(this.#start());
      return work(this.#canvas);
    } catch (error) {
      this.#canvas = undefined;
      this.#onTrap(error);
    }
    const fresh = new Canvas(this.#start());
    const result = work(fresh);
    this.#canvas = fresh;
    return result;
  }

  #paint(canvas: Canvas, { items, originX, originY }: DisplayList): void {
    canvas.clear();
    for (let i = 0; i < items.length; i++) {
      const item = items[i]!;
      if (item.kind === 'text') i = this.#paintTexts(canvas, items, i);
      else if (item.kind === 'icon') this.#paintIcon(canvas, item);
      else if (item.kind === 'fill') this.#fill(canvas, item, originX, originY);
      else stroke(canvas, item);
    }
    canvas.commands.run();
  }

  #paintIcon({ commands, artwork }: Canvas, { image: name, x, y, turnDegrees }: IconItem): void {
    const image = this.#artwork.images(name);
    if (image === undefined) return;
    const address = artwork.image(image);
    if (turnDegrees === undefined) {
      // A tile pixel shows the image pixel that contains its centre.
      const [left, top] = [Math.round(x - image.width / 2), Math.round(y - image.height / 2)];
      commands.add(command.ICON, [address, left, top]);
    } else {
      const turn = (turnDegrees * Math.PI) / 180;
      commands.add(command.TURNED_ICON, [address], [x, y, Math.cos(turn), Math.sin(turn)]);
    }
  }

  /** Paint a run of texts: all halos, then all letters. @returns index of the run's last item */
  #paintTexts(canvas: Canvas, items: readonly DisplayItem[], first: number): number {
    let end = first;
    for (; end < items.length; end++) {
      const item = items[end]!;
      if (item.kind !== 'text') break;
      paintHalo(canvas, item, this.#artwork.glyphs(item.font));
    }
    for (let i = first; i < end; i++) {
      const item = items[i]!;
      if (item.kind === 'text') paintLetters(canvas, item, this.#artwork.glyphs(item.font));
    }
    return end - 1;
  }

  #fill({ commands, artwork }: Canvas, item: FillItem, originX: number, originY: number): void {
    const { rings, ink, isSmooth } = item;
    if (typeof ink === 'string') {
      const image = this.#artwork.images(ink);
      if (image === undefined) return;
      const address = artwork.pattern(image);
      for (const ring of rings) commands.ring(command.FLAT_EDGES, ring);
      const [column, row] = [originX % image.width, originY % image.height];
      commands.add(command.FILL_PATTERN, [address, column, row]);
      return;
    }
    for (const ring of rings) {
      // Two points have no area.
      if (isSmooth && ring.length < 6) continue;
      commands.ring(isSmooth ? command.SMOOTH_EDGES : command.FLAT_EDGES, ring);
    }
    commands.ink(ink);
    commands.add(isSmooth ? command.FILL_SMOOTH : command.FILL_FLAT, []);
  }
}

function stroke({ commands }: Canvas, item: StrokeItem): void {
  const { lines, ink, widthPixels, dashPixels, hasRoundCaps } = item;
  const lengths = dashPixels.length;
  if (lengths > command.MAX_DASHES) throw new RangeError('A line has too many dashes to paint.');
  commands.ink(ink);
  commands.add(command.PEN, [hasRoundCaps ? 1 : 0, lengths], [widthPixels, ...dashPixels]);
  for (const line of lines) commands.line(line);
  commands.add(command.FILL_SMOOTH, []);
}
