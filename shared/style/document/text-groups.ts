// Which texts are shown: by the groups that a request names, and by the toggles of their own that
// places and lights have.

import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { hiddenUnless } from '../layers/layer.ts';
import { type Condition, isSet } from '../live-choices.ts';
import type { StyleOptions, TextGroup } from '../options.ts';

/** Layers of texts by their groups, as patterns of their ids; the first that fits counts. */
const GROUPS: readonly (readonly [RegExp, readonly TextGroup[]])[] = [
  [/^(?:bg_place|bg_sea_name|LNDELV|LNDRGN|BUAARE|LNDMRK|AREASYM)-name$/, ['places']],
  // Clearances and names; its filter tells which.
  [/^AREASYM-label$/, ['important', 'names']],
  [/^LIGHTS-label$/, ['lights']],
  [/^SBDARE-label$/, ['seabed']],
  [/^(?:bg_)?maritime_\w+-label$/, ['other']],
  [/^(?:FOGSIG|OTHER|NAVLNE|RECTRC)-label$|-clearance$/, ['important']],
  [/-(?:name|number)$/, ['names']],
];

/** Texts that are no group's: what is measured stands wherever it is. */
const MEASURED = /^(?:SOUNDG-label|DEPCNT-label|DEPEDGE-label|\w+-depth)$/;

/** Groups of a layer of texts; none of soundings and depths. */
export function groupsOf(id: string): readonly TextGroup[] {
  if (MEASURED.test(id)) return [];
  return GROUPS.find(([pattern]) => pattern.test(id))?.[1] ?? ['other'];
}

/** The layers, those of texts shown as their group and its toggle say. */
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
