// Cells of rectangles, lines, points and soundings, written by the S-57 writer and read by the reader, and the vector tiles
// that the build makes of several of them.

import { zxyToTileId } from 'pmtiles';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import type { TileId } from '../../shared/geo/tile.ts';
import { decodeTile, type TileFeature } from '../../shared/mvt/decode.ts';
import { mergeTiles } from '../../shared/mvt/merge.ts';
import type { Cell } from '../../shared/s57/cell/cell.ts';
import { readCell } from '../../shared/s57/read/read-cell.ts';
import { CellBuilder, type Course } from '../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { withoutRepeatedNames } from '../../tiles-build/generalise/repeated-texts.ts';
import { portrayCell } from '../../tiles-build/portray/portray-cell.ts';
import { type Clipper, loadClipper } from '../../tiles-build/quilt/clipper.ts';
import { coverageOf } from '../../tiles-build/quilt/coverage.ts';
import { computeOwnership, type Ownership } from '../../tiles-build/quilt/ownership.ts';
import { ownerOf } from '../../tiles-build/slice/owner.ts';
import { sliceVector } from '../../tiles-build/slice/slice-vector.ts';

type Words = Readonly<Record<string, string | number>>;
type Box = readonly [west: number, south: number, east: number, north: number];

export interface WrittenPlan {
  readonly name: string;
  readonly usageBand: number;
  readonly scaleDenominator: number;
  readonly areas: readonly (readonly [acronym: string, box: Box, words?: Words])[];
  readonly lines?: readonly (readonly [acronym: string, ends: Box])[];
  readonly points?: readonly (readonly [
    acronym: string,
    at: readonly [longitude: number, latitude: number],
    words?: Words,
  ])[];
  readonly soundings?: readonly (readonly [longitude: number, latitude: number, depth: number])[];
  readonly soundingWords?: Words;
}

/** Units of a written cell's positions per degree. */
const DEGREE = 1e7;

const written = (value: number): number => Math.round(value * DEGREE);

/** The cell as the bytes of its base file. */
export function writtenBytes(plan: WrittenPlan): Uint8Array {
  const { name, usageBand, scaleDenominator } = plan;
  const header = { edition: 1, update: 0, issueDate: '20260101', agency: 65_534 };
  const builder = new CellBuilder({ name, usageBand, scaleDenominator, ...header });
  let number = 1;
  for (const [acronym, [west, south, east, north], words] of plan.areas) {
    const corners = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ] as const;
    const course: Course = { positions: corners.map(([x, y]) => [written(x), written(y)]) };
    builder.area(number++, acronym, [[{ course, atLimit: true }]], words);
  }
  for (const [acronym, [west, south, east, north]] of plan.lines ?? []) {
    const positions: Course['positions'] = [
      [written(west), written(south)],
      [written(east), written(north)],
    ];
    builder.line(number++, acronym, [{ course: { positions } }]);
  }
  for (const [acronym, [x, y], words] of plan.points ?? []) {
    builder.point(number++, acronym, [written(x), written(y)], words);
  }
  if (plan.soundings !== undefined && plan.soundings.length > 0) {
    builder.soundings(
      number++,
      plan.soundings.map(([x, y, depth]) => ({ position: [written(x), written(y)], depth })),
      plan.soundingWords,
    );
  }
  return encodeFile(builder.contents());
}

/** The cell as the reader returns it. */
export function writtenCell(plan: WrittenPlan): Cell {
  const file = { name: `${plan.name}.000`, bytes: writtenBytes(plan) };
  const { cell, problems } = readCell({ name: plan.name, base: file, updates: [] });
  if (cell === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return cell;
}

/** The quilt of some cells with its vector tiles. */
export class WrittenChart {
  readonly cells: readonly Cell[];
  readonly clipper: Clipper;
  readonly owners: ReadonlyMap<string, Ownership>;
  readonly #fragments = new Map<number, Uint8Array[]>();

  private constructor(cells: readonly Cell[], clipper: Clipper, floors: boolean) {
    this.cells = cells;
    this.clipper = clipper;
    const owners = computeOwnership(cells.map(coverageOf), clipper);
    this.owners = floors ? owners : withoutReferences(owners);
  }

  /** @param floors false: objects are shown at all zooms that SCAMIN allows */
  static async of(cells: readonly Cell[], { floors = true } = {}): Promise<WrittenChart> {
    const chart = new WrittenChart(cells, await loadClipper(), floors);
    for (const cell of cells) {
      const ownership = chart.ownershipOf(cell);
      const made = sliceVector(ownerOf(cell), portrayCell(cell), ownership, chart.clipper);
      for (const { tileId, bytes } of made) {
        chart.#fragments.set(tileId, [...(chart.#fragments.get(tileId) ?? []), bytes]);
      }
    }
    return chart;
  }

  ownershipOf(cell: Cell): Ownership {
    return this.owners.get(cell.header.name)!;
  }

  /** The bytes of a vector tile as in the archive; `undefined` if the archive lacks the tile. */
  bytes({ z, x, y }: TileId): Uint8Array | undefined {
    const fragments = this.#fragments.get(zxyToTileId(z, x, y));
    if (fragments === undefined) return undefined;
    return fragments.length === 1 ? fragments[0] : withoutRepeatedNames(mergeTiles(fragments));
  }

  /** Features of a layer in the tile at a place. */
  features(layer: string, zoom: number, at: readonly [number, number]): readonly TileFeature[] {
    return this.tile(layer, tileAt(zoom, at));
  }

  tile(layer: string, tile: TileId): readonly TileFeature[] {
    const bytes = this.bytes(tile);
    if (bytes === undefined) return [];
    return decodeTile(bytes, (name) => name === layer).flatMap(({ features }) => features);
  }
}

function withoutReferences(owners: ReadonlyMap<string, Ownership>): Map<string, Ownership> {
  return new Map(
    [...owners].map(([name, owner]) => {
      const faces = owner.faces.map(({ reference: _, ...face }) => face);
      return [name, { ...owner, faces }];
    }),
  );
}

export function tileAt(z: number, [longitude, latitude]: readonly [number, number]): TileId {
  const at = (unit: number) => Math.floor(unit * 2 ** z);
  return { z, x: at(mercatorX(longitude)), y: at(mercatorY(latitude)) };
}
