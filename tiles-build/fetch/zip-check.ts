// Checks that a download is a complete zip with the requested cell.

import yauzl from 'yauzl';

/** @throws Error with the reason */
export function checkCellZip(path: string, cellName: string): Promise<void> {
  const wanted = new RegExp(`(^|/)${cellName}\\.\\d{3}$`, 'i');
  return new Promise((done, fail) => {
    yauzl.open(path, { lazyEntries: true }, (error, zip) => {
      if (error) {
        fail(new Error(`${cellName}: the download is not a zip (${error.message}).`));
        return;
      }
      zip.on('entry', (entry: yauzl.Entry) => {
        if (wanted.test(entry.fileName)) {
          zip.close();
          done();
        } else zip.readEntry();
      });
      zip.on('end', () =>
        fail(new Error(`${cellName}: the downloaded zip does not contain this cell.`)),
      );
      zip.on('error', (broken: Error) =>
        fail(new Error(`${cellName}: the zip is damaged (${broken.message}).`)),
      );
      zip.readEntry();
    });
  });
}
