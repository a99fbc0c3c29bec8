// Builds cells for portrayal tests: nodes, edges and objects on a small grid of degrees, with defaults for
// all values that are not under test.

import type {
  Attributes,
  Cell,
  Edge,
  Feature,
  Node,
  Primitive,
  SpatialUse,
} from '../../../shared/s57/cell/cell.ts';
import { layOutLongitudes } from '../../../shared/s57/read/across-180.ts';
import type { Drawable } from '../../../tiles-build/portray/features/drawable.ts';
import { portrayCell } from '../../../tiles-build/portray/portray-cell.ts';

type Position = readonly [number, number];

export class ChartBuilder {
  readonly #isolated = new Map<number, Node>();
  readonly #connected = new Map<number, Node>();
  readonly #edges = new Map<number, Edge>();
  readonly #features: Feature[] = [];
  #nextId = 1;

  /** A connected node. */
  node([longitude, latitude]: Position, attributes: Attributes = {}): number {
    const id = this.#nextId++;
    const positions = Float64Array.of(longitude, latitude);
    this.#connected.set(id, { id, kind: 'connected', positions, attributes });
    return id;
  }

  /** An edge between two connected nodes, through further positions. */
  edge(
    begin: number,
    end: number,
    options: { through?: readonly Position[]; attributes?: Attributes } = {},
  ): number {
    const id = this.#nextId++;
    const ends = [begin, end].map((node) => [...this.#connected.get(node)!.positions]);
    const positions = Float64Array.from([
      ...ends[0]!,
      ...(options.through ?? []).flat(),
      ...ends[1]!,
    ]);
    this.#edges.set(id, { id, begin, end, positions, attributes: options.attributes ?? {} });
    return id;
  }

  point(
    acronym: string,
    at: Position,
    attributes: Attributes = {},
    spatial: Attributes = {},
  ): Feature {
    const id = this.#nextId++;
    this.#isolated.set(id, {
      id,
      kind: 'isolated',
      positions: Float64Array.from(at),
      attributes: spatial,
    });
    return this.#add(acronym, 'point', attributes, [use('isolated', id)]);
  }

  soundings(
    at: readonly (readonly [number, number, number])[],
    attributes: Attributes = {},
  ): Feature {
    const id = this.#nextId++;
    this.#isolated.set(id, {
      id,
      kind: 'isolated',
      positions: Float64Array.from(at.flatMap((position) => position.slice(0, 2))),
      depths: Float64Array.from(at.map(([, , depth]) => depth)),
      attributes: {},
    });
    return this.#add('SOUNDG', 'point', attributes, [use('isolated', id)]);
  }

  /** A line or an area along edges; a negative id means the reversed edge. */
  along(
    acronym: string,
    primitive: 'line' | 'area',
    edges: readonly number[],
    attributes: Attributes = {},
    uses: Partial<SpatialUse> = {},
  ): Feature {
    const spatial = edges.map((edge) => ({
      ...use('edge', Math.abs(edge)),
      usage: primitive === 'area' ? ('exterior' as const) : ('none' as const),
      ...uses,
      reversed: edge < 0,
    }));
    return this.#add(acronym, primitive, attributes, spatial);
  }

  /** An area inside a closed edge that no other object uses. */
  polygon(acronym: string, ring: readonly Position[], attributes: Attributes = {}): Feature {
    const start = this.node(ring[0]!);
    return this.along(
      acronym,
      'area',
      [this.edge(start, start, { through: ring.slice(1) })],
      attributes,
    );
  }

  /** A rectangle from its south-west to its north-east corner. */
  box(
    acronym: string,
    [west, south]: Position,
    [east, north]: Position,
    attributes: Attributes = {},
  ) {
    const ring: Position[] = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ];
    return this.polygon(acronym, ring, attributes);
  }

  cell(): Cell {
    const cell: Cell = {
      header: {
        name: 'ZZ5TEST1',
        agency: 65_534,
        edition: 1,
        update: 0,
        issueDate: '20260101',
        editionDate: '20260101',
        usageBand: 5,
        scaleDenominator: 12_000,
      },
      isolatedNodes: this.#isolated,
      connectedNodes: this.#connected,
      edges: this.#edges,
      features: this.#features,
    };
    layOutLongitudes(cell);
    return cell;
  }

  /** The drawables of the cell, in all layers or in one. */
  drawn(layer?: string): readonly Drawable[] {
    const all = portrayCell(this.cell());
    return layer === undefined ? all : all.filter((drawable) => drawable.layer === layer);
  }

  #add(
    acronym: string,
    primitive: Primitive,
    attributes: Attributes,
    spatial: readonly SpatialUse[],
  ): Feature {
    const recordId = this.#nextId++;
    const feature: Feature = {
      id: { agency: 65_534, number: recordId, subdivision: 1 },
      recordId,
      classCode: 0,
      acronym,
      primitive,
      group: 2,
      attributes,
      spatial,
      relations: [],
    };
    this.#features.push(feature);
    return feature;
  }
}

function use(target: SpatialUse['target'], id: number): SpatialUse {
  return { target, id, reversed: false, usage: 'none', masked: false };
}
