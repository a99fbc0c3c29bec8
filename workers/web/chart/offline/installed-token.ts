// The token of an installed chart: an app opens without what stood in the link, so its token is
// remembered on the device, from the moment that somebody installs it. A browser's tab keeps none.

const KEY = 'leadline-installed-token';

const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

/** The token of the link, else of the installed app. */
export function tokenToUse(linked: string): string {
  if (isInstalled() && linked !== '') remember(linked);
  return linked === '' && isInstalled() ? read() : linked;
}

/** Remember a token once the page is installed. */
export function rememberWhenInstalled(token: string): void {
  addEventListener('appinstalled', () => remember(token));
}

/** Forget it: the service does not take it. */
export function forgetInstalled(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing has nothing to forget.
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
    // The app asks for a link then, as a tab does.
  }
}
