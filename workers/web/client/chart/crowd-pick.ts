// The crowdsourced depth at a position, for the pick report. It is read from the cell on the map.

import type { Map as ChartMap, LngLat } from 'maplibre-gl';
import { CROWD_NOTICE, type CrowdBin } from '../../../../shared/crowd/bin.ts';
import { crowdSentence } from '../../../../shared/crowd/crowd-sentence.ts';
import { METERS_PER_UNIT } from '../../../../shared/style/depth-text.ts';
import { CROWD_FILL } from '../../../../shared/style/layers/crowd.ts';
import { element } from './elements.ts';

const SYMBOLS = { meters: 'm', feet: 'ft', fathoms: 'fm' } as const;

/** A heading and the sentence of the cell; nothing if the map shows no cell there. */
export function crowdAt(map: ChartMap, at: LngLat, units: keyof typeof SYMBOLS): HTMLElement[] {
  if (map.getLayer(CROWD_FILL) === undefined) return [];
  const [cell] = map.queryRenderedFeatures(map.project(at), { layers: [CROWD_FILL] });
  if (cell === undefined) return [];
  const unit = { symbol: SYMBOLS[units], meters: METERS_PER_UNIT[units] };
  const sentence = crowdSentence(cell.properties as CrowdBin, unit);
  return [
    element('h2', 'Crowdsourced depth'),
    element('p', `${sentence}.`),
    element('p', CROWD_NOTICE),
  ];
}
