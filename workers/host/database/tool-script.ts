// How Node runs a TypeScript tool of the project. Tests replace this module, because they run bundled tools.

import { join } from 'node:path';

/** Arguments of Node for a tool. @param script path below the root */
export const toolScript = (root: string, script: string): string[] => [
  ...['--import', 'tsx', join(root, script)],
];
