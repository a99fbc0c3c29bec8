// Which answers the chart page keeps for when there is no network, and under which address: never with a
// token in it, and apart for each token. Pure, so that it runs in the service worker and in tests.

/**
 * What is kept of an address: the page itself, artwork (whose address changes with its content), or
 * the chart; nothing of anything else, as reports, routes, styles in the making and what a person
 * sends change, or are somebody's own.
 */
export type Kind = 'page' | 'artwork' | 'chart';

/** Files without which the chart page does not open. */
export const PAGE_FILES: readonly string[] = [
  '/',
  '/page/chart.js',
  '/page/chart.css',
  '/page/maplibre-gl-worker.mjs',
  '/page/icon.svg',
  '/page/manifest.webmanifest',
];

const ARTWORK = /^\/(?:sprites|fonts|imagery)\//;
const CHART =
  /^\/api\/(?:v2\/tiles\/enc-v2(?:\.json|\/\d+\/\d+\/\d+\.mvt)|v1\/styles\/base\.json)$/;
/** In the place of the token in what is kept. */
const PLACEHOLDER = '~token of the page~';
/** Charts are corrected every week: after four of them what was seen is no chart any more. */
export const MOST_AGE_MS = 28 * 86_400_000;

/** @param url of a request, whole @param origin of the page */
export function kindOf(method: string, url: string, origin: string): Kind | undefined {
  const { origin: host, pathname } = new URL(url);
  if (method !== 'GET' || host !== origin) return undefined;
  if (PAGE_FILES.includes(pathname)) return 'page';
  if (ARTWORK.test(pathname)) return 'artwork';
  return CHART.test(pathname) ? 'chart' : undefined;
}

/** The token that a request is made with; empty where it has none. */
export function tokenOf(url: string, authorization: string | null): string {
  const inHeader = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return inHeader ?? new URL(url).searchParams.get('token') ?? '';
}

/** A name for a token that does not tell it: half of its SHA-256. */
export async function nameOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const bytes = new Uint8Array(digest).subarray(0, 16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The address that an answer is kept under: its own without the token, below the token's name. */
export function keptAddress(url: string, tokenName: string): string {
  const address = new URL(url);
  address.searchParams.delete('token');
  return `${address.origin}/kept/${tokenName}${address.pathname}${address.search}`;
}

/** Style documents name the token in the addresses of their sources. */
export const withoutToken = (text: string, token: string): string =>
  token === '' ? text : text.replaceAll(token, PLACEHOLDER);

export const withToken = (text: string, token: string): string =>
  text.replaceAll(PLACEHOLDER, token);

/** Whether an answer is the chart, or that there is none at a place. */
export const isKeepable = (status: number): boolean => status === 200 || status === 204;

/** Whether the service no longer lets this token see charts. */
export const isRefused = (status: number): boolean => status === 401 || status === 403;
