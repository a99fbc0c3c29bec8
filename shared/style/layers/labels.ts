// Texts: deep soundings first, then clearances and names, which compete for space. MapLibre
// places later layers first, so the most important names are last. Texts of aids to navigation are in aids.ts,
// depths of dangers in dangers.ts.
//
// A text with `text-variable-anchor` has a `text-anchor` too. MapLibre and Mapbox ignore it and use the
// absolute values of `text-offset`. ol-mapbox-style does not support variable anchors: without a fixed anchor
// it centres the text on the symbol, and then omits the text because it covers the symbol.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { PLACE_CLASSES } from '../../chart/place-classes.ts';
import { isSafetyEdge } from '../depth-shading.ts';
import { depthText, depthTextOfMeters, isShallow, measured, measuredOr } from '../depth-text.ts';
import {
  all,
  any,
  type Expression,
  expression,
  get,
  has,
  is,
  not,
  numberOr,
} from '../expressions.ts';
import { isWanted, type StyleOptions } from '../options.ts';
import { landText } from '../palette.ts';
import { soundings } from './dangers.ts';
import {
  type Drawing,
  IS_NEAR_SCALE,
  type Label,
  label,
  lines,
  markedNumber,
  points,
  shortName,
} from './layer.ts';

/** Next to a symbol. */
const BESIDE = {
  'text-variable-anchor': ['left', 'right', 'top-left', 'bottom-left', 'top-right', 'bottom-right'],
  'text-anchor': 'top-left',
  'text-offset': [0.9, 0.7],
  'text-max-width': 12,
};

/** Below, above or next to a symbol. */
const BELOW = {
  'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
  'text-anchor': 'top-left',
  'text-offset': [1.3, 1.5],
  'text-max-width': 9,
};

/** Along a contour. */
const ALONG = {
  'symbol-placement': 'line',
  'symbol-spacing': 250,
  'text-rotation-alignment': 'map',
} as const;

/** The name of a berth. S-52 (PresLib 4.0, lookup tables) writes `Nr` before it. */
const BERTH_NAME = markedNumber(get('nm'), expression('concat', 'Nr ', get('nm')));

const IS_PLACE = expression('match', get('cls'), [...PLACE_CLASSES], true, false);

/** Soundings deeper than the safety depth. They give way to symbols, and to texts of layers above. */
const deepSoundings = (drawing: Drawing): LayerSpecification =>
  soundings('SOUNDG-label', drawing, not(isShallow('d', drawing.options)), {
    'text-allow-overlap': false,
    'text-ignore-placement': true,
  });

/**
 * Depths of contours, never rounded, because they are not soundings. Above them, in bold, the depth of the
 * safety contour: the shallow end of the water beyond it.
 */
export function contourLabelLayers({ options, colors, fonts }: Drawing): LayerSpecification[] {
  return [
    label('DEPCNT-label', 'DEPCNT', {
      text: depthText(options),
      size: 11,
      font: fonts.regular,
      color: colors.CHGRD,
      halo: colors.TXHAL,
      filter: all(has('dm'), expression('>', get('dm'), 0)),
      layout: ALONG,
    }),
    label('DEPEDGE-label', 'DEPEDGE', {
      text: depthTextOfMeters(options),
      size: 12,
      font: fonts.bold,
      color: colors.SNDG2,
      halo: colors.TXHAL,
      filter: all(isSafetyEdge(options), expression('>', get('d'), 0)),
      layout: ALONG,
    }),
  ];
}

