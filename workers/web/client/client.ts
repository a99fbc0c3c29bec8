// A client of the service: its parts share one session.

import { type ChartsApi, createChartsApi } from './charts.ts';
import { createRegionsApi, type RegionsApi } from './regions.ts';
import { createReportsApi, type ReportsApi } from './reports.ts';
import { createSavedStylesApi, type SavedStylesApi } from './saved-styles.ts';
import { type ClientOptions, openSession } from './session.ts';
import { createSoundingsApi, type SoundingsApi } from './soundings.ts';

export interface Client {
  readonly charts: ChartsApi;
  readonly regions: RegionsApi;
  readonly reports: ReportsApi;
  readonly soundings: SoundingsApi;
  readonly savedStyles: SavedStylesApi;
  /** Returns a client that also sends the token of an end user. */
  withUser(userToken: string): Client;
}

/**
 * Creates a client. It sends no request until one of its functions is called.
 * @throws TypeError if `address` is not a URL
 */
export function createClient(options: ClientOptions): Client {
  const session = openSession(options);
  return {
    charts: createChartsApi(session),
    regions: createRegionsApi(session),
    reports: createReportsApi(session),
    soundings: createSoundingsApi(session),
    savedStyles: createSavedStylesApi(session),
    withUser: (userToken) => createClient({ ...options, token: session.token, userToken }),
  };
}
