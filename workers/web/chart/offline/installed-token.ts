// Stores the token of an installed app. An installed app opens without the fragment of the link, so the
// token is stored on the device when the app is installed. A browser tab stores no token.

const KEY = 'leadline-installed-token';

const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

/** Returns the token of the link, or else the stored token of the installed app. */
export function tokenToUse(linked: string): string {
  if (isInstalled() && linked !== '') remember(linked);
  return linked === '' && isInstalled() ? read() : linked;
}

/** Stores a token when the page is installed. */
export function rememberWhenInstalled(token: string): void {
  addEventListener('appinstalled', () => remember(token));
}

/** Deletes the stored token, because the service rejected it. */
export function forgetInstalled(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}

function read(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

function remember(token: string): void {
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // Storage is full or blocked: the app asks for a link, as a tab does.
  }
}
