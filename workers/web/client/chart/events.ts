// What the element tells its page.

import type { MapLibreMap } from 'maplibre-gl';
import type { FeatureAnswer, Report, RouteAnswer } from '../wire.ts';
import type { Topic } from './frame.ts';
import type { OwnPosition } from './own-position.ts';

/** Details of the element's events, by name. All of them rise through the page. */
export interface LeadlineChartEvents {
  /** The chart is on the map for the first time. */
  'leadline-ready': { readonly map: MapLibreMap };
  /** The chart is drawn by another document: what was added to the map's style before is gone. */
  'leadline-style': { readonly map: MapLibreMap };
  /** A place was asked about. `preventDefault()` keeps the element from showing the answer. */
  'leadline-pick': FeatureAnswer & { readonly longitude: number; readonly latitude: number };
  'leadline-position': OwnPosition;
  /** The chart follows the position, or, as it was moved by hand, follows it no longer. */
  'leadline-follow': { readonly isFollowing: boolean };
  /** A report was pressed. `preventDefault()` keeps the element from showing it. */
  'leadline-report': { readonly report: Report };
  /** A route, or the reasons why there is none: `success` tells. */
  'leadline-route': RouteAnswer;
  /** Something failed; it is said in the element too. */
  'leadline-error': { readonly topic: Topic; readonly error: unknown; readonly message: string };
}
