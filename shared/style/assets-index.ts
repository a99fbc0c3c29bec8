// What `assets.json` says: where the sprites and glyphs of this build are, as paths from the root
// of the static assets. Their folders carry the digest of their content, so they never change.

import * as z from 'zod';

export const ASSETS_INDEX_NAME = 'assets.json';

/** Sprite address of a theme, to which clients add `.json`, `.png` and `@2x` before them. */
const spriteAddress = z.string().startsWith('/');

export const assetsIndexSchema = z.object({
  format: z.literal(1),
  /** Digest of everything the assets are made from; equal means nothing to do. */
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
    /** Ranges that exist (`0-255`) by font stack; any other range has no glyphs. */
    stacks: z.record(z.string(), z.array(z.string())),
  }),
  /** The same fonts as outlines, for clients that write with the browser's own letters. */
  webFonts: z.object({
    hash: z.string(),
    /** Of CSS files, with `{font-family}`, `{fontweight}` and `{-fontstyle}`. */
    template: z.string().startsWith('/'),
    /** Addresses of the CSS files and of the fonts they name. */
    files: z.array(z.string().startsWith('/')),
  }),
  /** A picture of the world below the chart, for `showSatellite`; indexes from before had none. */
  imagery: z
    .object({
      hash: z.string(),
      /** With `{z}`, `{x}` and `{y}`, of tiles of 256 pixels. */
      template: z.string().startsWith('/'),
      maxZoom: z.number().int(),
      attribution: z.string(),
    })
    .optional(),
  /** Sprites and glyphs in one file, as regions hold them: files of a zip, one behind the other. */
  offline: z.object({
    hash: z.string(),
    file: z.string().startsWith('/'),
    bytes: z.number().int(),
    /** Offsets of local headers in it. */
    members: z.array(
      z.object({ name: z.string(), bytes: z.number(), crc32: z.number(), offset: z.number() }),
    ),
  }),
});

export type AssetsIndex = z.infer<typeof assetsIndexSchema>;
