// Whether a path meets the land of the background, as its files have it: every piece of a path against
// every piece of shore, on the Mercator plane, by JSTS. Nothing of Leadline's squares is used.

import RobustLineIntersector from 'jsts/org/locationtech/jts/algorithm/RobustLineIntersector.js';
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import Envelope from 'jsts/org/locationtech/jts/geom/Envelope.js';
import STRtree from 'jsts/org/locationtech/jts/index/strtree/STRtree.js';
import type { Position } from '../../../shared/route/trip.ts';
import {
  findBackground,
  readBackground,
} from '../../../tiles-build/background/background-layers.ts';
import { polygonsOf } from '../../../tiles-build/background/geojson.ts';

type Place = InstanceType<typeof Coordinate>;
type Piece = readonly [Place, Place];

export class LandJudge {
  readonly #shore = new STRtree();
  readonly #intersector = new RobustLineIntersector();

  constructor() {
    const layers = readBackground(findBackground(undefined));
    const land = layers.flatMap((one) => (one.layer === 'bg_land' ? one.features : []));
    for (const { geometry } of land) {
      for (const ring of polygonsOf(geometry).flat() as unknown as readonly Position[][]) {
        for (const [i, to] of ring.entries()) {
          if (i > 0) this.#add(ring[i - 1]!, to);
        }
      }
    }
  }

  /** Pieces of a path that meet a shore: none, for one that begins at sea. */
  crossings(path: readonly Position[]): string[] {
    const found: string[] = [];
    for (let i = 1; i < path.length; i++) {
      const from = path[i - 1]!;
      const to = path[i]!;
      const east = besideOf(to[0], from[0]);
      for (const turn of [-360, 0, 360]) {
        const [a, b] = [onPlane([from[0] + turn, from[1]]), onPlane([east + turn, to[1]])];
        if (this.#meetsShore(a, b)) found.push(`${from} ${to}`);
      }
    }
    return found;
  }

  #add(from: Position, to: Position): void {
    const piece: Piece = [onPlane(from), onPlane([besideOf(to[0], from[0]), to[1]])];
    this.#shore.insert(new Envelope(...piece), piece);
  }

  #meetsShore(a: Place, b: Place): boolean {
    const near = this.#shore.query(new Envelope(a, b)).toArray() as Piece[];
    return near.some(([c, d]) => {
      this.#intersector.computeIntersection(a, b, c, d);
      return this.#intersector.hasIntersection();
    });
  }
}

/** The copy of a longitude that is nearest to another: shores and paths run on across 180°. */
const besideOf = (longitude: number, near: number): number =>
  longitude - 360 * Math.round((longitude - near) / 360);

const onPlane = ([longitude, latitude]: Position): Place => {
  const radians = (Math.max(-89, latitude) * Math.PI) / 180;
  return new Coordinate(longitude, (Math.asinh(Math.tan(radians)) * 180) / Math.PI);
};
