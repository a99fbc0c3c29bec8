// Disables Graphile Worker's log; builds log their own messages.

import { Logger } from 'graphile-worker';

export const silent = new Logger(() => () => undefined);
