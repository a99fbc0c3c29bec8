// What the search field finds: names of all charts, asked of the service, or where that cannot be, names
// in view.

import type { Map as ChartMap, MapGeoJSONFeature } from 'maplibre-gl';
import { rhumbBetween } from '../../../shared/geo/rhumb.ts';
import type { Charts } from '../client/charts.ts';
import {
  BadRequestError,
  NoAnswerError,
  NotAllowedError,
  TokenError,
  TooOftenError,
} from '../client/errors.ts';
import type { NameAnswer } from '../client/wire.ts';

type NamedObject = NameAnswer['names'][number];
/** What the chart in view tells of a name is less than what the service does. */
export type FoundName = Pick<NamedObject, 'name' | 'position'> & Partial<NamedObject>;

interface FoundNames {
  readonly text: string;
  readonly names: readonly FoundName[];
  /** Whether there are no more than these. */
  readonly isComplete: boolean;
  /** Why only the names in view were searched, where it is so. */
  readonly failure?: string;
}

/** Of those in view as many as the service gives where it is not told. */
const MOST_IN_VIEW = 20;

/**
 * @param text one character or more
 * @throws what the signal was aborted with
 */
export async function findNames(
  map: ChartMap,
  charts: Pick<Charts, 'findNames'>,
  text: string,
  signal: AbortSignal,
): Promise<FoundNames> {
  const { lng, lat } = map.getCenter().wrap();
  // About a metre.
  const near = { longitude: Number(lng.toFixed(5)), latitude: Number(lat.toFixed(5)) };
  try {
    return { text, ...(await charts.findNames({ text, near }, { signal })) };
  } catch (error) {
    signal.throwIfAborted();
    const away = ({ position: { longitude, latitude } }: FoundName) =>
      rhumbBetween(near.longitude, near.latitude, longitude, latitude).meters;
    const all = namesInView(map, text).sort((a, b) => away(a) - away(b));
    const names = all.slice(0, MOST_IN_VIEW);
    return { text, names, isComplete: names.length === all.length, failure: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerError) return 'the service cannot be reached';
  if (error instanceof TokenError) return 'this page’s token is not valid any more';
  if (error instanceof NotAllowedError) return 'this page’s token may not search all charts';
  if (error instanceof BadRequestError) return 'the service looks for no such text';
  if (error instanceof TooOftenError) return 'all charts were searched too often just now';
  return 'all charts cannot be searched right now';
}

/** That not all charts were searched, and why. */
export const limitText = (failure: string): string =>
  `Only what is in view was searched: ${failure}.`;

/** How many were found, and where they were looked for, as a sentence or two. */
export function foundText({ text, names, isComplete, failure }: FoundNames): string {
  const count = names.length;
  const limits = failure === undefined ? '' : ` ${limitText(failure)}`;
  if (count === 0) {
    return failure === undefined
      ? `No object of the charts is named “${text}”.`
      : `Nothing in view is named “${text}”.${limits}`;
  }
  const more = isComplete ? '' : ', and there are more';
  return `${count} ${count === 1 ? 'name' : 'names'} found${more}.${limits}`;
}

/**
 * Names of features in view that hold the text, or of their cells. Marks of one name at several places
 * are several; lines and areas are in tiles in pieces, and count once where no point has their name.
 */
function namesInView(map: ChartMap, text: string): FoundName[] {
  const wanted = text.toLowerCase();
  const points = new Map<string, FoundName>();
  const others = new Map<string, FoundName>();
  for (const { properties, geometry } of map.queryRenderedFeatures()) {
    const texts = [properties['nm'], properties['nn'], properties['cell']];
    const found = texts.find((one) =>
      String(one ?? '')
        .toLowerCase()
        .includes(wanted),
    );
    const position = found === undefined ? undefined : firstPosition(geometry);
    if (position === undefined) continue;
    const name = String(found);
    // Tiles have the same point on both sides of their edges, a little rounded.
    const place = `${position.longitude.toFixed(3)} ${position.latitude.toFixed(3)}`;
    if (geometry.type === 'Point') points.set(`${name} ${place}`, { name, position });
    else if (!others.has(name)) others.set(name, { name, position });
  }
  const named = new Set([...points.values()].map(({ name }) => name));
  return [...points.values(), ...[...others.values()].filter(({ name }) => !named.has(name))];
}

function firstPosition(geometry: MapGeoJSONFeature['geometry']): FoundName['position'] | undefined {
  if (geometry.type === 'GeometryCollection') return undefined;
  let at: unknown = geometry.coordinates;
  while (Array.isArray(at) && Array.isArray(at[0])) at = at[0];
  const [longitude, latitude] = at as readonly number[];
  return longitude === undefined || latitude === undefined ? undefined : { longitude, latitude };
}
