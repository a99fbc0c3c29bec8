// The time and source of a folder's downloads, stored next to the files and passed on by the build.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const PROVENANCE_FILE = 'leadline-source.json';

const provenanceSchema = z.object({
  format: z.literal(1),
  /** Time of the latest download, epoch milliseconds. */
  sourcedAt: z.number().int(),
  sourceUrl: z.string(),
});

/** Time and source of a folder's downloads. */
export type Provenance = z.infer<typeof provenanceSchema>;

/** The provenance of a folder, or `undefined` if `fetch` or `sync` did not fill it. */
export async function readProvenance(folder: string): Promise<Provenance | undefined> {
  const text = await readFile(join(folder, PROVENANCE_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return provenanceSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export async function writeProvenance(folder: string, provenance: Provenance): Promise<void> {
  await writeFile(join(folder, PROVENANCE_FILE), `${JSON.stringify(provenance, null, 1)}\n`);
}
