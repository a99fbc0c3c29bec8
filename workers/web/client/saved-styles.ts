// Saved styles of the account: named colours and settings, used with the `styleId` and `styleName`
// parameters of a style.

import { deleteResource } from './delete-thing.ts';
import { randomId } from './random-id.ts';
import { type CallOptions, type KeyedOptions, readJson, sendRequest } from './send-request.ts';
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
  return {
    list: ({ signal } = {}) => sendRequest(session, { path: PATH, signal }, readJson<SavedStyle[]>),
    get: (id, { signal } = {}) =>
      sendRequest(session, { path: at(id), signal }, readJson<SavedStyle>),
    versions: (id, { signal } = {}) =>
      sendRequest(session, { path: `${at(id)}/versions`, signal }, readJson<SavedStyleVersion[]>),
    create: (body, { signal, key = randomId() } = {}) =>
      sendRequest(
        session,
        { method: 'POST', path: PATH, body, key, signal, isRepeatable: true },
        readJson<SavedStyle>,
      ),
    replace: (id, body, { signal } = {}) =>
      sendRequest(
        session,
        { method: 'PUT', path: at(id), body, signal, isRepeatable: true },
        readJson<SavedStyle>,
      ),
    update: (id, body, { signal } = {}) =>
      sendRequest(
        session,
        { method: 'POST', path: at(id), body, signal, isRepeatable: true },
        readJson<SavedStyle>,
      ),
    delete: (id, { signal } = {}) => deleteResource(session, at(id), signal),
  };
}
