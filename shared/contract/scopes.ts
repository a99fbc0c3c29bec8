// Scopes of tokens. A token with an unknown scope is invalid.

export const SCOPES = [
  'tiles',
  'styles',
  'styles:write',
  'query',
  'reports:write',
  'bathymetry:write',
  'routing',
  'charts:write',
  'reports:admin',
] as const;

export type Scope = (typeof SCOPES)[number];

/** Scopes of public tokens, such as a token in a web page. */
export const PUBLIC_SCOPES = ['tiles', 'styles', 'query', 'reports:write'] as const;

/** `pk`: public. `sk`: secret. */
export type TokenKind = 'pk' | 'sk';

/** A token is secret if it has other scopes than public ones, or votes for other users. */
export function kindOf(scopes: readonly Scope[], votesForUsers: boolean): TokenKind {
  const isPublic = scopes.every((scope) => PUBLIC_SCOPES.some((one) => one === scope));
  return isPublic && !votesForUsers ? 'pk' : 'sk';
}

export const PLANS = ['standard', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export function isScope(value: unknown): value is Scope {
  return SCOPES.some((scope) => scope === value);
}
