import { dirname, join } from 'node:path';

/** Folder of the compressed assets, next to the folder of the assets. */
export const packedFolder = (assetsDir: string): string => join(dirname(assetsDir), 'packed');
