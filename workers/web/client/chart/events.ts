// Events of the element.

import type { MapLibreMap } from 'maplibre-gl';
import type { FeatureAnswer, Report, RouteAnswer } from '../wire.ts';
import type { Topic } from './frame.ts';
import type { OwnPosition } from './own-position.ts';

/** `detail` of each event by name. All events bubble. */
export interface LeadlineChartEvents {
  /** The chart is shown for the first time. */
  'leadline-ready': { readonly map: MapLibreMap };
  /** The map has a new style document. Layers and sources of the app must be added again. */
  'leadline-style': { readonly map: MapLibreMap };
  /** Features at a clicked position. `preventDefault()` stops the element from showing them. */
  'leadline-pick': FeatureAnswer & { readonly longitude: number; readonly latitude: number };
  'leadline-position': OwnPosition;
  /** The chart started or stopped following the position. It stops if the user moves the map. */
  'leadline-follow': { readonly isFollowing: boolean };
  /** A report was clicked. `preventDefault()` stops the element from showing it. */
  'leadline-report': { readonly report: Report };
  /** A route, or the reasons why no route was found: check `success`. */
  'leadline-route': RouteAnswer;
  /** An error. The element shows `message`. */
  'leadline-error': { readonly topic: Topic; readonly error: unknown; readonly message: string };
}
