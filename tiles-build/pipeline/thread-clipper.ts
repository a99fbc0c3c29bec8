// The polygon engine of this thread, loaded once.

import { type Clipper, loadClipper } from '../quilt/clipper.ts';

let clipperCache: Promise<Clipper> | undefined;

export function threadClipper(): Promise<Clipper> {
  clipperCache ??= loadClipper();
  return clipperCache;
}
