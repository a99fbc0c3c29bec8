// Who sent a track: the vessel, the account and the person. A platform is a vessel whose depths have one zero,
// so it has one bias. Contributors are independent only if both account and person differ (`contributors.ts`), because anybody can invent
// names of vessels, and of persons within an account.

import { Contributors } from './contributors.ts';

export interface Sender {
  readonly account: string;
  readonly subject: string;
  /** Empty if unknown, like the next. */
  readonly externalUser: string;
  readonly platform: string;
  /** Depths of a vessel with another zero have another bias. */
  readonly zero: string;
}

/** Earlier states have no zero. */
type Key = readonly [
  account: string,
  subject: string,
  externalUser: string,
  platform: string,
  zero?: string,
];

/** Numbers of platforms. A state never reuses the number of a platform. The key of a removed one is empty. */
export class Platforms {
  readonly keys: string[];
  readonly #numbers: Map<string, number>;

  /** @param keys of known platforms, in the order of their numbers */
  constructor(keys: readonly string[]) {
    this.keys = [...keys];
    this.#numbers = new Map(keys.map((key, i) => [key, i]));
  }

  /** The number of the platform of a track. */
  numberOf({ account, subject, externalUser, platform, zero }: Sender): number {
    const key = JSON.stringify([account, subject, externalUser, platform, zero] satisfies Key);
    const known = this.#numbers.get(key) ?? this.keys.push(key) - 1;
    this.#numbers.set(key, known);
    return known;
  }

  /** Removes the keys of other platforms, which name persons. */
  keepOnly(numbers: ReadonlySet<number>): void {
    for (const [i, key] of this.keys.entries()) {
      if (numbers.has(i)) continue;
      this.keys[i] = '';
      this.#numbers.delete(key);
    }
  }

  /**
   * The account, the person and the vessel of each platform.
   * @param trusted accounts whose operators vouch that their external users are different persons:
   * each of these users counts as an account
   */
  contributors(trusted: ReadonlySet<string>): Contributors {
    const numbers = new Map<string, number>();
    const numberOf = (name: string): number => {
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      return number;
    };
    const accounts = new Uint32Array(this.keys.length);
    const persons = new Uint32Array(this.keys.length);
    const vessels = new Uint32Array(this.keys.length);
    for (const [i, key] of this.keys.entries()) {
      if (key === '') continue;
      const [account, subject, user, platform] = JSON.parse(key) as Key;
      const isTrusted = trusted.has(account) && user !== '';
      accounts[i] = numberOf(`account ${JSON.stringify(isTrusted ? [account, user] : [account])}`);
      persons[i] = numberOf(`person ${JSON.stringify(user === '' ? [account, subject] : [user])}`);
      vessels[i] = numberOf(`vessel ${JSON.stringify([account, subject, user, platform])}`);
    }
    return new Contributors(accounts, persons, vessels);
  }
}
