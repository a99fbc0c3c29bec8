// Words of the command line, read: plans, scopes, origins, times and days.

import { InvalidArgumentError } from 'commander';
import { isScope, PLANS, type Plan, type Scope } from '../../../shared/contract/scopes.ts';
import { MAX_LIFE_SECONDS } from '../../../shared/contract/token-claims.ts';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, y: 366 * 86_400 } as const;

export function planOf(value: string): Plan {
  const plan = PLANS.find((one) => one === value);
  if (plan === undefined) throw new InvalidArgumentError(`It is one of ${PLANS.join(', ')}.`);
  return plan;
}

export function scopesOf(value: string): Scope[] {
  const scopes = value.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no scope "${unknown}".`);
  return scopes.filter(isScope);
}

export function originsOf(value: string): string[] {
  return value.split(',').map((text) => {
    try {
      const { origin } = new URL(text.trim());
      if (origin !== 'null') return origin;
    } catch {
      // Said below.
    }
    throw new InvalidArgumentError(`"${text}" is no origin, such as https://example.org.`);
  });
}

export function secondsOf(value: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhdy])$/.exec(value) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It is a number and one of s m h d y.');
  return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
}

/** A life in seconds, or `never`. */
export function lifeOf(value: string): number | 'never' {
  if (value === 'never') return value;
  const seconds = secondsOf(value);
  if (seconds === 0 || seconds > MAX_LIFE_SECONDS) {
    throw new InvalidArgumentError('A token lives for more than nothing and at most 1y.');
  }
  return seconds;
}

export function dayOf(value: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isDay) throw new InvalidArgumentError('It is a day, such as 2030-06-01.');
  return value;
}
