// When and whence the files of a folder came: a note beside them, which the build passes on.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const PROVENANCE_FILE = 'leadline-source.json';

const provenanceSchema = z.object({
  format: z.literal(1),
  /** When the folder's newest file came, epoch milliseconds. */
  sourcedAt: z.number().int(),
  sourceUrl: z.string(),
});

/** When and whence a folder's files came. */
export type Provenance = z.infer<typeof provenanceSchema>;

/** The provenance of a folder that `fetch` or `sync` filled, or undefined for any other. */
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
