// Origins that a token is restricted to.

/** Origins of apps whose pages are not from a web server: Capacitor on iOS, Ionic and Tauri. */
const APP_ORIGIN = /^(?:capacitor|ionic|tauri):\/\/[a-z0-9.-]+$/;

/** Why a text cannot match the Origin header of a browser, which has scheme, host and port; or `undefined`. */
export function faultOfOrigin(text: string): string | undefined {
  if (text.includes('*')) {
    return 'has a wildcard, and would never match: origins are compared letter by letter. Name each one, for example https://chart.example.org.';
  }
  if (APP_ORIGIN.test(text)) return undefined;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'is not an origin. Expected http or https and a host, for example https://example.org.';
  }
  const { pathname, search, hash, username, password } = new URL(text);
  const isBare = pathname === '/' && `${search}${hash}${username}${password}` === '';
  return isBare && !/[?#@]/.test(text)
    ? undefined
    : 'has more than scheme, host and port, which browsers do not send. Expected for example https://example.org.';
}

/** The origin as browsers send it; undefined if the text is not one. A host alone means https. */
export function originOfHost(text: string): string | undefined {
  const address = text.includes('://') ? text : `https://${text}`;
  if (faultOfOrigin(address) !== undefined) return undefined;
  return APP_ORIGIN.test(address) ? address : new URL(address).origin;
}

/** The inverse: a host for https, otherwise the origin. */
export const hostOfOrigin = (origin: string): string => origin.replace(/^https:\/\//, '');
