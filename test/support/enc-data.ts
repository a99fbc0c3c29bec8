// Where the real cells are, and what of them is there. Nothing of them is part of the project.

import { join } from 'node:path';
import { ENC_DATA } from './machine.ts';

export { ENC_DATA, hasEncData } from './machine.ts';

/** A path below the development data. */
export const encData = (...parts: string[]): string => join(ENC_DATA, ...parts);
