// The steps of a deployment.

import { account, bucket, domain, namespace } from './account-steps.ts';
import { assets, bundle, charts, database, keys } from './service-steps.ts';
import type { Step } from './step.ts';

/** In order; the Workers are deployed afterwards. */
export const STEPS: readonly Step[] = [
  account,
  domain,
  bucket,
  namespace,
  keys,
  assets,
  bundle,
  charts,
  // Last: until the new version is deployed, the former one runs with the new tables.
  database,
];
