// A client of the service: its parts share one session.

import { type Charts, chartsOf } from './charts.ts';
import { type Regions, regionsOf } from './regions.ts';
import { type Reports, reportsOf } from './reports.ts';
import { type SavedStyles, savedStylesOf } from './saved-styles.ts';
import { type ClientOptions, openSession } from './session.ts';
import { type Soundings, soundingsOf } from './soundings.ts';

export interface Client {
  readonly charts: Charts;
  readonly regions: Regions;
  readonly reports: Reports;
  readonly soundings: Soundings;
  readonly savedStyles: SavedStyles;
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
    charts: chartsOf(session),
    regions: regionsOf(session),
    reports: reportsOf(session),
    soundings: soundingsOf(session),
    savedStyles: savedStylesOf(session),
    withUser: (userToken) => createClient({ ...options, token: session.token, userToken }),
  };
}
