// What a step of a deployment is: it can be looked at as often as one likes, says what is there and what
// is missing, and makes what is missing.

import type { Wrangler } from '../admin/run-wrangler.ts';
import { type Environment, type EnvironmentName, readEnvironment } from './environment-file.ts';

export interface Deployment {
  /** The checkout; `wrangler.toml` lies in it. */
  readonly root: string;
  readonly config: string;
  /** Of the Worker for heavy work. */
  readonly heavyConfig: string;
  readonly name: EnvironmentName;
  /** Sets the environment's domain. */
  readonly domain: string | undefined;
  /** A build of charts to publish where the bucket has none. */
  readonly charts: string | undefined;
  /** Folder with the private keys. */
  readonly data: string;
  /** The owner's login of the database; without it there is none. */
  readonly databaseOwnerUrl: string | undefined;
  /** The service's own login. */
  readonly databaseUrl: string | undefined;
  readonly wrangler: Wrangler;
}

/** What a look found: there, to be made by us, or missing and only the operator's to give. */
export type Found =
  | { readonly state: 'there'; readonly what: string }
  | { readonly state: 'to make'; readonly what: string }
  | { readonly state: 'missing'; readonly what: string };

export interface Step {
  readonly name: string;
  look(deployment: Deployment): Promise<Found>;
  /** Make what `look` said is to be made. */
  make?(deployment: Deployment): Promise<void>;
}

export const there = (what: string): Found => ({ state: 'there', what });
export const toMake = (what: string): Found => ({ state: 'to make', what });
export const missing = (what: string): Found => ({ state: 'missing', what });

export const environmentOf = ({ config, name }: Deployment): Environment =>
  readEnvironment(config, name);
