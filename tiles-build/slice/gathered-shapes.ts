// Combines lines and areas with equal properties into one feature of a tile: below the compilation
// scale, a coast of a thousand short pieces becomes one feature.

import type { Flat } from '../../shared/geo/clip-box.ts';
import { remembered } from '../../shared/geo/map-entries.ts';
import { type LayerBuilder, lineCommands, polygonCommands } from '../../shared/mvt/encode.ts';
import type { Drawable } from '../portray/features/drawable.ts';

type Properties = Drawable['properties'];

interface Gathered {
  /** Id of the first piece. */
  readonly id: number;
  readonly properties: Properties;
  readonly lines: Flat[];
  readonly polygons: (readonly Flat[])[];
}

export class GatheredShapes {
  readonly #layers = new Map<LayerBuilder, Map<string, Gathered>>();
  readonly #keys = new Map<Properties, string>();

  addLines(layer: LayerBuilder, id: number, properties: Properties, lines: readonly Flat[]): void {
    const gathered = this.#find(layer, id, properties);
    for (const line of lines) gathered.lines.push(line);
  }

  addPolygons(
    layer: LayerBuilder,
    id: number,
    properties: Properties,
    polygons: readonly (readonly Flat[])[],
  ): void {
    const gathered = this.#find(layer, id, properties);
    for (const polygon of polygons) gathered.polygons.push(polygon);
  }

  /** Add the features to their layers. */
  finish(): void {
    for (const [layer, alike] of this.#layers) {
      for (const { id, properties, lines, polygons } of alike.values()) {
        if (polygons.length > 0) layer.add(id, 3, properties, polygonCommands(polygons));
        if (lines.length > 0) layer.add(id, 2, properties, lineCommands(lines));
      }
    }
    this.#layers.clear();
  }

  #find(layer: LayerBuilder, id: number, properties: Properties): Gathered {
    const alike = remembered(this.#layers, layer, () => new Map());
    const key = this.#keyOf(properties);
    return remembered(alike, key, () => ({ id, properties, lines: [], polygons: [] }));
  }

  #keyOf(properties: Properties): string {
    return remembered(this.#keys, properties, () => JSON.stringify(properties));
  }
}
