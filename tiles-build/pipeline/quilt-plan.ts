// The plan of a build: what each owner shows where, as one record per owner in a pack, so that no
// stage has to hold all plans in memory. Each plan has a digest: an owner whose plan and data did
// not change is not cut again.

import { deserialize, serialize } from 'node:v8';
import { createPackWriter, openPack, readPack } from '../archive/pack.ts';
import type { Coverage } from '../quilt/coverage.ts';
import { type Ownership, ownerships, withReferences } from '../quilt/ownership.ts';
import { ownershipDigest } from '../quilt/ownership-digest.ts';
import { type References, ReferenceZooms } from '../quilt/reference-zooms.ts';
import { digestOf } from './build-cache.ts';
import { threadClipper } from './thread-clipper.ts';

/** The location of an owner's plan, and its digest. */
export interface OwnerPlan {
  readonly pack: string;
  /** 0 for the background; cells count from 1. */
  readonly number: number;
  readonly digest: string;
  /** References of a cell's faces: known only after the plans of all cells are written. */
  readonly references?: References;
}

/** The last record of the pack, in the order of the plans. */
type PlanIndex = readonly Pick<OwnerPlan, 'digest' | 'references'>[];

/** Write the plans of the background and of each cell, in the order of `coverages`. */
export async function writeQuiltPlan(coverages: readonly Coverage[], path: string): Promise<void> {
  const writer = createPackWriter(path);
  try {
    const written: { name: string; digest: string }[] = [];
    const references = new ReferenceZooms();
    for (const ownership of ownerships(coverages, await threadClipper(), references)) {
      const expected = coverages[written.length - 1]?.name;
      if (written.length > 0 && ownership.name !== expected) {
        throw new Error(`The quilt has no plan for ${expected}.`);
      }
      writer.add({ tileId: written.length, bytes: serialize(ownership) });
      written.push({ name: ownership.name, digest: ownershipDigest(ownership) });
    }
    const zooms = references.finish();
    const index: PlanIndex = written.map(({ name, digest }) => {
      const found = zooms.get(name);
      if (found === undefined) return { digest };
      return { digest: digestOf(digest, JSON.stringify(found)), references: found };
    });
    writer.add({ tileId: written.length, bytes: serialize(index) });
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}

/** Read a pack that `writeQuiltPlan` wrote; the background's plan is the first. */
export function readQuiltPlan(path: string): readonly OwnerPlan[] {
  const pack = openPack(path);
  const [index] = readPack(pack, pack.lastId);
  return (deserialize(index!.bytes) as PlanIndex).map((plan, number) => ({
    pack: path,
    number,
    ...plan,
  }));
}

export function readOwnership({ pack, number, references }: OwnerPlan): Ownership {
  const [record] = readPack(openPack(pack), number, number + 1);
  return withReferences(deserialize(record!.bytes) as Ownership, references);
}