export function textLayers(drawing: Drawing): LayerSpecification[] {
  const { options, colors, fonts } = drawing;
  const plain = { size: 10, font: fonts.regular, color: colors.CHBLK, halo: colors.TXHAL };
  const name = get('nm');
  const place = (id: string, layer: string, more: Partial<Label> = {}) =>
    label(id, layer, {
      ...plain,
      color: landText(options, 'CHBLK'),
      text: name,
      filter: has('nm'),
      ...more,
    });
  const beside = (id: string, layer: string, text: unknown, more: Partial<Label> = {}) =>
    label(id, layer, { ...plain, text, layout: BESIDE, ...more });
  return [
    beside('SBDARE-label', 'SBDARE', get('tx'), {
      font: fonts.italic,
      color: colors.CHGRD,
      filter: has('tx'),
    }),
    deepSoundings(drawing),
    beside('BERTHS-name', 'BERTHS', BERTH_NAME, { filter: has('nm') }),
    beside('ACHBRT-name', 'ACHBRT', BERTH_NAME, { filter: has('nm') }),
    place('bg_place-name', 'bg_place', {
      size: 12,
      color: landText(options, 'CHGRD'),
      // Capitals first.
      layout: { 'symbol-sort-key': numberOr('rank', 20) },
    }),
    place('bg_sea_name-name', 'bg_sea_name', {
      size: 13,
      font: fonts.italic,
      color: colors.CHGRD,
      layout: { 'text-letter-spacing': 0.15, 'text-max-width': 7 },
    }),
    place('LNDELV-contour', 'LNDELV', {
      text: measured(options, 'tx', 'tf'),
      filter: all(lines, has('tx')),
      layout: ALONG,
    }),
    place('LNDELV-name', 'LNDELV', {
      text: measured(options, 'tx', 'tf'),
      filter: all(points, has('tx')),
      layout: BESIDE,
    }),
    place('LNDRGN-name', 'LNDRGN', { font: fonts.italic, size: 11 }),
    place('BUAARE-name', 'BUAARE', { size: 12, font: fonts.bold }),
    place('LNDMRK-name', 'LNDMRK', { layout: BESIDE }),
    label('SEAARE-name', 'SEAARE', {
      ...plain,
      text: name,
      size: 12,
      font: fonts.italic,
      color: colors.CHGRD,
      filter: has('nm'),
      layout: { 'text-letter-spacing': 0.1, 'text-max-width': 8 },
    }),
    place('AREASYM-name', 'AREASYM', {
      filter: all(IS_NEAR_SCALE, not(has('tx')), has('nm'), IS_PLACE),
      layout: BELOW,
    }),
    label('AREASYM-label', 'AREASYM', {
      ...plain,
      text: shortName(options, (given) =>
        expression(
          'case',
          all(is('cls', 'SWPARE'), has('dm')),
          expression('concat', 'swept to ', depthText(options)),
          measuredOr(options, 'tx', 'tf', [given, '']),
        ),
      ),
      filter: all(IS_NEAR_SCALE, areaTextFilter(options)),
      layout: BELOW,
    }),
    // The clearance is repeated along the line; the name is shown once.
    ...['BRIDGE', 'CBLOHD', 'PIPOHD', 'CONVYR', 'GATCON'].map((layer) =>
      label(`${layer}-clearance`, layer, {
        ...plain,
        text: measured(options, 'tx', 'tf'),
        filter: all(lines, IS_NEAR_SCALE, has('tx')),
        layout: { 'symbol-placement': 'line', 'symbol-spacing': 200, 'text-offset': [0, -0.9] },
      }),
    ),
    // The clearance of a point is next to its symbol. The end of the id assigns the text group.
    ...['BRIDGE', 'GATCON'].map((layer) =>
      label(`${layer}-point-clearance`, layer, {
        ...plain,
        text: measured(options, 'tx', 'tf'),
        filter: all(points, has('tx')),
        layout: BESIDE,
      }),
    ),
    ...maritimeLabel(drawing),
    // Rates of streams, and channels of calling-in points.
    ...['CURENT', 'TS_FEB', 'RDOCAL'].map((layer) =>
      beside(`${layer}-label`, layer, get('tx'), { filter: all(points, has('tx')) }),
    ),
    // Bearings.
    ...['NAVLNE', 'RECTRC', 'RCRTCL', 'DWRTCL'].map((layer) =>
      label(`${layer}-label`, layer, {
        ...plain,
        text: get('tx'),
        filter: has('tx'),
        layout: { 'symbol-placement': 'line', 'text-offset': [0, -0.8] },
      }),
    ),
  ];
}

/** Areas with a measure, such as a clearance, and areas with a name that is not of a place. */
function areaTextFilter({ textGroups }: StyleOptions): Expression {
  const named = all(has('nm'), not(IS_PLACE));
  if (!textGroups.includes('names')) return has('tx');
  return textGroups.includes('important') ? any(has('tx'), named) : all(not(has('tx')), named);
}

function maritimeLabel({ options, colors, fonts }: Drawing): LayerSpecification[] {
  const hasNames = options.showMaritimeBoundaries !== 'false';
  const named = {
    text: expression('coalesce', get('nm'), get('tx'), ''),
    size: 10,
    font: fonts.italic,
    color: colors.CHMGD,
    halo: colors.TXHAL,
  };
  return [
    label('bg_maritime_line-label', 'bg_maritime_line', {
      ...named,
      layout: { 'symbol-placement': 'line', 'symbol-spacing': 400, 'text-offset': [0, -0.8] },
    }),
    label('bg_maritime_label-label', 'bg_maritime_label', named),
    label('maritime_label-label', 'maritime_label', named),
  ].filter(({ id }) => isWanted(options, id, hasNames));
}
