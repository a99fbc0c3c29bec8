// `npm run tokens -- usage`, `audit`, `revocations` and `tidy`.

import type { Command } from 'commander';
import type { Revocations } from '../../../shared/contract/revocations.ts';
import type { EdgeStore } from '../registry/edge-store.ts';
import { publishOpaqueTokens } from '../registry/opaque-tokens.ts';
import {
  listActs,
  oldOpaqueKeys,
  tidyRegistry,
  USAGE_MONTHS,
  usageByDay,
} from '../registry/records.ts';
import {
  publishedRevocations,
  publishRevocations,
  revocationsOf,
} from '../registry/revocations.ts';
import { countOf, dayOf } from './option-values.ts';
import { minuteOf, printJson, printTable } from './print.ts';
import { type Place, withAdministrator, withEdge, withPlace, withStore } from './workplace.ts';

interface UsageOptions extends Place {
  readonly account?: string;
  readonly token?: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

export function addRecordCommands(program: Command): void {
  withPlace(program.command('usage'))
    .description('requests by day (UTC) and token')
    .option('--account <name>', 'of one account')
    .option('--token <id>', 'of one token')
    .option('--from <day>', 'such as 2030-06-01', dayOf)
    .option('--to <day>', 'the last day', dayOf)
    .option('--json', 'as JSON')
    .action(async ({ json, account, token, from, to, ...place }: UsageOptions) => {
      const rows = await withAdministrator(place, (administrator) =>
        usageByDay(administrator, { account, token, from, to }),
      );
      if (json) return printJson(rows);
      printTable(
        ['day', 'account', 'token', 'requests', 'refused', 'failed'],
        rows.map((row) => [
          ...[row.day, row.accountId, row.tokenId],
          ...[row.requests, row.refused, row.failed],
        ]),
      );
    });

  withPlace(program.command('audit'))
    .description('what administrators did, newest first')
    .option('--account <name>', 'about one account')
    .option('--limit <n>', 'maximum number of entries', countOf, 50)
    .option('--json', 'as JSON')
    .action(async ({ json, account, limit, ...place }) => {
      const acts = await withAdministrator(place, (administrator) =>
        listActs(administrator, { account, limit }),
      );
      if (json) return printJson(acts);
      printTable(
        ['at', 'who', 'what', 'account', 'token', 'detail'],
        acts.map((one) => [
          minuteOf(one.at),
          one.actor,
          one.act,
          one.accountId ?? '',
          one.tokenId ?? '',
          JSON.stringify(one.detail),
        ]),
      );
    });

  const revocations = program
    .command('revocations')
    .description('the revocation list, with which the edge rejects reads');

  withEdge(revocations.command('publish'))
    .description(
      'publish the list and all opaque tokens to the edge; other commands do this automatically',
    )
    .action(async (place: Place) => {
      const { tokens, suspended, generations, opaque } = await withStore(place, (store) =>
        withAdministrator(place, async ({ registry }) => ({
          ...(await publishRevocations(registry, store)),
          opaque: await publishOpaqueTokens(registry, store),
        })),
      );
      console.log(
        `Published: ${tokens.length} tokens, ${suspended.length} suspended accounts, ${Object.keys(generations).length} accounts with ended tokens; ${opaque} opaque tokens.`,
      );
    });

  withEdge(revocations.command('check', { isDefault: true }))
    .description('compare the list at the edge with the database; exit with 1 if they differ')
    .action(async (place: Place) => {
      const [published, known] = await withStore(place, async (store) => [
        await publishedRevocations(store),
        await withAdministrator(place, ({ registry }) => revocationsOf(registry)),
      ]);
      const missing = lackingIn(published, known);
      if (missing.length > 0)
        throw new Error(
          `The edge does not know these changes: ${missing.join(', ')}. Publish them with: npm run tokens -- revocations publish`,
        );
      console.log('The edge knows every token that was stopped.');
    });

  withEdge(program.command('tidy'))
    .description(
      `delete old records: usage after ${USAGE_MONTHS} months, tokens a year after they expired`,
    )
    .action(async (place: Place) => {
      const { tokens, days } = await withAdministrator(place, async (administrator) => {
        const keys = await oldOpaqueKeys(administrator);
        if (keys.length > 0) await withStore(place, (store) => deleteAll(store, keys));
        return tidyRegistry(administrator);
      });
      console.log(`Deleted ${tokens} tokens and ${days} counts.`);
    });
}

async function deleteAll(store: EdgeStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.delete(key);
}

/** Changes that are not in the published list, which may also contain tokens that have expired since. */
function lackingIn(published: Revocations | undefined, known: Revocations): string[] {
  return [
    ...known.tokens.filter(
      (id) => !published?.tokens.includes(id) && published?.ending[id] === undefined,
    ),
    ...Object.keys(known.ending).filter((id) => published?.ending[id] !== known.ending[id]),
    ...known.suspended.filter((id) => !published?.suspended.includes(id)),
    ...(published?.suspended ?? [])
      .filter((id) => !known.suspended.includes(id))
      .map((id) => `${id} was resumed`),
    ...Object.entries(known.generations)
      .filter(([id, generation]) => published?.generations[id] !== generation)
      .map(([id, generation]) => `${id} is at generation ${generation}`),
  ];
}
