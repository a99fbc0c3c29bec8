// A whole shape with what an answer says of it: text, bounds and a simplified twin, each made when it
// is first asked for. Who keeps one in memory does not make them again.

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
  /** How far the shape may be from the charted one, metres; undefined for the charted one itself. */
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

  /** Those of the charted shape, whatever was left out. */
  get bounds(): Bounds {
    this.#bounds ??= this.#charted?.bounds ?? boundsOfShape(this.shape);
    return this.#bounds;
  }

  /** The same without the vertices that matter less than so much; of points, the same. */
  simplifiedTo(meters: number): DrawnShape {
    if (this.shape.type === 'point') return this;
    this.#simplified ??= new DrawnShape(simplified(this.shape, meters), { charted: this, meters });
    return this.#simplified;
  }
}
