// Reads a producer's catalogue from a web server or a file, or the index page of a folder of zips.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemErrorText } from '../../shared/contract/system-error.ts';
import { download, type RetryOptions } from '../fetch/download.ts';
import { type Catalogue, CatalogueUnreadable } from './catalogue.ts';
import { readNoaaCatalogue } from './noaa-catalogue.ts';
import { readZipIndex } from './zip-index.ts';

export interface ProducerCatalogue extends Catalogue {
  /** Whether every zip contains one cell and is named after it. */
  readonly hasOneZipPerCell: boolean;
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
export async function readCatalogue(
  from: string,
  zips: string | undefined,
  retry: RetryOptions = {},
): Promise<ProducerCatalogue> {
  const isRemote = /^https?:\/\//i.test(from);
  const text = isRemote ? await textAt(from, retry) : await textOfFile(from);
  if (isRemote && /^\s*(<!doctype html|<html)/i.test(text)) {
    if (!new URL(from).pathname.endsWith('/')) {
      throw new CatalogueUnreadable(
        `${from} is an HTML page, not a catalogue. The address of a folder of zips ends with a slash.`,
      );
    }
    return { ...readZipIndex(text, from), hasOneZipPerCell: false, source: from };
  }
  return {
    ...readNoaaCatalogue(text, from, zips?.replace(/\/+$/, '')),
    hasOneZipPerCell: true,
    source: from,
  };
}

async function textAt(url: string, retry: RetryOptions): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'leadline-catalogue-'));
  try {
    const path = join(scratch, 'catalogue');
    const result = await download({ ...retry, url, path, maxBytes: MAX_BYTES });
    if (result.kind === 'missing') throw new Error(`${url} does not exist (404).`);
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
