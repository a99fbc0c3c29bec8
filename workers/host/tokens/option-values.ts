// Parses option values: plans, scopes, origins, durations and days.

import { InvalidArgumentError } from 'commander';
import { isScope, PLANS, type Plan, SCOPES, type Scope } from '../../../shared/contract/scopes.ts';
import { MAX_LIFE_SECONDS } from '../../../shared/contract/token-claims.ts';
import { faultOfOrigin, originOfHost } from '../../service/identity/origins.ts';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, y: 366 * 86_400 } as const;

export function planOf(value: string): Plan {
  const plan = PLANS.find((one) => one === value);
  if (plan === undefined) throw new InvalidArgumentError(`Expected one of ${PLANS.join(', ')}.`);
  return plan;
}

export function scopesOf(value: string): Scope[] {
  const scopes = value.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no scope "${unknown}". The scopes are ${SCOPES.join(', ')}.`,
    );
  return scopes.filter(isScope);
}

export function originsOf(value: string): string[] {
  return value.split(',').map((text) => {
    const fault = faultOfOrigin(text.trim());
    if (fault === undefined) return originOfHost(text.trim()) as string;
    throw new InvalidArgumentError(`"${text.trim()}" ${fault}`);
  });
}

export function secondsOf(value: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhdy])$/.exec(value) ?? [];
  if (amount === undefined)
    throw new InvalidArgumentError(
      'Expected a number followed by s, m, h, d or y, for example 30d.',
    );
  return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
}

/** A life in seconds, or `never`. */
export function lifeOf(value: string): number | 'never' {
  if (value === 'never') return value;
  const seconds = secondsOf(value);
  if (seconds === 0 || seconds > MAX_LIFE_SECONDS) {
    throw new InvalidArgumentError('Expected a time of more than 0s and at most 1y, or never.');
  }
  return seconds;
}

export function dayOf(value: string): string {
  // `Date` accepts 2030-02-31 as 3 March.
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
  if (!isDay) throw new InvalidArgumentError('Expected a day, for example 2030-06-01.');
  return value;
}

export function countOf(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected a whole number from 1 to 999999.');
}
