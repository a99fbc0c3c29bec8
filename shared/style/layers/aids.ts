// Aids to navigation. Their symbols are above all texts, and texts do not cover them. Names and light
// characteristics are tried at several positions around the symbol. If the name has no space, the number of the
// mark is tried; then the label is omitted, because a name on another mark is worse than no name. At small
// scales only the number is shown.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { FLARE_SYMBOLS } from '../../chart/symbol-names.ts';
import { measured } from '../depth-text.ts';
import { any, type Expression, expression, get, has, numberOr } from '../expressions.ts';
import type { StyleOptions } from '../options.ts';
import { type Drawing, hiddenUnless, icon, label, markedNumber, shortName } from './layer.ts';

const BEACONS = ['BCNLAT', 'BCNCAR', 'BCNISD', 'BCNSAW', 'BCNSPP'] as const;
const BUOYS = ['BOYLAT', 'BOYCAR', 'BOYISD', 'BOYSAW', 'BOYSPP', 'BOYINB'] as const;
const VESSELS = ['LITFLT', 'LITVES'] as const;

/** Classes with names, the least important first, because MapLibre places later layers first. */
const NAMED = [...VESSELS, ...BEACONS, ...BUOYS] as const;

/** Pixels. The offsets below are in ems of this size. */
export const MARK_TEXT_SIZE = 10;

/** Text anchors of a name, the best first. Left of the mark, because flares and characteristics are at its right. */
const NAME_PLACES = ['right', 'bottom-right', 'top-right', 'left', 'bottom-left', 'top-left'];

/** Text anchors of light characteristics: at the side of the flare. On the other side, another mark could be nearer. */
const LIGHT_PLACES = ['top-left', 'left', 'bottom-left'];

/** Widths of mark images in pixels, by the first eight characters of the symbol. All others have `MARK_WIDTH`. */
export const MARK_WIDTHS: Readonly<Record<number, string>> = {
  14: 'BCNDEF13 BCNGEN01 BCNLTC01 BCNSTK02 BCNTOW01 BOYLAT13 BOYLAT14 BOYSAW12 BOYSPP11 BOYSPP15 BOYSPP35',
  18: 'BOYCAN01 BOYLAT23 BOYLAT24 BOYMOR03 BOYMOR11 BOYSPP25',
  20: 'BOYBAR01 BOYCAR01 BOYCAR02 BOYINB01 BOYMOR01',
  24: 'BOYSUP02 LITFLT01 LITFLT02 LITVES02',
  26: 'BOYCAR03 BOYCAR04 BOYISD12',
  28: 'BOYSUP01',
};
export const MARK_WIDTH = 16;
const TOPMARK_WIDTH = 24;

/**
 * Distance in pixels from a mark to its own texts. Other texts have at least the same distance, so that a text is
 * not nearer to another mark.
 */
const GAP = 3;
/** A flare is turned by 45°, and its padding too: √2 of this is just over GAP. */
const FLARE_PADDING = 2.2;
/** Otherwise rounding could make a mark keep away its own text. */
const ROUNDING = 0.2;
const ems = (pixels: number): number => Math.round(100 * (pixels + GAP + ROUNDING)) / 1000;

/** For renderers with one fixed anchor and signed offsets (see labels.ts): above and to the left of the mark. */
const FIXED_NAME_ANCHOR = 'bottom-right';
const FIXED_LIGHT_ANCHOR = 'top-left';
const leftAndUp = (width: number): Expression => expression('literal', [-ems(width / 2), -1.05]);

/** A number in quotation marks cannot be mistaken for a depth. */
const quoted = (number: Expression): Expression => expression('concat', '"', number, '"');

/** A name that is nothing but a number, in quotation marks; others as they are. */
const quotedNumber = (name: Expression): Expression => markedNumber(name, quoted(name));

const hasTopmarks = ({ symbols, topmarks }: StyleOptions): boolean =>
  topmarks ?? symbols === 'paper';

function besideMarks(options: StyleOptions): Expression {
  const least = hasTopmarks(options) ? TOPMARK_WIDTH : 0;
  return expression(
    'match',
    expression('slice', expression('coalesce', markImage(options), ''), 0, 8),
    ...Object.entries(MARK_WIDTHS).flatMap(([width, names]) => [
      names.split(' '),
      leftAndUp(Math.max(Number(width), least)),
    ]),
    leftAndUp(Math.max(MARK_WIDTH, least)),
  );
}

/** The image of a mark. Some marks have no paper symbol. */
export const markImage = ({ symbols }: StyleOptions): Expression =>
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
      layout: beside(NAME_PLACES, [-ems(13), -1.1]),
    }),
    label('FOGSIG-label', 'FOGSIG', {
      ...plain,
      text: get('tx'),
      filter: has('tx'),
      layout: beside(NAME_PLACES, [-ems(15), -0.95]),
    }),
    ...NAMED.map((name) =>
      label(`${name}-number`, name, {
        ...plain,
        text: quoted(get('no')),
        filter: has('no'),
        layout: besideMark,
      }),
    ),
    // A name reserves the surroundings of its mark with an invisible image, so that the number is not placed
    // next to a name.
    ...NAMED.map((name) =>
      label(`${name}-name`, name, {
        ...plain,
        text: shortName(drawing.options, quotedNumber, quoted(get('no'))),
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
      layout: beside(LIGHT_PLACES, [ems(19.2), 0.6], FIXED_LIGHT_ANCHOR),
    }),
  ];
}

/** Symbols, above all texts of the chart. */
export function aidLayers({ options }: Drawing): LayerSpecification[] {
  const apart = { 'icon-padding': GAP };
  const mark = (name: string, layout = {}) =>
    icon(`${name}-icon`, name, {
      image: markImage(options),
      filter: hasSymbol,
      isObstacle: true,
      layout,
    });
  return [
    ...['DAYMAR', ...BEACONS, ...BUOYS, ...VESSELS, 'FOGSIG'].map((name) => mark(name, apart)),
    // Signs of a mark, wider than some marks.
    ...['RTPBCN', 'RADRFL'].map((name) => mark(name)),
    // Simplified symbols include the meaning of topmarks.
    hiddenUnless(
      hasTopmarks(options),
      icon('TOPMAR-icon', 'TOPMAR', { filter: hasSymbol, isObstacle: true }),
    ),
    icon('LIGHTS-icon', 'LIGHTS', {
      filter: hasSymbol,
      isObstacle: true,
      rotate: numberOr('rt', 0),
      layout: {
        'icon-padding': FLARE_PADDING,
        // Flares lean to the right even if the chart is rotated, because texts are on the other side.
        'icon-rotation-alignment': 'viewport',
        'icon-anchor': expression('match', get('sy'), [...FLARE_SYMBOLS], 'bottom', 'center'),
      },
    }),
    icon('LOWACC-icon', 'LOWACC', { filter: hasSymbol }),
    // Includes virtual aids.
    icon('OTHER-icon', 'OTHER', { filter: hasSymbol, isObstacle: true, layout: apart }),
  ];
}
