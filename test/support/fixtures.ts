// Services that many test files use. Each starts when a test first needs it, and stops after its last use.

import { test as base, inject } from 'vitest';
import { type CrowdService, startCrowdService } from './crowd-service.ts';
import { closeConnections } from './http-client.ts';
import { answerCheck, type OpenApiDocument, responseCheck } from './openapi.ts';
import { type Service, startService } from './service.ts';

/**
 * A service with the demo charts, both Workers and no database, shared by all files of a worker. Tests must not change
 * it. `openApi` is its own document, and the checks compare responses with it.
 */
export const demoTest = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
  .extend('service', { scope: 'worker' }, async ({}, { onCleanup }): Promise<Service> => {
    const service = await startService({ charts: inject('demoCharts'), isAlone: false });
    onCleanup(() => service.stop());
    return service;
  })
  .extend('openApi', { scope: 'worker' }, async ({ service }): Promise<OpenApiDocument> => {
    const response = await fetch(`${service.address}/openapi.json`);
    return (await response.json()) as OpenApiDocument;
  })
  .extend('check', { scope: 'worker' }, ({ openApi }) => responseCheck(openApi))
  .extend('checkAnswer', { scope: 'worker' }, ({ openApi }) => answerCheck(openApi));

/** A service with the demo charts and a separate database, for one file. */
export const crowdTest = base.extend(
  'crowd',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
  async ({}, { onCleanup }): Promise<CrowdService> => {
    const crowd = await startCrowdService();
    onCleanup(async () => {
      closeConnections();
      await crowd.stop();
    });
    return crowd;
  },
);
