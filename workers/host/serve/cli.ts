// `leadline …`: the self-hosted edition at a terminal.

import { runLeadline } from './program.ts';

process.exitCode = await runLeadline(process.argv.slice(2));
