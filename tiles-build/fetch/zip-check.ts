// Whether a downloaded file is a whole zip with the cell in it that was asked for.

import yauzl from 'yauzl';

/** @throws Error saying what the zip lacks */
export function checkCellZip(path: string, cellName: string): Promise<void> {
  const wanted = new RegExp(`(^|/)${cellName}\\.\\d{3}$`, 'i');
  return new Promise((done, fail) => {
    yauzl.open(path, { lazyEntries: true }, (error, zip) => {
      if (error) {
        fail(new Error(`${cellName}: what came is not a zip (${error.message}).`));
        return;
      }
      zip.on('entry', (entry: yauzl.Entry) => {
        if (wanted.test(entry.fileName)) {
          zip.close();
          done();
        } else zip.readEntry();
      });
      zip.on('end', () => fail(new Error(`${cellName}: the zip that came does not hold it.`)));
      zip.on('error', (broken: Error) =>
        fail(new Error(`${cellName}: the zip is broken (${broken.message}).`)),
      );
      zip.readEntry();
    });
  });
}
