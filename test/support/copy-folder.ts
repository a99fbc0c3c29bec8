// Copies folders to change them. The copy is writable even if the original is not.

import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;

/** Copy a folder with all it holds. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, FOLDER_MODE);
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? FOLDER_MODE : FILE_MODE);
  }
}
