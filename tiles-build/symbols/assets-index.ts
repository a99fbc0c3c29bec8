// What `assets.json` says: where the sprites and glyphs of this build are, as paths from the root
// of the static assets. Their folders carry the digest of their content, so they never change.

import type { Theme } from '../../shared/style/options.ts';
import type { FontStack } from './glyph-ranges.ts';

export const ASSETS_INDEX_NAME = 'assets.json';

export interface AssetsIndex {
  readonly format: 1;
  /** Digest of everything the assets are made from; equal means nothing to do. */
  readonly inputs: string;
  readonly sprites: {
    readonly hash: string;
    /** Sprite address of each theme, to which clients add `.json`, `.png` and `@2x` before them. */
    readonly themes: Readonly<Record<Theme, string>>;
  };
  readonly fonts: {
    readonly hash: string;
    /** With `{fontstack}` and `{range}`. */
    readonly template: string;
    /** Ranges that exist (`0-255`); any other range of a stack has no glyphs. */
    readonly stacks: Readonly<Record<FontStack, readonly string[]>>;
  };
}
