// Stores the token, place and choices of an installed app. An installed app opens without the fragment of the
// link, so they are stored on the device when the app is installed. A browser tab stores nothing.

const TOKEN = 'leadline-installed-token';
const LINK = 'leadline-installed-link';

const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

/** Returns the token of the link, or else the stored token of the installed app. */
export function tokenToUse(linked: string): string {
  if (isInstalled() && linked !== '') store(TOKEN, linked);
  return linked === '' && isInstalled() ? read(TOKEN) : linked;
}

/** Returns the fragment of the page, or else the stored place and choices of the installed app. */
export function linkToUse(hash: string): string {
  const isBare = /^#?(token=[^&]*)?$/.test(hash);
  return isBare && isInstalled() ? read(LINK) : hash;
}

/** Stores the place and choices of the page in an installed app. */
export function rememberLink(): void {
  if (isInstalled()) storeLink();
}

/** Stores the token, place and choices when the page is installed. */
export function rememberWhenInstalled(token: string): void {
  addEventListener('appinstalled', () => {
    store(TOKEN, token);
    storeLink();
  });
}

function storeLink(): void {
  const words = new URLSearchParams(location.hash.slice(1));
  words.delete('token');
  store(LINK, `#${words}`);
}

/** Deletes the stored token, because the service rejected it. The choices remain for the next token. */
export function forgetInstalled(): void {
  try {
    localStorage.removeItem(TOKEN);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is full or blocked: the app asks for a link, as a tab does.
  }
}
