// A whole shape with the data that a response contains: text, bounds and a simplified copy. Each is
// computed on first use and then kept, so a shape in memory is converted only once.

import {
  type Bounds,
  boundsOfShape,
  geometryText,
  simplified,
  verticesOf,
  type WholeShape,
} from './geometry-text.ts';

export class DrawnShape {
  readonly shape: WholeShape;
  readonly vertices: number;
  /** Maximum distance from the charted shape, metres; `undefined` for the charted shape itself. */
  readonly simplifiedBy: number | undefined;
  readonly #charted: DrawnShape | undefined;
  #text: string | undefined;
  #bounds: Bounds | undefined;
  #simplified: DrawnShape | undefined;

  constructor(shape: WholeShape, from?: { readonly charted: DrawnShape; readonly meters: number }) {
    this.shape = shape;
    this.vertices = verticesOf(shape);
    this.simplifiedBy = from?.meters;
    this.#charted = from?.charted;
  }

  /** GeoJSON. */
  get text(): string {
    this.#text ??= geometryText(this.shape);
    return this.#text;
  }

  /** The bounds of the charted shape, even if this shape is simplified. */
  get bounds(): Bounds {
    this.#bounds ??= this.#charted?.bounds ?? boundsOfShape(this.shape);
    return this.#bounds;
  }

  /** A copy without vertices that change the shape by less than `meters`; a point is unchanged. */
  simplifiedTo(meters: number): DrawnShape {
    if (this.shape.type === 'point') return this;
    this.#simplified ??= new DrawnShape(simplified(this.shape, meters), { charted: this, meters });
    return this.#simplified;
  }
}
