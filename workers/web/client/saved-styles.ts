// Saved styles of the account: named colours and settings, used with the `styleId` and `styleName`
// parameters of a style.

import { deleteResource } from './delete-thing.ts';
import { randomId } from './random-id.ts';
import { type CallOptions, jsonRequests, type KeyedOptions } from './send-request.ts';
import type { Session } from './session.ts';
import type { NewSavedStyle, SavedStyle, SavedStyleVersion } from './wire.ts';

export interface SavedStylesApi {
  list(options?: CallOptions): Promise<SavedStyle[]>;
  get(id: string, options?: CallOptions): Promise<SavedStyle>;
  /** What the style was before its last changes, newest first. */
  versions(id: string, options?: CallOptions): Promise<SavedStyleVersion[]>;
  create(style: NewSavedStyle, options?: KeyedOptions): Promise<SavedStyle>;
  /** Replaces the whole style. */
  replace(id: string, style: NewSavedStyle, options?: CallOptions): Promise<SavedStyle>;
  /** Changes the given fields; `parameters` is replaced as a whole. */
  update(id: string, change: Partial<NewSavedStyle>, options?: CallOptions): Promise<SavedStyle>;
  delete(id: string, options?: CallOptions): Promise<void>;
}

const PATH = '/api/portal/v1/styles';

export function createSavedStylesApi(session: Session): SavedStylesApi {
  const at = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
  const { get, send } = jsonRequests(session);
  return {
    list: (options) => get(PATH, options),
    get: (id, options) => get(at(id), options),
    versions: (id, options) => get(`${at(id)}/versions`, options),
    create: (body, { signal, key = randomId() } = {}) => send('POST', PATH, { body, key, signal }),
    replace: (id, body, { signal } = {}) => send('PUT', at(id), { body, signal }),
    update: (id, body, { signal } = {}) => send('POST', at(id), { body, signal }),
    delete: (id, { signal } = {}) => deleteResource(session, at(id), signal),
  };
}
