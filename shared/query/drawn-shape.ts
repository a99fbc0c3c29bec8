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

/** Memory for a vertex: its numbers and its text. */
const BYTES_A_VERTEX = 60;

/** Facts about the charted shape, for a shape that differs from it. */
interface Known {
  /** Bounds and number of vertices of the charted shape. */
  readonly bounds?: Bounds;
  readonly vertices?: number;
  readonly simplifiedBy?: number;
  readonly simplified?: DrawnShape;
}

export class DrawnShape {
  readonly shape: WholeShape;
  readonly vertices: number;
  /** Maximum distance from the charted shape, metres; `undefined` for the charted shape itself. */
  readonly simplifiedBy: number | undefined;
  #text: string | undefined;
  #bounds: Bounds | undefined;
  #simplified: DrawnShape | undefined;

  constructor(shape: WholeShape, known: Known = {}) {
    this.shape = shape;
    this.vertices = known.vertices ?? verticesOf(shape);
    this.simplifiedBy = known.simplifiedBy;
    this.#bounds = known.bounds;
    this.#simplified = known.simplified;
  }

  /** GeoJSON. */
  get text(): string {
    this.#text ??= geometryText(this.shape);
    return this.#text;
  }

  /** The bounds of the charted shape, even if this shape is simplified. */
  get bounds(): Bounds {
    this.#bounds ??= boundsOfShape(this.shape);
    return this.#bounds;
  }

  /** A copy without vertices that change the shape by less than `meters`; a point is unchanged. */
  simplifiedTo(meters: number): DrawnShape {
    if (this.shape.type === 'point') return this;
    this.#simplified ??= new DrawnShape(simplified(this.shape, meters), {
      bounds: this.bounds,
      simplifiedBy: meters,
    });
    return this.#simplified;
  }

  /** For a shape whose text no response contains: the same without the charted vertices. */
  withoutDetail(meters: number): DrawnShape {
    const { bounds, vertices } = this;
    const simplified = this.simplifiedTo(meters);
    return new DrawnShape(simplified.shape, { bounds, vertices, simplified });
  }

  /** Maximum memory of the shape, bytes, with the text and the simplified copy that it may get. */
  get weight(): number {
    const stored = verticesOf(this.shape);
    return BYTES_A_VERTEX * (stored < this.vertices ? stored : 2 * stored);
  }
}
