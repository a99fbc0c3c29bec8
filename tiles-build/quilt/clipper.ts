// Boolean operations on polygons with integer coordinates, by Clipper2 as WebAssembly. Of many
// engines tried on real charts, only this one neither hung nor returned wrong areas.

import { createRequire } from 'node:module';
import type {
  Clipper2ZFactoryFunction,
  MainModule,
  Paths64,
} from 'clipper2-wasm/dist/clipper2z.d.ts';
import type { Flat } from '../../shared/geo/clip-box.ts';

export interface Clipper {
  /**
   * Subject minus clips. Rings may have any winding; results have outer rings positive, holes
   * negative.
   */
  difference(subject: readonly Flat[], clips: readonly Flat[]): Flat[];
  intersection(subject: readonly Flat[], clips: readonly Flat[]): Flat[];
  union(rings: readonly Flat[]): Flat[];
  /** Parts of open lines within the clips. */
  linesWithin(lines: readonly Flat[], clips: readonly Flat[]): Flat[];
}

/** Load the engine. Takes some milliseconds; call it once per thread. */
export async function loadClipper(): Promise<Clipper> {
  const require = createRequire(import.meta.url);
  const factory = require('clipper2-wasm') as Clipper2ZFactoryFunction;
  return clipperOf(await factory());
}

function clipperOf(engine: MainModule): Clipper {
  const { ClipType, FillRule } = engine;

  const pathsOf = (rings: readonly Flat[]): Paths64 => {
    const paths = new engine.Paths64();
    for (const ring of rings) {
      const integers = new BigInt64Array(ring.length);
      for (let i = 0; i < ring.length; i++) integers[i] = BigInt(Math.round(ring[i]!));
      const path = engine.MakePath64(integers as unknown as bigint[]);
      paths.push_back(path);
      path.delete();
    }
    return paths;
  };

  const flatOf = (paths: Paths64): Flat[] => {
    const rings: Flat[] = [];
    const count = paths.size();
    for (let i = 0; i < count; i++) {
      const path = paths.get(i);
      const triples = path.view();
      const ring: Flat = new Array((triples.length / 3) * 2);
      for (let k = 0, at = 0; k < triples.length; k += 3) {
        ring[at++] = Number(triples[k]);
        ring[at++] = Number(triples[k + 1]);
      }
      path.delete();
      rings.push(ring);
    }
    return rings;
  };

  const run = (
    subject: readonly Flat[],
    clips: readonly Flat[],
    type:
      | (typeof ClipType)['Union']
      | (typeof ClipType)['Difference']
      | (typeof ClipType)['Intersection'],
    open: boolean,
  ): Flat[] => {
    const clipper = new engine.Clipper64();
    const given = pathsOf(subject);
    const against = pathsOf(clips);
    const closed = new engine.Paths64();
    const lines = new engine.Paths64();
    try {
      if (open) clipper.AddOpenSubject(given);
      else clipper.AddSubject(given);
      if (clips.length > 0) clipper.AddClip(against);
      // Callers clean subjects that may overlap (even-odd) beforehand; clips may overlap.
      clipper.ExecutePath(type, FillRule.NonZero, closed, lines);
      return flatOf(open ? lines : closed);
    } finally {
      for (const owned of [clipper, given, against, closed, lines]) owned.delete();
    }
  };

  return {
    difference: (subject, clips) => run(subject, clips, ClipType.Difference, false),
    intersection: (subject, clips) => run(subject, clips, ClipType.Intersection, false),
    union: (rings) => run(rings, [], ClipType.Union, false),
    linesWithin: (lines, clips) => run(lines, clips, ClipType.Intersection, true),
  };
}
