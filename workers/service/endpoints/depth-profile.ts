// POST /api/v1/depth-profile

import {
  depthProfileAnswerSchema,
  depthProfileSchema,
  type ProfileRequest,
  presentDepthProfile,
  readDepthProfile,
} from '../../../shared/contract/depth-profile.ts';
import { manifestFor } from '../charts/catalog.ts';
import { profileAlong } from '../charts/profile-store.ts';
import { type AppContext, type Endpoint, jsonAnswer } from '../http/endpoint.ts';
import { readJsonObject } from '../http/read-json.ts';
import { ApiError, invalidInput } from '../runtime/errors.ts';

const MAX_BODY_BYTES = 65_536;

export const depthProfile: Endpoint = {
  method: 'post',
  path: '/api/v1/depth-profile',
  id: 'getDepthProfile',
  summary: 'Returns the charted depths along a line. Not for navigation.',
  description:
    'Each sample states the depth range of the most detailed chart at its position, and the depth contours since the previous sample. Depths are charted depths, without tide. Rocks, wrecks and other dangers near a sample are not included: use `enc_query` for them.',
  tag: 'Features',
  access: { kind: 'token', scope: 'query' },
  body: {
    schema: depthProfileSchema,
    description:
      'A line, and either the number of samples or their interval (100 samples if absent)',
    example: {
      geometry: {
        type: 'LineString',
        coordinates: [
          [-20.012, -30.005],
          [-19.96, -30.02],
        ],
      },
      numSamples: 20,
    },
  },
  answers: {
    200: jsonAnswer('Samples from the start to the end of the line', depthProfileAnswerSchema),
    400: {
      description:
        'A field is missing or invalid; `errors` lists it. `profile_too_large`: the line crosses too much chart data',
      error: 'bad_query',
    },
  },
  handle: async (c) => {
    const request = await readRequest(c);
    const cost = c.get('cost');
    const manifest = await manifestFor(c.env, c.get('caller')?.chartSet, Date.now(), cost);
    const profile = await profileAlong(c.env, manifest, request, cost);
    if (profile === undefined) throw new ApiError('profile_too_large');
    const scales = new Map(manifest.cells.map((cell) => [cell.name, cell.scaleDenominator]));
    const { grounds, crossings } = profile;
    return c.json(
      presentDepthProfile(request, grounds, crossings, (name) => scales.get(name)),
      200,
      {
        'cache-control': 'no-store',
      },
    );
  },
};

/** @throws ApiError 400 with every invalid field */
async function readRequest(c: AppContext): Promise<ProfileRequest> {
  const read = readDepthProfile(await readJsonObject(c, MAX_BODY_BYTES));
  if ('request' in read) return read.request;
  throw invalidInput('bad_query', read.faults);
}
