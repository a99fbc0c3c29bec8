// What a token may be used for. An unknown scope in a token fails closed.

export const SCOPES = [
  'tiles',
  'styles',
  'styles:write',
  'query',
  'reports:write',
  'bathymetry:write',
  'routing',
  'reports:admin',
] as const;

export type Scope = (typeof SCOPES)[number];

/** What a token may do that everybody can read, such as one in a web page. */
export const PUBLIC_SCOPES = ['tiles', 'styles', 'query', 'reports:write'] as const;

/** `pk`: may be shown to everybody. `sk`: is a secret. */
export type TokenKind = 'pk' | 'sk';

/** A token is a secret when it may do more than the public may, or speaks for other users. */
export function kindOf(scopes: readonly Scope[], votesForUsers: boolean): TokenKind {
  const isPublic = scopes.every((scope) => PUBLIC_SCOPES.some((one) => one === scope));
  return isPublic && !votesForUsers ? 'pk' : 'sk';
}

export const PLANS = ['standard', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}
