// The plan of a build: what each owner shows where, as one record per owner in a pack, so that no
// stage has to hold all plans in memory. Each plan has a digest: an owner whose plan and data did
// not change is not cut again.

import { deserialize, serialize } from 'node:v8';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import type { Coverage } from '../quilt/coverage.ts';
import { type Ownership, ownerships } from '../quilt/ownership.ts';
import { ownershipDigest } from '../quilt/ownership-digest.ts';
import { threadClipper } from './thread-clipper.ts';

/** The location of an owner's plan, and its digest. */
export interface OwnerPlan {
  readonly pack: string;
  /** 0 for the background; cells count from 1. */
  readonly number: number;
  readonly digest: string;
}

/** Write the plans of the background and of each cell, in the order of `coverages`. */
export async function writeQuiltPlan(coverages: readonly Coverage[], path: string): Promise<void> {
  const writer = createPackWriter(path);
  try {
    const digests: string[] = [];
    for (const ownership of ownerships(coverages, await threadClipper())) {
      const expected = coverages[digests.length - 1]?.name;
      if (digests.length > 0 && ownership.name !== expected) {
        throw new Error(`The quilt has no plan for ${expected}.`);
      }
      writer.add({ tileId: digests.length, bytes: serialize(ownership) });
      digests.push(ownershipDigest(ownership));
    }
    writer.add({ tileId: digests.length, bytes: serialize(digests) });
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}

/** Read a pack that `writeQuiltPlan` wrote; the background's plan is the first. */
export function readQuiltPlan(path: string): readonly OwnerPlan[] {
  const pack = openPack(path);
  const [digests] = readPack(pack, pack.lastId);
  return (deserialize(digests!.bytes) as readonly string[]).map((digest, number) => ({
    pack: path,
    number,
    digest,
  }));
}

export function readOwnership({ pack, number }: OwnerPlan): Ownership {
  const [record] = readPack(openPack(pack), number, number + 1);
  return deserialize(record!.bytes) as Ownership;
}
