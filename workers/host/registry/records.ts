// Reads usage and the audit trail, and deletes data after its retention period.

import { and, asc, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { adminAct, apiToken, tokenUsage } from '../../service/db/schema.ts';
import { opaqueKeys } from './opaque-tokens.ts';
import { type Administrator, DATABASE_NOW_MS, recorded } from './registry.ts';

/** Two years and a month, to compare a month with the same month of earlier years. */
export const USAGE_MONTHS = 25;
const YEAR_MS = 366 * 86_400_000;

interface UsageQuery {
  readonly account?: string | undefined;
  readonly token?: string | undefined;
  /** Days in UTC, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function usageByDay({ registry }: Administrator, query: UsageQuery) {
  const { account, token, from, to } = query;
  const filters: SQL[] = [];
  if (account !== undefined) filters.push(eq(tokenUsage.accountId, account));
  if (token !== undefined) filters.push(eq(tokenUsage.tokenId, token));
  if (from !== undefined) filters.push(gte(tokenUsage.day, from));
  if (to !== undefined) filters.push(lte(tokenUsage.day, to));
  const { day, accountId, tokenId } = tokenUsage;
  const total = (column: AnyPgColumn) => sql<number>`sum(${column})`.mapWith(Number);
  return registry
    .select({
      ...{ day, tokenId, accountId, requests: total(tokenUsage.requests) },
      ...{ refused: total(tokenUsage.refused), failed: total(tokenUsage.failed) },
    })
    .from(tokenUsage)
    .where(and(...filters))
    .groupBy(day, accountId, tokenId)
    .orderBy(asc(tokenUsage.day), asc(tokenUsage.accountId), asc(tokenUsage.tokenId));
}

/** Newest first. */
export function listActs(
  { registry }: Administrator,
  { account, limit }: { readonly account?: string | undefined; readonly limit: number },
) {
  return registry
    .select()
    .from(adminAct)
    .where(account === undefined ? undefined : eq(adminAct.accountId, account))
    .orderBy(desc(adminAct.id))
    .limit(limit);
}

/** Tokens whose retention period has ended. */
const OLD = sql`${apiToken.expiresAt} < ${DATABASE_NOW_MS} - ${YEAR_MS}::bigint`;

/** Keys in the edge store of the opaque tokens that `tidyRegistry` deletes. */
export const oldOpaqueKeys = ({ registry }: Administrator): Promise<string[]> =>
  opaqueKeys(registry, OLD);

/** Delete data after its retention period. @returns the numbers of deleted rows */
export function tidyRegistry(
  administrator: Administrator,
): Promise<{ tokens: number; days: number }> {
  return recorded(administrator, async (tx, writeDown) => {
    const firstDay = sql`(now() AT TIME ZONE 'UTC')::date - ${`${USAGE_MONTHS} months`}::interval`;
    const days = await tx.delete(tokenUsage).where(sql`${tokenUsage.day} < ${firstDay}`);
    // A token that `replaced_by` refers to must not be deleted before the token it replaced.
    await tx.update(apiToken).set({ replacedBy: null }).where(OLD);
    const isNeeded = sql`EXISTS (SELECT 1 FROM api_token AS older WHERE older.replaced_by = ${apiToken.id})`;
    const tokens = await tx.delete(apiToken).where(and(OLD, sql`NOT ${isNeeded}`));
    const deleted = { tokens: tokens.rowCount ?? 0, days: days.rowCount ?? 0 };
    await writeDown({ act: 'tidy', detail: deleted });
    return deleted;
  });
}
