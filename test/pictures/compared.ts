// What two versions of the project are compared by: a place, a zoom and choices for each thing that a
// reader should see at a glance.

import type { StyleOptions } from '../../shared/style/options.ts';
import { PLACES } from '../support/four-grounds.ts';
import { COAST_PLACES } from './coast-cell.ts';
import { CROWDED_PLACES } from './crowded-cell.ts';

export interface Compared {
  /** Its picture is `compared-<name>.png`. */
  readonly name: string;
  /** Longitude and latitude. */
  readonly center: readonly [number, number];
  readonly zoom: number;
  readonly choices?: Partial<StyleOptions>;
  /** Choices that the other version does not have. */
  readonly choicesNow?: Partial<StyleOptions>;
}

const PORT = [-20.006, -29.985] as const;

export const COMPARED: readonly Compared[] = [
  { name: 'names', center: [-20, -30.02], zoom: 11.5 },
  { name: 'grounds', center: [-24.1, PLACES.chartedWater[1]], zoom: 7.2 },
  { name: 'limits', center: COAST_PLACES.limits, zoom: 12.6 },
  { name: 'scamin', center: CROWDED_PLACES.soundings, zoom: 13.9 },
  { name: 'drying-heights', center: [-20.051, -29.98], zoom: 15 },
  { name: 'virtual-aids', center: CROWDED_PLACES.virtualAids, zoom: 14 },
  { name: 'soundings', center: CROWDED_PLACES.whole, zoom: 13 },
  { name: 'dangers', center: CROWDED_PLACES.whole, zoom: 12 },
  { name: 'contours', center: [-20.01, -30.03], zoom: 13.2 },
  { name: 'overscale', center: [-20.86, -30.73], zoom: 12 },
  { name: 'bridges', center: COAST_PLACES.bridge, zoom: 14.6 },
  { name: 'sectors', center: COAST_PLACES.light, zoom: 13 },
  { name: 'areas', center: CROWDED_PLACES.areas, zoom: 13 },
  { name: 'far-off', center: [-20, -30.02], zoom: 9.5 },
  {
    name: 'night',
    center: PORT,
    zoom: 12.6,
    choices: { theme: 'night' },
    choicesNow: { theme: 'night-bright' },
  },
  { name: 'yacht', center: PORT, zoom: 12.6, choicesNow: { theme: 'yacht' } },
];
