// The `leadline` command of the self-hosted edition.

import { endIfOutputCloses } from '../admin/closed-output.ts';
import { runLeadline } from './program.ts';

endIfOutputCloses();
process.exitCode = await runLeadline(process.argv.slice(2));
