// Cuts the background to the surroundings of the cells. Deep tiles exist only near cells, so they
// do not need the land of the whole world.

import {
  type Box,
  boundsOf,
  boxesMeet,
  clipLine,
  clipRing,
  type Flat,
} from '../../shared/geo/clip-box.ts';
import { remembered } from '../../shared/geo/map-entries.ts';
import { latitudeAt, longitudeAt } from '../../shared/geo/mercator.ts';
import type { Edge } from '../../shared/s57/cell/cell.ts';
import type { Drawable } from '../portray/features/drawable.ts';

/**
 * Disjoint boxes in degrees (`top` south, `bottom` north) around boxes of the Mercator square. They
 * are larger by a tile of `zoom` and its buffer, so that every tile of this zoom or a deeper one
 * that touches a cell lies inside and the cuts are never visible.
 */
export function neighbourhoods(boxes: readonly Box[], zoom: number): readonly Box[] {
  const margin = 1.1 / 2 ** zoom;
  let apart: Box[] = [];
  for (const box of boxes) {
    let grown: Box = {
      left: longitudeAt(box.left - margin),
      right: longitudeAt(box.right + margin),
      top: latitudeAt(Math.min(1, box.bottom + margin)),
      bottom: latitudeAt(Math.max(0, box.top - margin)),
    };
    // A grown box can overlap boxes that it did not overlap before.
    for (;;) {
      const meeting = apart.filter((other) => boxesMeet(other, grown));
      if (meeting.length === 0) break;
      apart = apart.filter((other) => !meeting.includes(other));
      grown = meeting.reduce(around, grown);
    }
    apart.push(grown);
  }
  return apart;
}

/** Cut the drawables to the boxes. */
export function cutToBoxes(
  drawables: readonly Drawable[],
  boxes: readonly Box[],
): readonly Drawable[] {
  // Ids need to be unique only within these drawables, which never mix with the uncut edges.
  let lastId = 0;
  const edgeFrom = (path: Flat): Edge => {
    const id = ++lastId;
    return { id, begin: id, end: id, positions: Float64Array.from(path), attributes: {} };
  };
  return boxes.flatMap((box) =>
    drawables.flatMap((drawable) => {
      const geometry = cutGeometry(drawable.geometry, box, edgeFrom);
      return geometry === undefined ? [] : [{ ...drawable, geometry }];
    }),
  );
}

function cutGeometry(
  geometry: Drawable['geometry'],
  box: Box,
  edgeFrom: (path: Flat) => Edge,
): Drawable['geometry'] | undefined {
  const useOf = (path: Flat) => ({ edge: edgeFrom(path), reversed: false, drawable: true });
  switch (geometry.type) {
    case 'point': {
      const { longitude, latitude } = geometry;
      return boxesMeet(boundsOf([[longitude, latitude]]), box) ? geometry : undefined;
    }
    case 'line': {
      const chains = geometry.chains
        .flatMap((chain) => chain.flatMap(({ edge }) => cutLine(edge, box)))
        .map((path) => [useOf(path)]);
      return chains.length === 0 ? undefined : { type: 'line', chains };
    }
    case 'area': {
      const polygons = geometry.polygons.flatMap((rings) => {
        const [outer, ...holes] = rings.map(({ uses }) => cutRing(uses[0]!.edge, box));
        if (outer === undefined || outer.length === 0) return [];
        const kept = [outer, ...holes.filter((hole) => hole.length > 0)];
        return [kept.map((path, i) => ({ uses: [useOf(path)], exterior: i === 0 }))];
      });
      return polygons.length === 0 ? undefined : { type: 'area', polygons };
    }
  }
}

/** Bounding boxes of edges, computed once for all boxes. */
const boxes = new WeakMap<Edge, Box>();

function boxOf(edge: Edge): Box {
  return remembered(boxes, edge, () => boundsOf([Array.from(edge.positions)]));
}

function cutLine(edge: Edge, box: Box): Flat[] {
  return boxesMeet(boxOf(edge), box) ? clipLine(Array.from(edge.positions), box) : [];
}

/** The ring of a closed edge, cut and closed again; empty if nothing is left. */
function cutRing(edge: Edge, box: Box): Flat {
  if (!boxesMeet(boxOf(edge), box)) return [];
  const path = Array.from(edge.positions.subarray(0, edge.positions.length - 2));
  const cut = clipRing(path, box);
  return cut.length === 0 ? cut : [...cut, cut[0]!, cut[1]!];
}

function around(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
