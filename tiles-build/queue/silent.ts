// Graphile Worker tells its every step; builds have words of their own.

import { Logger } from 'graphile-worker';

export const silent = new Logger(() => () => undefined);
