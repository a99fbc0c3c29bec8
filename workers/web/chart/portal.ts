// Client for the saved styles of the portal API.

import type { SavedStyle } from '../../../shared/contract/saved-style.ts';

export type { SavedStyle };
export type StyleDraft = Pick<SavedStyle, 'name' | 'baseTheme' | 'parameters'>;

interface Portal {
  list(): Promise<readonly SavedStyle[]>;
  create(draft: StyleDraft): Promise<SavedStyle>;
  replace(id: string, draft: StyleDraft): Promise<SavedStyle>;
  remove(id: string): Promise<void>;
}

/** Creates a client whose methods throw an `Error` with a message for the user. */
export function openPortal(token: string): Portal {
  const ask = async <T>(method: string, path = '', body?: StyleDraft): Promise<T> => {
    const response = await fetch(`/api/portal/v1/styles${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status === 204) return undefined as T;
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return answer as T;
    if (response.status === 403) throw new Error('This token has no permission for saved styles.');
    throw new Error(
      (answer as { detail?: string }).detail ?? 'Saved styles are not available right now.',
    );
  };
  return {
    list: () => ask('GET'),
    create: (draft) => ask('POST', '', draft),
    replace: (id, draft) => ask('PUT', `/${id}`, draft),
    remove: (id) => ask('DELETE', `/${id}`),
  };
}
