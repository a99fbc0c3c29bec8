// The `leadline` command of the self-hosted edition.

import { runLeadline } from './program.ts';

process.exitCode = await runLeadline(process.argv.slice(2));
