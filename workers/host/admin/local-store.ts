// Names and location of the local key-value store, which the service and the commands share.

import { join } from 'node:path';

/** Compatibility date of all local runtimes; `wrangler.toml` has the same. */
export const COMPATIBILITY_DATE = '2026-04-20';

/** The store has the revocation list and copies of saved styles. */
export const KV_BINDING = 'KV';
export const KV_NAMESPACE = 'leadline-kv';
/** Folder of the store in a data folder. */
export const kvFolder = (dataDir: string): string => join(dataDir, 'kv');
