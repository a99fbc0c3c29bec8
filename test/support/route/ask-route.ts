// A request for a route, and what tests read of the answer.

import { expect } from 'vitest';
import type { Service } from '../service.ts';

/** Positions have the latitude first; metres. */
export interface Answer {
  readonly success: boolean;
  readonly messages: readonly string[];
  readonly route: readonly (readonly [latitude: number, longitude: number])[];
  readonly distance: number;
  readonly failures?: readonly { readonly code: string }[];
}

export async function askRoute(service: Service, token: string, body: object): Promise<Answer> {
  const response = await fetch(`${service.address}/api/v1/routing/route?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}
