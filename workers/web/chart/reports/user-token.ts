// The user token of this device. If the page has a public token, the service issues each device its own
// user token, so that a visitor can delete only their own reports and has their own votes.

const HEADER = 'leadline-user';
/** A token that expires within this time is replaced. */
const SOON_MS = 86_400_000;

export interface UserToken {
  /**
   * Returns the headers of a request. The first write requests a user token.
   * @throws the error of that request: without the token the user could not delete the report
   */
  headers(isWrite: boolean): Promise<Readonly<Record<string, string>>>;
  /** Deletes the token, because the service rejected it. The next write requests a new one. */
  forget(): void;
}

export interface Kept {
  readonly userToken: string;
  readonly expiresAt: number;
}

/**
 * @param token token of the page; a secret token needs no user token
 * @param create requests a user token; `undefined` if the service issues none
 */
export function openUserToken(token: string, create: () => Promise<Kept | undefined>): UserToken {
  const claims = claimsOf(token);
  // An opaque token has no claims to read. The service rejects a user token of another account.
  const isOpaque = token !== '' && claims.typ === undefined;
  // A part of the token tells accounts apart, and is of no use without the rest.
  const key = `leadline-user-token ${claims.acc ?? `opaque ${token.slice(0, 8)}`}`;
  const isShared =
    isOpaque || (claims.typ === 'pk' && String(claims.scp).split(',').includes('reports:write'));
  let known = read(key);
  let asking: Promise<void> | undefined;
  const ask = async () => {
    known = await create();
    // Without a user token, all visitors with the token of the page count as one user.
    if (known !== undefined) keep(key, known);
  };
  return {
    headers: async (isWrite) => {
      if (!isShared) return {};
      if (known !== undefined && known.expiresAt - Date.now() < SOON_MS) known = undefined;
      if (known === undefined && isWrite) {
        asking ??= ask().finally(() => {
          asking = undefined;
        });
        await asking;
      }
      return known === undefined ? {} : { [HEADER]: known.userToken };
    },
    forget: () => {
      known = undefined;
      keep(key, undefined);
    },
  };
}

/** Decodes the token of the page without verifying it. */
function claimsOf(token: string): Readonly<Record<'acc' | 'typ' | 'scp', unknown>> {
  try {
    const [, payload = ''] = token.split('.');
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(json) as ReturnType<typeof claimsOf>;
  } catch {
    return { acc: undefined, typ: undefined, scp: undefined };
  }
}

/** Stores the user token, or deletes it if `undefined`. */
function keep(key: string, kept: Kept | undefined): void {
  try {
    if (kept === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // Storage is full or blocked: the token is only in memory.
  }
}

function read(key: string): Kept | undefined {
  try {
    const { userToken, expiresAt } = JSON.parse(localStorage.getItem(key) ?? '') as Kept;
    return typeof userToken === 'string' && typeof expiresAt === 'number'
      ? { userToken, expiresAt }
      : undefined;
  } catch {
    return undefined;
  }
}
