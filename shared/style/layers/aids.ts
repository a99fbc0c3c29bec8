// Aids to navigation. Their symbols are above all texts, and texts do not cover them. Names and light
// characteristics are tried at several positions around the symbol. If the name has no space, the number of the
// mark is tried; then the label is omitted, because a name on another mark is worse than no name.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { FLARE_SYMBOLS } from '../../chart/symbol-names.ts';
import { measured } from '../depth-text.ts';
import { any, type Expression, expression, get, has, numberOr } from '../expressions.ts';
import type { StyleOptions } from '../options.ts';
import { type Drawing, hiddenUnless, icon, label } from './layer.ts';

const BEACONS = ['BCNLAT', 'BCNCAR', 'BCNISD', 'BCNSAW', 'BCNSPP'] as const;
const BUOYS = ['BOYLAT', 'BOYCAR', 'BOYISD', 'BOYSAW', 'BOYSPP', 'BOYINB'] as const;
const VESSELS = ['LITFLT', 'LITVES'] as const;

/** Classes with names, the least important first, because MapLibre places later layers first. */
const NAMED = [...VESSELS, ...BEACONS, ...BUOYS] as const;

/** Pixels. The offsets below are in ems of this size. */
export const MARK_TEXT_SIZE = 10;

/** Text anchors of a name, the best first. Left of the mark, because flares and characteristics are at its right. */
const NAME_PLACES = ['right', 'bottom-right', 'top-right', 'left', 'bottom-left', 'top-left'];

/** Text anchors of light characteristics: next to the flare, then the other sides. */
const LIGHT_PLACES = ['top-left', 'left', 'bottom-left', 'top-right', 'right', 'bottom-right'];

/** Symbols wider than 18 pixels. Their texts have a larger offset. */
export const WIDE_MARKS: readonly string[] =
  'BOYCAR01 BOYCAR02 BOYCAR03 BOYCAR04 BOYISD12 BOYSUP02 LITFLT02 LITVES02'.split(' ');

/** Offset from a mark to its texts, in ems. */
export const MARK_TEXT_OFFSETS = { narrow: [1.15, 0.95], wide: [1.5, 0.95] } as const;

/** For renderers with one fixed anchor and signed offsets (see labels.ts): above and to the left of the mark. */
const FIXED_NAME_ANCHOR = 'bottom-right';
const FIXED_LIGHT_ANCHOR = 'top-left';
const leftAndUp = ([x, y]: readonly [number, number]): Expression =>
  expression('literal', [-x, -y]);

/** Paper symbols lean, and are about as wide as the widest simplified ones. */
const besideMarks = ({ symbols }: StyleOptions): Expression =>
  symbols === 'paper'
    ? leftAndUp(MARK_TEXT_OFFSETS.wide)
    : expression(
        'match',
        get('sy'),
        WIDE_MARKS,
        leftAndUp(MARK_TEXT_OFFSETS.wide),
        leftAndUp(MARK_TEXT_OFFSETS.narrow),
      );

/** The image of a mark. Some marks have no paper symbol. */
const markImage = ({ symbols }: StyleOptions): Expression =>
  symbols === 'paper' ? expression('coalesce', get('sp'), get('sy')) : get('sy');

/** Padding around a mark with its full name, in which its number is not placed. */
const NAMED_PADDING_PIXELS = 8;

const hasSymbol = has('sy');

/** Names and light characteristics, drawn below the symbols of `aidLayers`. */
export function aidTextLayers(drawing: Drawing): LayerSpecification[] {
  const { colors, fonts } = drawing;
  const plain = {
    size: MARK_TEXT_SIZE,
    font: fonts.regular,
    color: colors.CHBLK,
    halo: colors.TXHAL,
  };
  const beside = (places: readonly string[], offset: unknown, fixed = FIXED_NAME_ANCHOR) => ({
    'text-variable-anchor': places,
    'text-anchor': fixed,
    'text-offset': offset,
    'text-max-width': 12,
  });
  const besideMark = beside(NAME_PLACES, besideMarks(drawing.options));
  return [
    label('OTHER-label', 'OTHER', {
      ...plain,
      color: colors.CHMGD,
      text: expression('coalesce', get('tx'), get('nm'), ''),
      filter: any(has('tx'), has('nm')),
      layout: beside(NAME_PLACES, [-1.3, -1.1]),
    }),
    label('FOGSIG-label', 'FOGSIG', {
      ...plain,
      text: get('tx'),
      filter: has('tx'),
      layout: beside(NAME_PLACES, [-1.7, -0.95]),
    }),
    ...NAMED.map((name) =>
      label(`${name}-number`, name, {
        ...plain,
        text: get('no'),
        filter: has('no'),
        layout: besideMark,
      }),
    ),
    // A name reserves the surroundings of its mark with an invisible image, so that the number is not placed
    // next to a name.
    ...NAMED.map((name) =>
      label(`${name}-name`, name, {
        ...plain,
        text: get('nm'),
        filter: has('nm'),
        layout: {
          ...besideMark,
          'icon-image': markImage(drawing.options),
          'icon-allow-overlap': true,
          'icon-padding': NAMED_PADDING_PIXELS,
        },
        paint: { 'icon-opacity': 0 },
      }),
    ),
    label('LIGHTS-label', 'LIGHTS', {
      ...plain,
      text: measured(drawing.options, 'tx', 'tf'),
      filter: has('tx'),
      layout: beside(LIGHT_PLACES, [2.1, 0.6], FIXED_LIGHT_ANCHOR),
    }),
  ];
}

/** Symbols, above all texts of the chart. */
export function aidLayers({ options }: Drawing): LayerSpecification[] {
  const mark = (name: string) =>
    icon(`${name}-icon`, name, {
      image: markImage(options),
      filter: hasSymbol,
      isObstacle: true,
    });
  return [
    ...['DAYMAR', ...BEACONS, ...BUOYS, ...VESSELS, 'FOGSIG', 'RTPBCN', 'RADRFL'].map(mark),
    // Simplified symbols include the meaning of topmarks.
    hiddenUnless(
      options.topmarks ?? options.symbols === 'paper',
      icon('TOPMAR-icon', 'TOPMAR', { filter: hasSymbol, isObstacle: true }),
    ),
    icon('LIGHTS-icon', 'LIGHTS', {
      filter: hasSymbol,
      isObstacle: true,
      rotate: numberOr('rt', 0),
      layout: {
        // Flares lean to the right even if the chart is rotated, because texts are on the other side.
        'icon-rotation-alignment': 'viewport',
        'icon-anchor': expression('match', get('sy'), [...FLARE_SYMBOLS], 'bottom', 'center'),
      },
    }),
    icon('LOWACC-icon', 'LOWACC', { filter: hasSymbol }),
    // Includes virtual aids.
    icon('OTHER-icon', 'OTHER', { filter: hasSymbol, isObstacle: true }),
  ];
}
