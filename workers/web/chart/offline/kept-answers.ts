// Decides which responses the service worker caches, and under which URL. Cache URLs contain no token but
// are separate for each token. Pure functions, shared by the service worker and tests.

/**
 * Kinds of cached responses: the page itself, artwork (whose URL changes with its content) and the chart.
 * Everything else, such as reports, routes and saved styles, is private or changes, and is not cached.
 */
export type Kind = 'page' | 'artwork' | 'chart';

/** Files that the chart page needs to open. */
export const PAGE_FILES: readonly string[] = [
  '/',
  '/page/start.js',
  '/page/start.css',
  '/page/chart.js',
  '/page/chart.css',
  '/page/maplibre-gl-worker.mjs',
  '/page/icon.svg',
  '/page/manifest.webmanifest',
];

const ARTWORK = /^\/(?:sprites|fonts|imagery)\//;
const CHART =
  /^\/api\/(?:v2\/tiles\/enc-v2(?:\.json|\/\d+\/\d+\/\d+\.mvt)|v1\/styles\/base\.json)$/;
/** Replaces the token in cached texts. */
const PLACEHOLDER = '~token of the page~';
/** Maximum age of a cached chart. Charts get weekly corrections; four weeks is too old to show. */
export const MAX_AGE_MS = 28 * 86_400_000;

/**
 * Returns the kind of a request, or `undefined` if its response is not cached.
 *
 * @param url absolute URL of the request
 * @param origin origin of the page
 */
export function kindOf(method: string, url: string, origin: string): Kind | undefined {
  const { origin: host, pathname } = new URL(url);
  if (method !== 'GET' || host !== origin) return undefined;
  if (PAGE_FILES.includes(pathname)) return 'page';
  if (ARTWORK.test(pathname)) return 'artwork';
  return CHART.test(pathname) ? 'chart' : undefined;
}

/** Returns the token of a request, or an empty string. */
export function tokenOf(url: string, authorization: string | null): string {
  const inHeader = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return inHeader ?? new URL(url).searchParams.get('token') ?? '';
}

/** Returns a name that does not reveal the token: the first half of its SHA-256 in hexadecimal. */
export async function nameOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const bytes = new Uint8Array(digest).subarray(0, 16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the cache URL of a response: the request URL without token, below the token's name. */
export function keptAddress(url: string, tokenName: string): string {
  const address = new URL(url);
  address.searchParams.delete('token');
  return `${address.origin}/kept/${tokenName}${address.pathname}${address.search}`;
}

/** Removes the token from a text: style documents contain it in the URLs of their sources. */
export const withoutToken = (text: string, token: string): string =>
  token === '' ? text : text.replaceAll(token, PLACEHOLDER);

export const withToken = (text: string, token: string): string =>
  text.replaceAll(PLACEHOLDER, token);

/** Whether a response is a chart tile or document (200), or says that a tile is empty (204). */
export const isKeepable = (status: number): boolean => status === 200 || status === 204;

/** Whether the service is unavailable or limits requests. */
export const isBusy = (status: number): boolean =>
  status >= 500 || status === 408 || status === 429;

/**
 * Whether a cached chart is used instead, if there is one: the service is busy, or the response is from another
 * server, for example a login page. Errors of the service are JSON.
 */
export function isNoChart({ status, headers }: Response): boolean {
  if (isBusy(status)) return true;
  const type = headers.get('content-type') ?? '';
  return isKeepable(status) ? /\bhtml\b/.test(type) : !/\bjson\b/.test(type);
}

/** Whether the service rejected the token. */
export const isRefused = (status: number): boolean => status === 401 || status === 403;
