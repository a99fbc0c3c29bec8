// The part of fontnik's interface that is used here; the package brings no types.

declare module 'fontnik' {
  interface FontFace {
    readonly family_name: string;
    readonly style_name: string;
    /** Code points the face has glyphs for. */
    readonly points: readonly number[];
  }
  type Done<Result> = (error: Error | null, result: Result) => void;
  const fontnik: {
    load(font: Uint8Array, done: Done<FontFace[]>): void;
    range(request: { font: Uint8Array; start: number; end: number }, done: Done<Uint8Array>): void;
  };
  export = fontnik;
}
