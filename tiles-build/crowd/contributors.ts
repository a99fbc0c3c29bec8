// Which platforms count as independent contributors. A platform belongs to an account and a person.
// n contributors are independent if n platforms have different accounts and different persons: a maximum
// matching between accounts and persons. It is decided among the platforms of each bin, so that an
// account which repeats the names of others does not make those others one contributor elsewhere.

export class Contributors {
  /** By number of the platform. */
  readonly accounts: Uint32Array;
  readonly persons: Uint32Array;
  /** Several platforms can be one vessel. */
  readonly vessels: Uint32Array;

  constructor(accounts: Uint32Array, persons: Uint32Array, vessels: Uint32Array) {
    this.accounts = accounts;
    this.persons = persons;
    this.vessels = vessels;
  }

  areIndependent(one: number, other: number): boolean {
    return this.accounts[one] !== this.accounts[other] && this.persons[one] !== this.persons[other];
  }

  /** Number of independent contributors among platforms. */
  count(platforms: Iterable<number>): number {
    return new Set(this.#match(platforms).values()).size;
  }

  /**
   * Divides platforms into as many contributors as are independent. All platforms of an account belong
   * to the same contributor, so an account never has the weight of two.
   * @returns the contributor of each of these platforms
   */
  among(platforms: Iterable<number>): (platform: number) => number {
    const contributors = this.#match(platforms);
    return (platform) => contributors.get(this.accounts[platform]!)!;
  }

  /** Index of the first platform that is independent of an earlier one; -1 if all depend on each other. */
  secondOf(platforms: readonly number[]): number {
    const { accounts, persons } = this;
    const first = platforms[0]!;
    let [isAccount, isPerson] = [true, true];
    // Without independent platforms, all share the account or the person of the first.
    return platforms.findIndex((platform) => {
      isAccount &&= accounts[platform] === accounts[first];
      isPerson &&= persons[platform] === persons[first];
      return !isAccount && !isPerson;
    });
  }

  /** The contributor of each account. An account without a person of its own joins another's. */
  #match(platforms: Iterable<number>): ReadonlyMap<number, number> {
    const personsOf = new Map<number, Set<number>>();
    for (const platform of platforms) {
      const account = this.accounts[platform]!;
      const known = personsOf.get(account);
      if (known !== undefined) known.add(this.persons[platform]!);
      else personsOf.set(account, new Set([this.persons[platform]!]));
    }
    const contributors = new Map<number, number>();
    const holders = new Map<number, number>();
    // An account that names many persons comes last, so that it joins others and not they it.
    const fewestFirst = [...personsOf].sort(([, one], [, other]) => one.size - other.size);
    for (const [account] of fewestFirst)
      if (claimPerson(account, personsOf, holders, new Set())) contributors.set(account, account);
    for (const [account, persons] of personsOf)
      if (!contributors.has(account)) {
        const [person] = persons;
        contributors.set(account, holders.get(person!)!);
      }
    return contributors;
  }
}

/** Kuhn's algorithm: finds a person for an account; other holders may change theirs. */
function claimPerson(
  account: number,
  personsOf: ReadonlyMap<number, ReadonlySet<number>>,
  holders: Map<number, number>,
  asked: Set<number>,
): boolean {
  for (const person of personsOf.get(account)!) {
    if (asked.has(person)) continue;
    asked.add(person);
    const holder = holders.get(person);
    if (holder !== undefined && !claimPerson(holder, personsOf, holders, asked)) continue;
    holders.set(person, account);
    return true;
  }
  return false;
}
