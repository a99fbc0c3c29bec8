// `assets.json`: paths of the sprites, glyphs and imagery of this build below the root of the static assets.
// The folder names contain a digest of the content, so that the files never change.

import * as z from 'zod';

export const ASSETS_INDEX_NAME = 'assets.json';

/** Sprite path of a theme. Clients append `.json` or `.png`, with `@2x` before it. */
const spriteAddress = z.string().startsWith('/');

export const assetsIndexSchema = z.object({
  format: z.literal(1),
  /** Digest of all inputs of the assets. If it is unchanged, the assets are up to date. */
  inputs: z.string(),
  sprites: z.object({
    hash: z.string(),
    themes: z.object({
      day: spriteAddress,
      dusk: spriteAddress,
      night: spriteAddress,
      'night-bright': spriteAddress,
      yacht: spriteAddress,
    }),
  }),
  fonts: z.object({
    hash: z.string(),
    /** With `{fontstack}` and `{range}`. */
    template: z.string().startsWith('/'),
    /** Existing ranges (such as `0-255`) by font stack. */
    stacks: z.record(z.string(), z.array(z.string())),
  }),
  /** The same fonts as outlines, for clients that draw text with browser fonts. */
  webFonts: z.object({
    hash: z.string(),
    /** Template of the CSS files, with `{font-family}`, `{fontweight}` and `{-fontstyle}`. */
    template: z.string().startsWith('/'),
    /** Paths of the CSS files and of their fonts. */
    files: z.array(z.string().startsWith('/')),
  }),
  /** Built-in imagery for `showSatellite`. Older indexes do not have it. */
  imagery: z
    .object({
      hash: z.string(),
      /** With `{z}`, `{x}` and `{y}`; tiles of 256 pixels. */
      template: z.string().startsWith('/'),
      maxZoom: z.number().int(),
      attribution: z.string(),
    })
    .optional(),
  /** Sprites and glyphs as consecutive zip members in one file, for region files. */
  offline: z.object({
    hash: z.string(),
    file: z.string().startsWith('/'),
    bytes: z.number().int(),
    /** `offset` is that of the local header. */
    members: z.array(
      z.object({ name: z.string(), bytes: z.number(), crc32: z.number(), offset: z.number() }),
    ),
  }),
});

export type AssetsIndex = z.infer<typeof assetsIndexSchema>;
