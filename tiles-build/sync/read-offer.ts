// Reads a producer's catalogue from a web server or a file, or the index page of a folder of zips.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import { download, type Patience } from '../fetch/download.ts';
import { type Catalogue, CatalogueUnreadable } from './catalogue.ts';
import { readNoaaCatalogue } from './noaa-catalogue.ts';
import { readZipIndex } from './zip-index.ts';

export interface Offer extends Catalogue {
  /** Whether every zip contains one cell and is named after it. */
  readonly isByCell: boolean;
  /** Address or file of the catalogue, for the manifest's attributions. */
  readonly source: string;
}

/** Maximum catalogue size. NOAA's complete catalogue has 10 MB. */
const MAX_BYTES = 200 * 1024 * 1024;

/**
 * Read the catalogue, without a cache.
 *
 * @throws CatalogueUnreadable if it cannot be read or is invalid
 */
export async function readOffer(
  from: string,
  zips: string | undefined,
  patience: Patience = {},
): Promise<Offer> {
  const isRemote = /^https?:\/\//i.test(from);
  const text = isRemote ? await textAt(from, patience) : await textOfFile(from);
  if (isRemote && /^\s*(<!doctype html|<html)/i.test(text)) {
    if (!new URL(from).pathname.endsWith('/')) {
      throw new CatalogueUnreadable(
        `${from} is an HTML page, not a catalogue. The address of a folder of zips ends with a slash.`,
      );
    }
    return { ...readZipIndex(text, from), isByCell: false, source: from };
  }
  return {
    ...readNoaaCatalogue(text, from, zips?.replace(/\/+$/, '')),
    isByCell: true,
    source: from,
  };
}

async function textAt(url: string, patience: Patience): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'leadline-catalogue-'));
  try {
    const path = join(scratch, 'catalogue');
    const came = await download({ ...patience, url, path, maxBytes: MAX_BYTES });
    if (came.kind === 'missing') throw new Error(`${url} does not exist (404).`);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CatalogueUnreadable((error as Error).message);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function textOfFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new CatalogueUnreadable(
      `${path} cannot be read as a catalogue. ${systemErrorText(error) ?? error.message}`,
    );
  });
}
