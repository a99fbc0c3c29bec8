import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file that depends on `version`, unless it is up to date. @returns its path */
export async function generatedFile(
  path: string,
  version: string,
  make: () => Promise<Uint8Array>,
): Promise<string> {
  const versionFile = `${path}.version`;
  if (existsSync(path) && existsSync(versionFile) && readFileSync(versionFile, 'utf8') === version)
    return path;
  const bytes = await make();
  mkdirSync(dirname(path), { recursive: true });
  // Another process may write at the same time, so write atomically, the version last.
  for (const [target, contents] of [
    [path, bytes],
    [versionFile, version],
  ] as const) {
    writeFileSync(`${target}.${process.pid}`, contents);
    renameSync(`${target}.${process.pid}`, target);
  }
  return path;
}
