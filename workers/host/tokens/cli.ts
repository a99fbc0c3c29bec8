// `npm run tokens`: accounts, tokens and keys of a service, on this machine or at the edge.

import { runTokens } from './program.ts';

process.exitCode = await runTokens(process.argv.slice(2));
