// `npm run tokens`: accounts, tokens and keys of a service, on this machine or at the edge.

import { endIfOutputCloses } from '../admin/closed-output.ts';
import { runTokens } from './program.ts';

endIfOutputCloses();
process.exitCode = await runTokens(process.argv.slice(2));
