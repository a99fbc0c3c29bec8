// Visibility of texts, by the option `textGroups` and by the flags for place names and lights.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { hiddenUnless } from '../layers/layer.ts';
import { type Condition, isSet } from '../live-choices.ts';
import type { StyleOptions, TextGroup } from '../options.ts';

/** Groups by pattern of the layer id. The first match applies. */
const GROUPS: readonly (readonly [RegExp, readonly TextGroup[]])[] = [
  [
    /^(?:bg_place|bg_sea_name|LNDELV|LNDRGN|BUAARE|LNDMRK|AREASYM)-name$|^LNDELV-contour$/,
    ['places'],
  ],
  // Clearances and names. The filter of the layer selects the features.
  [/^AREASYM-label$/, ['important', 'names']],
  [/^LIGHTS-label$/, ['lights']],
  [/^SBDARE-label$/, ['seabed']],
  [/^(?:bg_)?maritime_\w+-label$/, ['other']],
  [
    /^(?:FOGSIG|OTHER|CURENT|TS_FEB|RDOCAL|NAVLNE|RECTRC|RCRTCL|DWRTCL)-label$|-clearance$/,
    ['important'],
  ],
  [/-(?:name|number)$/, ['names']],
];

/** Soundings and depths, which belong to no group. */
const MEASURED = /^(?:SOUNDG-label|DEPCNT-label|DEPEDGE-label|crowd_depth_point-label|\w+-depth)$/;

/** Groups of a text layer. Empty for soundings and depths. */
export function groupsOf(id: string): readonly TextGroup[] {
  if (MEASURED.test(id)) return [];
  return GROUPS.find(([pattern]) => pattern.test(id))?.[1] ?? ['other'];
}

/** Hides text layers whose group or flag is off. */
export const withTextGroups = (
  layers: readonly LayerSpecification[],
  options: StyleOptions,
): LayerSpecification[] => layers.map((layer) => hiddenUnless(isTextShown(layer, options), layer));

function isTextShown(layer: LayerSpecification, options: StyleOptions): Condition {
  if (layer.type !== 'symbol' || layer.layout?.['text-field'] === undefined) return true;
  const groups = groupsOf(layer.id);
  if (groups.length === 0) return true;
  if (!groups.some((group) => options.textGroups.includes(group))) return false;
  if (groups.includes('places')) return isSet(options, 'showPlaceNames');
  return groups.includes('lights') ? isSet(options, 'lightText') : true;
}
