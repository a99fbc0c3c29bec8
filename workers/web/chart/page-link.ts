// Reads and writes the page state in the URL fragment: token, view, saved style and display choices.
// Browsers do not send the fragment to servers.

import { CHOICES, type Chosen, isValueOf, withDefaults, withoutDefaults } from './choices.ts';

export interface Place {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

interface PageLink {
  readonly token: string;
  readonly place: Place | undefined;
  readonly chosen: Chosen;
  /** Id of a saved style. */
  readonly styleId: string | undefined;
}

/** Parses a URL fragment. Unknown and invalid values are ignored. */
export function readLink(hash: string): PageLink {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const chosen = CHOICES.flatMap((choice) => {
    const value = words.get(choice.name);
    return value !== null && isValueOf(choice, value) ? [[choice.name, value] as const] : [];
  });
  return {
    token: words.get('token') ?? '',
    place: placeOf(words.get('at') ?? ''),
    chosen: Object.fromEntries(chosen),
    styleId: /^[0-9a-f-]{36}$/.exec(words.get('style') ?? '')?.[0],
  };
}

function placeOf(text: string): Place | undefined {
  const [zoom, latitude, longitude] = text.split('/').map(Number);
  const isPlace = [zoom, latitude, longitude].every((value) => Number.isFinite(value));
  if (!isPlace || Math.abs(latitude!) > 85.06) return undefined;
  return { zoom: zoom!, latitude: latitude!, longitude: longitude! };
}

export function writeLink({ token, place, chosen, styleId }: PageLink): string {
  const words = new URLSearchParams();
  if (place !== undefined) {
    const { zoom, latitude, longitude } = place;
    words.set('at', `${zoom.toFixed(2)}/${latitude.toFixed(5)}/${longitude.toFixed(5)}`);
  }
  const values = styleId === undefined ? withoutDefaults(chosen) : withDefaults(chosen);
  for (const [name, value] of Object.entries(values)) words.set(name, value);
  if (styleId !== undefined) words.set('style', styleId);
  if (token !== '') words.set('token', token);
  return `#${words.toString().replaceAll('%2F', '/')}`;
}
