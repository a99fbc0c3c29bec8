// The steps of a deployment, in their order.

import { account, bucket, domain, namespace } from './account-steps.ts';
import { assets, bundle, charts, database, keys } from './service-steps.ts';
import type { Step } from './step.ts';

/** In their order; a deployment follows. */
export const STEPS: readonly Step[] = [
  account,
  domain,
  bucket,
  namespace,
  keys,
  database,
  assets,
  bundle,
  charts,
];
