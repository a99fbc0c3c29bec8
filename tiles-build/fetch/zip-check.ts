// Checks that a download is a complete zip with the requested cell.

import { readEveryEntry } from '../exchange-set/zip.ts';

/** @throws Error with the reason */
export async function checkCellZip(path: string, cellName: string): Promise<void> {
  const wanted = new RegExp(`(^|/)${cellName}\\.\\d{3}$`, 'i');
  let hasCell = false;
  try {
    await readEveryEntry(path, (name) => {
      hasCell ||= wanted.test(name);
    });
  } catch (error) {
    throw new Error(
      `${cellName}: the download is not a zip, or it is damaged (${(error as Error).message}).`,
    );
  }
  if (!hasCell) throw new Error(`${cellName}: the downloaded zip does not contain this cell.`);
}
