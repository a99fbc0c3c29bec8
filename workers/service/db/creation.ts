// Requests that create something, as functions of the database answer them: an Idempotency-Key that
// comes again, with the same body, has what it made before.

/** How a request is known again. */
export interface Keyed {
  /** The client's key; undefined where it gave none. */
  readonly key: string | undefined;
  /** Hexadecimal. */
  readonly bodySha256: string;
}

/** What a request to create something made, now or when it came first; or why it made nothing. */
export type Creation<Refusal extends string> =
  | {
      readonly made: {
        readonly id: string;
        /** Epoch milliseconds. */
        readonly createdAt: number;
      };
    }
  | { readonly refused: Refusal | 'other_body' };

/** A row of the database's type `creation`. */
export interface CreationRow<Refusal extends string> {
  readonly outcome: 'done' | 'repeated' | 'other_body' | Refusal;
  readonly object_id: string;
  /** A bigint, so as text. */
  readonly created_at: string;
}

export function creationOf<Refusal extends string>({
  outcome,
  object_id: id,
  created_at: at,
}: CreationRow<Refusal>): Creation<Refusal> {
  if (outcome === 'done' || outcome === 'repeated') return { made: { id, createdAt: Number(at) } };
  return { refused: outcome };
}
