// The sea of a few hand-made cells, made by the build's own steps and without its files.

import { tmpdir } from 'node:os';
import { inflateSync } from 'node:zlib';
import type { Sea, SeaSquare, SeaZoom } from '../../../shared/route/sea.ts';
import { decodeSquare, isDamaged } from '../../../shared/route/square-codec.ts';
import type { Cell } from '../../../shared/s57/cell/cell.ts';
import type { Clipper } from '../../../tiles-build/quilt/clipper.ts';
import { coverageOf } from '../../../tiles-build/quilt/coverage.ts';
import { computeOwnership } from '../../../tiles-build/quilt/ownership.ts';
import { RouteJoin } from '../../../tiles-build/route/route-join.ts';
import { COAST, decodeBundle } from '../../../tiles-build/route/sheet-bundle.ts';
import { sliceRoute } from '../../../tiles-build/route/slice-route.ts';
import { ownerOf } from '../../../tiles-build/slice/owner.ts';
import { fullSquare } from '../../support/full-square.ts';

export interface SmallHazard {
  readonly kind: number;
  readonly depth: number;
  readonly radius: number;
  readonly ends: readonly number[];
  /** Lies along the border of the coverage. */
  readonly isFrame: boolean;
}

export interface SmallSea extends Sea {
  readonly squares: readonly SeaSquare[];
  /** The finest cell of a place of the Mercator unit square, from zoom 8 on. */
  cellAt(x: number, y: number): { readonly square: SeaSquare; readonly index: number };
  /** Every edge of every square, once. */
  hazards(): readonly SmallHazard[];
}

/** The squares of one sheet, its own first. */
function squaresOf(fragments: readonly Uint8Array[]): SeaSquare[] {
  const sheet = new RouteJoin(tmpdir());
  for (const fragment of fragments) sheet.add(fragment);
  return [...sheet.finish()].reverse().flatMap((bytes) =>
    decodeBundle(bytes).squares.map(({ deflated }) => {
      const square = decodeSquare(inflateSync(deflated));
      if (isDamaged(square)) throw new Error(square.damaged);
      return square;
    }),
  );
}

export function seaOf(cells: readonly Cell[], clipper: Clipper): SmallSea {
  const coverages = cells.map(coverageOf);
  const owners = computeOwnership(coverages, clipper);
  const sheets = new Map<number, Uint8Array[]>();
  for (const cell of cells) {
    const ownership = owners.get(cell.header.name)!;
    for (const { tileId, bytes } of sliceRoute(ownerOf(cell), cell, ownership, clipper)) {
      sheets.set(tileId, [...(sheets.get(tileId) ?? []), bytes]);
    }
  }
  const squares = [...sheets.values()]
    .filter((fragments) => fragments.some(([tag]) => tag !== COAST))
    .flatMap((fragments) => squaresOf(fragments));
  const byName = new Map(squares.map((one) => [`${one.zoom}/${one.x}/${one.y}`, one]));
  const square = (zoom: number, x: number, y: number) => byName.get(`${zoom}/${x}/${y}`);
  const frames = coverages.flatMap(({ box }) => [box.left, box.right].map((x) => x / 360e7 + 0.5));
  return {
    squares,
    square,
    cellAt(x, y) {
      let zoom: SeaZoom = 8;
      for (;;) {
        const side = 2 ** zoom;
        const here = square(zoom, Math.floor(x * side), Math.floor(y * side));
        if (here === undefined) throw new Error(`no square of zoom ${zoom} at ${x} ${y}`);
        const within = (value: number, count: number) => Math.floor((value % 1) * count);
        const finer = within(y * side, 8) * 8 + within(x * side, 8);
        if (zoom === 14 || here.hasFiner[finer] === 0) {
          return {
            square: fullSquare(here),
            index: within(y * side, 256) * 256 + within(x * side, 256),
          };
        }
        zoom = (zoom + 3) as SeaZoom;
      }
    },
    hazards() {
      const found = new Map<string, SmallHazard>();
      for (const { hazards } of squares) {
        for (let i = 0; i < hazards.count; i++) {
          const ends = [...hazards.ends.subarray(4 * i, 4 * i + 4)];
          const [ax, ay, bx, by] = ends as [number, number, number, number];
          const isUpright = ax === bx && frames.some((x) => Math.abs(x - ax) < 1e-9);
          const isLevel = ay === by && Math.abs(bx - ax) > 5e-5;
          const hazard = {
            kind: hazards.kind[i]!,
            depth: hazards.depth[i]!,
            radius: hazards.radius[i]!,
            ends,
            isFrame: isUpright || isLevel,
          };
          found.set(`${hazard.kind} ${ends.join(' ')}`, hazard);
        }
      }
      return [...found.values()];
    },
  };
}
