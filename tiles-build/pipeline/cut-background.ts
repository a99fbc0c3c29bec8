// The background cut into tiles in two goes: far, the whole world at the zooms where all tiles are
// made, and near, the surroundings of the cells at the zooms below.

import { backgroundDrawables } from '../background/background-drawables.ts';
import { type BackgroundSource, readBackground } from '../background/background-layers.ts';
import { cutToBoxes, neighbourhoods } from '../background/near-cells.ts';
import type { Drawable } from '../portray/features/drawable.ts';
import type { Clipper } from '../quilt/clipper.ts';
import { BACKGROUND_MAX_ZOOM } from '../quilt/made-tiles.ts';
import type { Ownership } from '../quilt/ownership.ts';
import type { Fragment } from '../slice/fragment.ts';
import { BACKGROUND_OWNER } from '../slice/owner.ts';
import { sliceShoreline } from '../slice/slice-shoreline.ts';
import { sliceVector } from '../slice/slice-vector.ts';

/** Vector and shoreline fragments of the background, each in tile id order. */
export function cutBackground(
  source: BackgroundSource,
  ownership: Ownership,
  clipper: Clipper,
): { readonly vector: Iterable<Fragment>; readonly shoreline: Iterable<Fragment> } {
  const world = backgroundDrawables(readBackground(source));
  const nearZoom = BACKGROUND_MAX_ZOOM + 1;
  const deepMakers = ownership.makers.filter((maker) => maker.maxZoom >= nearZoom);
  const surroundings = cutToBoxes(world, neighbourhoods(deepMakers, nearZoom));
  const far = atTiers(ownership, (tier) => tier < nearZoom);
  const near = atTiers(ownership, (tier) => tier >= nearZoom);
  const slice = (drawables: readonly Drawable[], owned: Ownership) =>
    sliceVector(BACKGROUND_OWNER, drawables, owned, clipper);
  const sliceShore = (drawables: readonly Drawable[], isWanted: (zoom: number) => boolean) =>
    sliceShoreline(BACKGROUND_OWNER, drawables, ownership, clipper, isWanted);
  return {
    vector: concat(slice(world, far), slice(surroundings, near)),
    shoreline: concat(
      sliceShore(world, (zoom) => zoom < nearZoom),
      sliceShore(surroundings, (zoom) => zoom >= nearZoom),
    ),
  };
}

/** The same ownership, with nothing owned at the other tiers. */
function atTiers(ownership: Ownership, isWanted: (tier: number) => boolean): Ownership {
  const faces = ownership.faces.map((face) =>
    isWanted(face.tier) ? face : { ...face, rings: [] },
  );
  return { ...ownership, faces };
}

function* concat(...parts: readonly Iterable<Fragment>[]): Generator<Fragment, void, undefined> {
  for (const part of parts) yield* part;
}
