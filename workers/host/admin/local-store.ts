// The key-value store as the runtime on this machine keeps it, for the service and for the commands
// that tell it something.

import { join } from 'node:path';

/** Of the Worker and of the commands' own short-lived runtime: `wrangler.toml` says the same. */
export const COMPATIBILITY_DATE = '2026-04-20';

/** The key-value store: the list of stopped tokens, copies of saved styles. */
export const KV_BINDING = 'KV';
export const KV_NAMESPACE = 'leadline-kv';
/** Where the local runtime keeps it, below the data folder. */
export const kvFolder = (dataDir: string): string => join(dataDir, 'kv');
