// The plan of a build: what each owner of ground shows where, each with a digest, so that an owner
// whose plan and data did not change need not be cut again.

import type { Coverage } from '../quilt/coverage.ts';
import { BACKGROUND, computeOwnership, type Ownership } from '../quilt/ownership.ts';
import { digestOf } from './build-cache.ts';
import { threadClipper } from './thread-clipper.ts';

export interface OwnerPlan {
  readonly ownership: Ownership;
  readonly digest: string;
}

/** Plans for the background and then each cell, in the order given. */
export async function planQuilt(coverages: readonly Coverage[]): Promise<readonly OwnerPlan[]> {
  const owners = computeOwnership(coverages, await threadClipper());
  return [BACKGROUND, ...coverages.map(({ name }) => name)].map((name) => {
    const ownership = owners.get(name);
    if (ownership === undefined) throw new Error(`The quilt has no place for ${name}.`);
    return { ownership, digest: digestOf(JSON.stringify(ownership)) };
  });
}
