// Finds names in all charts with the service. If that fails, finds names in view.

import type { Map as ChartMap, MapGeoJSONFeature } from 'maplibre-gl';
import { rhumbBetween } from '../../../shared/geo/rhumb.ts';
import type { ChartsApi } from '../client/charts.ts';
import {
  BadRequestError,
  NoAnswerError,
  NotAllowedError,
  TokenError,
  TooOftenError,
} from '../client/errors.ts';
import type { NameAnswer } from '../client/wire.ts';

type NamedObject = NameAnswer['names'][number];
/** A name found in view has only `name` and `position`. */
export type FoundName = Pick<NamedObject, 'name' | 'position'> & Partial<NamedObject>;

interface FoundNames {
  readonly text: string;
  readonly names: readonly FoundName[];
  /** Whether `names` contains all matches. */
  readonly isComplete: boolean;
  /** Why only names in view were searched. Absent if all charts were searched. */
  readonly failure?: string;
}

/** Maximum number of names in view. Equal to the default limit of the service. */
const MAX_IN_VIEW = 20;

/**
 * @param text one character or more
 * @throws the abort reason of `signal`
 */
export async function findNames(
  map: ChartMap,
  charts: Pick<ChartsApi, 'findNames'>,
  text: string,
  signal: AbortSignal,
): Promise<FoundNames> {
  const { lng, lat } = map.getCenter().wrap();
  // Rounded to about a metre.
  const near = { longitude: Number(lng.toFixed(5)), latitude: Number(lat.toFixed(5)) };
  try {
    return { text, ...(await charts.findNames({ text, near }, { signal })) };
  } catch (error) {
    signal.throwIfAborted();
    const away = ({ position: { longitude, latitude } }: FoundName) =>
      rhumbBetween(near.longitude, near.latitude, longitude, latitude).meters;
    const all = namesInView(map, text).sort((a, b) => away(a) - away(b));
    const names = all.slice(0, MAX_IN_VIEW);
    return { text, names, isComplete: names.length === all.length, failure: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerError) return 'the service cannot be reached';
  if (error instanceof TokenError) return 'the token of this page is no longer valid';
  if (error instanceof NotAllowedError) return 'the token of this page does not allow searches';
  if (error instanceof BadRequestError) return 'the service rejected this search text';
  if (error instanceof TooOftenError) return 'there were too many searches in a short time';
  return 'the search service is not available right now';
}

/** Explains why not all charts were searched. */
export const limitText = (failure: string): string =>
  `Only the chart in view was searched: ${failure}.`;

/** Describes the number of matches and what was searched. */
export function foundText({ text, names, isComplete, failure }: FoundNames): string {
  const count = names.length;
  const limits = failure === undefined ? '' : ` ${limitText(failure)}`;
  if (count === 0) {
    return failure === undefined
      ? `No results for “${text}”.`
      : `No results in view for “${text}”.${limits}`;
  }
  const more = isComplete ? '' : ' (more names match)';
  return `${count} ${count === 1 ? 'name' : 'names'} found${more}.${limits}`;
}

/**
 * Returns features in view whose name or cell name contains the text. Points with the same name at
 * different positions are separate results. Lines and areas, which tiles cut into pieces, count once per
 * name, and only if no point has that name.
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
    // A point near a tile edge is in both tiles, with slightly different rounding.
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
