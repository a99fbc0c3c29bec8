// Whose this page is, where its token is in many hands: the service gives each device a token of its own,
// with which its reports are its own to delete, and its votes are counted apart from other visitors'.

const PATH = '/api/v1/user-tokens';
const HEADER = 'leadline-user';
/** What is nearly over is given up before it fails. */
const SOON_MS = 86_400_000;

export interface UserToken {
  /** Headers of a request; a token is asked for where a write is the first. */
  headers(isWrite: boolean): Promise<Readonly<Record<string, string>>>;
  /** The service does not take it: the next write asks for another. */
  forget(): void;
}

interface Kept {
  readonly userToken: string;
  readonly expiresAt: number;
}

/** @param token of the page; a secret one speaks for itself */
export function openUserToken(token: string): UserToken {
  const claims = claimsOf(token);
  const key = `leadline-user-token ${claims.acc}`;
  const isShared = claims.typ === 'pk' && String(claims.scp).split(',').includes('reports:write');
  let known = read(key);
  let asking: Promise<void> | undefined;
  const ask = async () => {
    const response = await fetch(PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: '{}',
    });
    // Without one a visitor reports and votes as any holder of the page's token does.
    if (response.status !== 201) return;
    known = (await response.json()) as Kept;
    keep(key, known);
  };
  return {
    headers: async (isWrite) => {
      if (!isShared) return {};
      if (known !== undefined && known.expiresAt - Date.now() < SOON_MS) known = undefined;
      if (known === undefined && isWrite) {
        asking ??= ask()
          .catch(() => undefined)
          .finally(() => {
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

/** What the page's own token says, unchecked: the service checks it. */
function claimsOf(token: string): Readonly<Record<'acc' | 'typ' | 'scp', unknown>> {
  try {
    const [, payload = ''] = token.split('.');
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(json) as ReturnType<typeof claimsOf>;
  } catch {
    return { acc: undefined, typ: undefined, scp: undefined };
  }
}

/** For this browser, at every visit; where its storage is full or off, for as long as the page is open. */
function keep(key: string, kept: Kept | undefined): void {
  try {
    if (kept === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // The page still has it.
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
