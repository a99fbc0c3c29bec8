// The interface of a deployment step: a check that changes nothing, and an action that creates what the
// check found missing.

import type { Wrangler } from '../admin/run-wrangler.ts';
import { type Environment, type EnvironmentName, readEnvironment } from './environment-file.ts';

export interface Deployment {
  /** Folder of the checkout and of `wrangler.toml`. */
  readonly root: string;
  readonly config: string;
  /** Path of the configuration of the Worker for heavy work. */
  readonly heavyConfig: string;
  readonly name: EnvironmentName;
  /** New domain of the environment; `undefined` to keep the one in the file. */
  readonly domain: string | undefined;
  /** Folder of a chart build to publish if the bucket is empty. */
  readonly charts: string | undefined;
  /** Folder with the private keys. */
  readonly data: string;
  /** Connection URL of the database owner, for migrations. */
  readonly databaseOwnerUrl: string | undefined;
  /** Connection URL of the service's login. */
  readonly databaseUrl: string | undefined;
  readonly wrangler: Wrangler;
}

/** Result of a check: exists, will be created, or must be provided by the operator. */
export type Found =
  | { readonly state: 'there'; readonly what: string }
  | { readonly state: 'to make'; readonly what: string }
  | { readonly state: 'missing'; readonly what: string };

export interface Step {
  readonly name: string;
  look(deployment: Deployment): Promise<Found>;
  /** Create what `look` reported as `to make`. */
  make?(deployment: Deployment): Promise<void>;
}

export const there = (what: string): Found => ({ state: 'there', what });
export const toMake = (what: string): Found => ({ state: 'to make', what });
export const missing = (what: string): Found => ({ state: 'missing', what });

export const environmentOf = ({ config, name }: Deployment): Environment =>
  readEnvironment(config, name);
