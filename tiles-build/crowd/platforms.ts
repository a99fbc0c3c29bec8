// Who sent a track: the vessel, the account and the person. Each vessel has its own bias. Contributors
// are independent only if both account and person differ, because anybody can invent names of vessels,
// and of persons within an account.

export interface Sender {
  readonly account: string;
  readonly subject: string;
  /** Empty if unknown, like the next. */
  readonly externalUser: string;
  readonly platform: string;
}

type Key = readonly [account: string, subject: string, externalUser: string, platform: string];

/** Numbers of platforms and of contributors. A state never reuses the number of a platform. */
export class Platforms {
  readonly keys: string[];
  readonly #numbers: Map<string, number>;

  /** @param keys of known platforms, in the order of their numbers */
  constructor(keys: readonly string[]) {
    this.keys = [...keys];
    this.#numbers = new Map(keys.map((key, i) => [key, i]));
  }

  /** The number of the platform of a track. */
  numberOf({ account, subject, externalUser, platform }: Sender): number {
    const key = JSON.stringify([account, subject, externalUser, platform] satisfies Key);
    const known = this.#numbers.get(key) ?? this.keys.push(key) - 1;
    this.#numbers.set(key, known);
    return known;
  }

  /**
   * The contributor of each platform. Platforms that share an account or a person, directly or through
   * others, have the same contributor.
   * @param trusted accounts whose operators vouch that their external users are different persons
   */
  contributors(trusted: ReadonlySet<string>): Uint32Array {
    const parents = new Map<string, string>();
    const rootOf = (name: string): string => {
      let root = name;
      for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root))
        root = up;
      return root;
    };
    const owners = this.keys.map((key) => {
      const [account, subject, user] = JSON.parse(key) as Key;
      const owner =
        trusted.has(account) && user !== '' ? `account ${account} ${user}` : `account ${account}`;
      const person = user === '' ? `subject ${account} ${subject}` : `person ${user}`;
      const root = rootOf(owner);
      parents.set(root, root);
      parents.set(rootOf(person), root);
      return owner;
    });
    const numbers = new Map<string, number>();
    return Uint32Array.from(owners, (owner) => {
      const root = rootOf(owner);
      const number = numbers.get(root) ?? numbers.size;
      numbers.set(root, number);
      return number;
    });
  }
}
