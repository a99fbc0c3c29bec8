// Sending soundings, and reading the caller's own tracks.

import { deleteResource } from './delete-thing.ts';
import { randomId } from './random-id.ts';
import {
  type CallOptions,
  jsonRequests,
  type KeyedOptions,
  readBytes,
  sendRequest,
} from './send-request.ts';
import type { Session } from './session.ts';
import { type SoundingRequests, type UploadOptions, uploadSoundings } from './upload-soundings.ts';
import type {
  ConsentChange,
  ImportAnswer,
  LogDescription,
  NewSoundings,
  SoundingCollection,
  SoundingsAnswer,
  Track,
  TrackPage,
} from './wire.ts';

export type TrackFile = 'geojson' | 'csv' | 'gpx';

export interface SoundingsApi extends SoundingRequests {
  /**
   * Sends any number of soundings in batches. With `name` and `storage`, repeating the call resumes an
   * interrupted upload, and no sounding is stored twice.
   */
  upload(soundings: NewSoundings, options?: UploadOptions): Promise<SoundingsAnswer>;
  /** Stores the soundings of a log file: NMEA 0183, Signal K, GPX or CSV. */
  importLog(
    file: string | Uint8Array<ArrayBuffer> | Blob,
    about: LogDescription,
    options?: KeyedOptions,
  ): Promise<ImportAnswer>;
  /**
   * One track, or up to 100 tracks, in one file: GeoJSON according to IHO B-12 (one vessel only), CSV or
   * GPX. `corrected` applies the corrections of the crowdsourced depths (GeoJSON only).
   */
  trackFile(
    id: string | readonly string[],
    kind: TrackFile,
    options?: CallOptions & { readonly corrected?: boolean },
  ): Promise<string>;
  /**
   * Changes the consent for one track, for the tracks of an end user, or for all tracks.
   * @returns the number of changed tracks
   */
  changeConsent(change: ConsentChange, options?: CallOptions): Promise<number>;
  deleteTrack(id: string, options?: CallOptions): Promise<void>;
  /** The caller's own soundings in a box, for a map. @param bbox west, south, east, north in degrees */
  inBox(
    bbox: readonly [number, number, number, number],
    zoom: number,
    options?: CallOptions,
  ): Promise<SoundingCollection>;
}

const PATH = '/api/v1/user-reports/bathymetry';

export function createSoundingsApi(session: Session): SoundingsApi {
  const pathOf = (id: string, suffix = '') => `${PATH}/${encodeURIComponent(id)}${suffix}`;
  const { get, send } = jsonRequests(session);
  const soundings: SoundingsApi = {
    send: (body, { signal, key = randomId() } = {}) =>
      send('POST', PATH, { body, key, signal, timeoutFactor: 4 }),
    upload: (body, options) => uploadSoundings(soundings, body, options),
    importLog: (file, query, { signal, key = randomId() } = {}) =>
      send('POST', '/api/v1/bathymetry/import', { query, file, key, signal, timeoutFactor: 4 }),
    tracks: (query = {}, options = {}) => get<TrackPage>(PATH, options, query),
    track: (id, options) => get<Track>(pathOf(id), options),
    trackFile: (id, kind, { signal, corrected } = {}) =>
      sendRequest(
        session,
        {
          path: pathOf([id].flat().join(), `.${kind}`),
          query: { corrected },
          signal,
          timeoutFactor: 4,
        },
        async (response) => new TextDecoder().decode(await readBytes(response)),
      ),
    changeConsent: async (body, { signal } = {}) =>
      (await send<{ readonly tracks: number }>('POST', `${PATH}/consent`, { body, signal })).tracks,
    deleteTrack: (id, { signal } = {}) => deleteResource(session, pathOf(id), signal),
    inBox: (bbox, zoom, options) =>
      get<SoundingCollection>(`${PATH}/soundings`, options, { bbox, zoom }),
  };
  return soundings;
}
