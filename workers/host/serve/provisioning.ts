// Styles in files, which the service saves when it starts: `provisioning/styles/*.json`, as the style editor
// downloads them.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { INEXACT_NUMBER, preservesNumbersOf } from '../../../shared/contract/exact-numbers.ts';
import { sentenceOf } from '../../../shared/contract/faults.ts';
import {
  MAX_SAVED_STYLES,
  readSavedStyle,
  type SavedStyleInput,
} from '../../../shared/contract/saved-style.ts';
import { withClient } from '../database/local-database.ts';

const SUFFIX = '.json';
const REMEDY = 'Correct the file, or remove it from the folder.';

/**
 * Reads the styles of a folder. A style without a name has the name of its file. No folder: no styles.
 * @throws Error that names the file that is not a style
 */
export function readProvisionedStyles(folder: string): SavedStyleInput[] {
  const styles = join(folder, 'styles');
  if (!existsSync(styles)) return [];
  const files = readdirSync(styles).filter((name) => name.endsWith(SUFFIX));
  if (files.length > MAX_SAVED_STYLES) {
    throw new Error(
      `${styles} contains more than ${MAX_SAVED_STYLES} styles. Remove some of them.`,
    );
  }
  const fileByName = new Map<string, string>();
  return files.sort().map((name) => {
    const file = join(styles, name);
    const style = readStyleFile(file);
    const other = fileByName.get(style.name);
    if (other !== undefined) {
      throw new Error(
        `${file} has the same name as ${other}: "${style.name}". Rename one of them.`,
      );
    }
    fileByName.set(style.name, file);
    return style;
  });
}

function readStyleFile(file: string): SavedStyleInput {
  const text = readFileSync(file, 'utf8');
  const read = readSavedStyle({ name: basename(file, SUFFIX), ...objectOf(text, file) });
  if ('faults' in read) throw new Error(`${file}: ${sentenceOf(read.faults)} ${REMEDY}`);
  if (preservesNumbersOf('parameters', text)) return read.style;
  throw new Error(`${file}: parameters ${INEXACT_NUMBER}. ${REMEDY}`);
}

function objectOf(text: string, file: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The message is the same as for JSON of another kind.
  }
  throw new Error(`${file} is not a JSON object. ${REMEDY}`);
}

/** Creates the styles of an account, and changes those that differ from their files. */
export async function saveProvisionedStyles(
  databaseUrl: string,
  account: string,
  styles: readonly SavedStyleInput[],
): Promise<void> {
  if (styles.length === 0) return;
  await withClient(databaseUrl, async (client) => {
    const now = Date.now();
    for (const { name, baseTheme, parameters } of styles) {
      await client.query(
        `INSERT INTO saved_style (id, account_id, name, base_theme, parameters, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (account_id, name) DO UPDATE SET base_theme = excluded.base_theme,
           parameters = excluded.parameters,
           updated_at = greatest(excluded.updated_at, saved_style.updated_at + 1)
         WHERE (saved_style.base_theme, saved_style.parameters)
           IS DISTINCT FROM (excluded.base_theme, excluded.parameters)`,
        [randomUUID(), account, name, baseTheme, JSON.stringify(parameters), now],
      );
    }
  });
}
