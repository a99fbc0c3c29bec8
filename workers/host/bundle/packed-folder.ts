import { dirname, join } from 'node:path';

/** Folder of the compressed copies of the assets, beside the folder of the assets. */
export const packedFolder = (assetsDir: string): string => join(dirname(assetsDir), 'packed');
