// The `leadline` command of the self-hosted edition.

import { endIfOutputFails } from '../../../shared/contract/command-program.ts';
import { runLeadline } from './program.ts';

endIfOutputFails(process);
process.exitCode = await runLeadline(process.argv.slice(2));
