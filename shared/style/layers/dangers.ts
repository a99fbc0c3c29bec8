// Dangers, their depths, and shoal soundings. They are above the texts because MapLibre places later layers first: a
// text that would cover one of them moves or is omitted. They are never omitted.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import {
  dangerOpacity,
  dangerSymbol,
  isDangerShown,
  isDeeper,
  isMarkedIsolated,
} from '../depth-shading.ts';
import { depthMark, isShallow, soundingText } from '../depth-text.ts';
import { all, any, type Expression, expression, has, is, not, numberOr } from '../expressions.ts';
import { type Drawing, icon, type Label, label } from './layer.ts';

const DANGERS = ['UWTROC', 'OBSTRN', 'WRECKS'] as const;

/** A sounding or the depth of a danger. Texts do not cover it, and it is never omitted. */
function depthLabel(
  id: string,
  sourceLayer: string,
  { options, colors, fonts }: Drawing,
  size: number,
  { layout, isDoubtful, ...more }: Partial<Label> & { readonly isDoubtful: Expression },
): LayerSpecification {
  return label(id, sourceLayer, {
    text: soundingText(options),
    size,
    font: fonts.regular,
    color: expression('case', isShallow('d', options), colors.SNDG2, colors.SNDG1),
    halo: colors.TXHAL,
    layout: {
      'text-allow-overlap': true,
      'text-padding': 0,
      ...depthMark(options, size, isDoubtful),
      // Where depths overlap, the larger key is drawn on top: it must be that of the shallower depth. Dangers with
      // depths are few, so each may have its own key.
      'symbol-sort-key': ['-', 0, ['coalesce', ['get', 'd'], 0]],
      ...layout,
    },
    ...more,
  });
}

/** Limits of depth ranges in metres. */
const RANGES = [0, 2, 5, 10, 20, 50];

/**
 * A key per range of depths. MapLibre draws the texts of a tile with one call for each key, so a key per depth would
 * need hundreds of calls. The tile build sorts the soundings within a range.
 */
const SHALLOWER_ON_TOP = expression(
  'step',
  numberOr('d', 0),
  ...[0, ...RANGES.flatMap((limit, i) => [limit, -1 - i])],
);

/** The soundings that a filter selects. */
export const soundings = (
  id: string,
  drawing: Drawing,
  filter: Expression,
  layout: Label['layout'],
): LayerSpecification =>
  depthLabel(id, 'SOUNDG', drawing, 11, {
    filter,
    isDoubtful: is('q', 1),
    opacity: drawing.options.soundingOpacity,
    layout: { 'symbol-sort-key': SHALLOWER_ON_TOP, ...layout },
  });

export function dangerLayers(drawing: Drawing): LayerSpecification[] {
  const { options } = drawing;
  return [
    soundings('SOUNDG-depth', drawing, isShallow('d', options), { 'icon-ignore-placement': false }),
    ...DANGERS.map((name) =>
      icon(`${name}-icon`, name, {
        image: dangerSymbol(options),
        filter: isDangerShown(options),
        base: true,
        isObstacle: true,
        paint: { 'icon-opacity': dangerOpacity(options) },
      }),
    ),
    ...DANGERS.map((name) =>
      depthLabel(`${name}-depth`, name, drawing, 10, {
        // A symbol without space for its depth becomes DANGER02, which has space.
        filter: all(
          any(is('sd', 1), all(has('sy'), isDeeper(options))),
          has('dm'),
          not(isMarkedIsolated(options)),
        ),
        isDoubtful: is('qs', 1),
      }),
    ),
  ];
}
