// A service that is ready once, and then ends with an error at each start.

import {
  isSupervised,
  notifyReady,
  superviseService,
} from '../../../../workers/host/serve/keeper.ts';

if (!isSupervised()) process.exitCode = await superviseService(0);
else {
  if (process.env['LEADLINE_KEPT_PORT'] === '0') notifyReady(1);
  process.exitCode = 1;
}
