// Cuts the background into tiles in two parts: "far", the whole world at the zooms at which all
// tiles are made, and "near", the surroundings of cells at deeper zooms. Land and water show where
// no cell owns the ground. Maritime boundaries, which are on no chart, show everywhere.

import { type Box, boundsOf, boxesMeet } from '../../shared/geo/clip-box.ts';
import { mercatorX, mercatorY } from '../../shared/geo/mercator.ts';
import { backgroundDrawables } from '../background/background-drawables.ts';
import type { LayerFeatures } from '../background/background-layers.ts';
import { cutToBoxes, neighbourhoods } from '../background/near-cells.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import {
  ALL_GROUND,
  changedBoxes,
  groundNear,
  inOneOnly,
  type WantedGround,
} from '../quilt/changed-ground.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { BACKGROUND_MAX_ZOOM } from '../quilt/made-tiles.ts';
import type { MakerBox } from '../quilt/maker-box.ts';
import type { Ownership } from '../quilt/ownership.ts';
import { type Fragment, joinInTileOrder } from '../slice/fragment.ts';
import { BACKGROUND_OWNER } from '../slice/owner.ts';
import { sliceShoreline } from '../slice/slice-shoreline.ts';
import { sliceVector } from '../slice/slice-vector.ts';

/** The first zoom at which tiles are made only near cells. */
const NEAR_ZOOM = BACKGROUND_MAX_ZOOM + 1;

/**
 * Vector and shoreline fragments of the background, each in tile id order.
 * @param wanted selects the tiles
 */
export function cutBackground(
  layers: readonly LayerFeatures[],
  ownership: Ownership,
  clipper: Clipper,
  wanted: WantedGround = ALL_GROUND,
): { readonly vector: Iterable<Fragment>; readonly shoreline: Iterable<Fragment> } {
  const drawables = backgroundDrawables(layers);
  const ground = farAndNear(
    drawables.filter((drawable) => !isOverCharts(drawable)),
    ownership,
    wanted,
  );
  const boundaries = drawables.filter(isOverCharts);
  const boundaryParts = farAndNear(boundaries, overCharts(ownership, boundaries), wanted);
  const slice = ({ drawables: some, ownership: owned }: Part) =>
    sliceVector(BACKGROUND_OWNER, some, owned, clipper, wanted.isTile);
  const cut = ({ far, near }: FarAndNear) => concat(slice(far), slice(near));
  const sliceShore = (some: readonly Drawable[], isZoom: (zoom: number) => boolean) =>
    sliceShoreline(some, ownership, clipper, isZoom, wanted.isTile);
  return {
    // Both use different source layers, so a tile of both is the concatenation of their bytes.
    vector: joinInTileOrder(cut(ground), cut(boundaryParts)),
    shoreline: concat(
      sliceShore(ground.far.drawables, (zoom) => zoom < NEAR_ZOOM),
      sliceShore(ground.near.drawables, (zoom) => zoom >= NEAR_ZOOM),
    ),
  };
}

const isOverCharts = ({ layer }: Drawable): boolean => layer.startsWith('bg_maritime_');

/** The tiles of the background that may differ between two builds. */
export function changedTiles(
  layers: readonly LayerFeatures[],
  before: Ownership,
  after: Ownership,
): WantedGround {
  const drawables = backgroundDrawables(layers);
  // Whether a point is shown depends on the points around it, which may be distant.
  if (drawables.some(({ geometry }) => geometry.type === 'point')) return ALL_GROUND;
  const boundaries = drawables.filter(isOverCharts);
  const nearBoxes = (ownership: Ownership) =>
    [ownership, overCharts(ownership, boundaries)].map((one) => neighbourhoodsOf(one));
  const [groundBefore, boundariesBefore] = nearBoxes(before);
  const [groundAfter, boundariesAfter] = nearBoxes(after);
  const near = [
    ...inOneOnly(groundBefore!, groundAfter!, (box) => JSON.stringify(box)),
    ...inOneOnly(boundariesBefore!, boundariesAfter!, (box) => JSON.stringify(box)),
  ];
  return groundNear([...changedBoxes(before, after), ...near.map(fromDegrees)]);
}

const fromDegrees = ({ left, right, top, bottom }: Box): Box => ({
  left: mercatorX(left),
  right: mercatorX(right),
  top: mercatorY(bottom),
  bottom: mercatorY(top),
});

/** Boxes in degrees to which the land near cells is cut. */
const neighbourhoodsOf = ({ makers }: Ownership): readonly Box[] =>
  neighbourhoods(
    makers.filter((maker) => maker.maxZoom >= NEAR_ZOOM),
    NEAR_ZOOM,
  );

interface Part {
  readonly drawables: readonly Drawable[];
  readonly ownership: Ownership;
}

interface FarAndNear {
  readonly far: Part;
  readonly near: Part;
}

function farAndNear(
  drawables: readonly Drawable[],
  ownership: Ownership,
  wanted: WantedGround,
): FarAndNear {
  const boxes = neighbourhoodsOf(ownership).filter((box) =>
    wanted.isBox(fromDegrees(box), NEAR_ZOOM),
  );
  return {
    far: { drawables, ownership: atTiers(ownership, (tier) => tier < NEAR_ZOOM) },
    near: {
      drawables: cutToBoxes(drawables, boxes),
      ownership: atTiers(ownership, (tier) => tier >= NEAR_ZOOM),
    },
  };
}

/**
 * The whole world as owned ground, with or without charts. Cells far from any boundary are removed
 * from the makers, so that their tiles need not be examined.
 */
function overCharts(ownership: Ownership, boundaries: readonly Drawable[]): Ownership {
  const boxes = boundaries.flatMap(boxesOf);
  const isNear = (maker: MakerBox) =>
    neighbourhoods([maker], NEAR_ZOOM).some((around) =>
      boxes.some((box) => boxesMeet(box, around)),
    );
  const owned = boundaries.length === 0 ? [] : ownership.coverage;
  return {
    ...ownership,
    faces: ownership.faces.map(({ tier }) => ({ tier, rings: owned, better: [] })),
    makers: ownership.makers.filter(isNear),
  };
}

/** Boxes in degrees around each edge of a drawable; `top` is the south as in `neighbourhoods`. */
function boxesOf({ geometry }: Drawable): Box[] {
  switch (geometry.type) {
    case 'point':
      return [boundsOf([[geometry.longitude, geometry.latitude]])];
    case 'line':
      return geometry.chains.flat().map(({ edge }) => boundsOf([Array.from(edge.positions)]));
    case 'area':
      return geometry.polygons
        .flat()
        .flatMap(({ uses }) => uses.map(({ edge }) => boundsOf([Array.from(edge.positions)])));
  }
}

/** The same ownership without ground at all other tiers. */
function atTiers(ownership: Ownership, isWanted: (tier: number) => boolean): Ownership {
  const faces = ownership.faces.map((face) =>
    isWanted(face.tier) ? face : { ...face, rings: [] },
  );
  return { ...ownership, faces };
}

function* concat(...parts: readonly Iterable<Fragment>[]): Generator<Fragment, void, undefined> {
  for (const part of parts) yield* part;
}
