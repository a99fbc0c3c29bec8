// Results of database functions that create an object. A repeated Idempotency-Key with the same
// body returns the original object.

/** Identifies a request, so that the database recognizes a retry. */
export interface RequestIdentity {
  /** The client's key, if present. */
  readonly key: string | undefined;
  /** Hexadecimal. */
  readonly bodySha256: string;
}

/** The object that the request or its first attempt created, or the reason why not. */
export type Creation<Refusal extends string> =
  | {
      readonly made: {
        readonly id: string;
        /** Epoch milliseconds. */
        readonly createdAt: number;
      };
    }
  /** `other_body`: the key was used before with a different body. */
  | { readonly refused: Refusal | 'other_body' };

/** A row of the database's type `creation`. */
export interface CreationRow<Refusal extends string> {
  readonly outcome: 'done' | 'repeated' | 'other_body' | Refusal;
  readonly objectId: string;
  readonly createdAt: number;
}

export function creationOf<Refusal extends string>(row: CreationRow<Refusal>): Creation<Refusal> {
  const { outcome, objectId: id, createdAt } = row;
  if (outcome === 'done' || outcome === 'repeated') return { made: { id, createdAt } };
  return { refused: outcome };
}
