// A service with a database for tests of the caller's own tracks.

import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ServiceWithDatabase, startServiceWithDatabase } from './database.ts';
import { type ResponseCheck, responseCheck } from './openapi.ts';
import { BATHYMETRY, type SentSounding, sendSoundings } from './soundings.ts';

/**
 * Starts a service before the tests of a file and deletes all tracks after each test.
 *
 * `ask` checks each answer against the OpenAPI document. `keep` sends soundings and returns the id of the
 * first track.
 */
export function useTrackService(settings: Readonly<Record<string, string>> = {}) {
  let service: ServiceWithDatabase;
  let check: ResponseCheck;
  beforeAll(async () => {
    service = await startServiceWithDatabase({ settings });
    check = responseCheck((await (await service.get('/openapi.json')).json()) as never);
  });
  afterAll(() => service?.stop());
  afterEach(() =>
    service.database.query('DELETE FROM track; DELETE FROM track_about; DELETE FROM ingest_key'),
  );

  const ask = async (path: string, method = 'GET', token?: string): Promise<Response> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await service.get(`${BATHYMETRY}${path}`, { method, headers });
    expect(await check(method, `${BATHYMETRY}${path}`, response)).toEqual([]);
    return response;
  };
  return {
    ask,
    // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
    json: async (path: string, token?: string): Promise<any> =>
      (await ask(path, 'GET', token)).json(),
    keep: async (soundings: readonly SentSounding[], about: object = {}, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const { status, body } = await sendSoundings(service, { soundings, ...about }, headers);
      expect(status).toBe(201);
      return body.tracks[0].id as string;
    },
    service: () => service,
    query: (sql: string, values?: readonly unknown[]) =>
      service.database.query(sql, values as never),
  };
}
