// Types for the part of fontnik that is used here; the package contains none.

declare module 'fontnik' {
  interface FontFace {
    readonly family_name: string;
    readonly style_name: string;
    /** Code points for which the font has glyphs. */
    readonly points: readonly number[];
  }
  type Done<Result> = (error: Error | null, result: Result) => void;
  const fontnik: {
    load(font: Uint8Array, done: Done<FontFace[]>): void;
    range(request: { font: Uint8Array; start: number; end: number }, done: Done<Uint8Array>): void;
  };
  export = fontnik;
}
