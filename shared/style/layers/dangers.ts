// Dangers and their depths. They are above the texts because MapLibre places later layers first: a text that
// would cover a danger or a shoal sounding moves or is omitted. Dangers are never omitted.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import {
  dangerOpacity,
  dangerSymbol,
  isDangerShown,
  isDeeper,
  isMarkedIsolated,
} from '../depth-shading.ts';
import { depthMark, isShallow, soundingText } from '../depth-text.ts';
import { all, any, type Expression, expression, has, is, not } from '../expressions.ts';
import { type Drawing, icon, type Label, label } from './layer.ts';

const DANGERS = ['UWTROC', 'OBSTRN', 'WRECKS'] as const;

/** A sounding or the depth of a danger, which is never omitted. Texts may cover a sounding. */
export function depthLabel(
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
      'text-ignore-placement': true,
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

export function dangerLayers(drawing: Drawing): LayerSpecification[] {
  const { options } = drawing;
  return [
    // An invisible image of the size of a sounding, because only some soundings are obstacles.
    icon('SOUNDG-space', 'SOUNDG', {
      image: 'SNDLOW',
      filter: isShallow('d', options),
      isObstacle: true,
      paint: { 'icon-opacity': 0 },
    }),
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
        layout: { 'text-ignore-placement': false },
      }),
    ),
  ];
}
