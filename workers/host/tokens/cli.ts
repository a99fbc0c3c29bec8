// `npm run tokens`: accounts, tokens and keys of a service, on this machine or at the edge.

import { endIfOutputFails } from '../../../shared/contract/command-program.ts';
import { runTokens } from './program.ts';

endIfOutputFails(process);
process.exitCode = await runTokens(process.argv.slice(2));
