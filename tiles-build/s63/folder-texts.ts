// Finds the text that a path belongs to, in the time that its length needs: a zip may have a text in each of
// 100,000 folders.

/** A text with the prefix of the files that it is about: a folder with its separator, or an empty prefix. */
export interface Text<Content> {
  readonly prefix: string;
  readonly content: Content;
}

export interface FolderTexts<Content> {
  /** The text of the longest prefix of a path. */
  above(path: string): Content | undefined;
  /** The text in a folder or deepest below it; without one, the text above it. */
  near(folder: string): Content | undefined;
}

interface Folder<Content> {
  own?: Content;
  deepest?: Content;
  readonly below: Map<string, Folder<Content>>;
}

/** The parts of a path, each with its separator. The last part may end without a separator. */
const partsOf = (path: string): readonly string[] => path.match(/[^\\/:]*[\\/:]|[^\\/:]+$/g) ?? [];

/** @param texts the longest prefix first. Of texts with the same prefix, the first is used. */
export function folderTexts<Content>(texts: readonly Text<Content>[]): FolderTexts<Content> {
  const root: Folder<Content> = { below: new Map() };
  for (const { prefix, content } of texts) {
    let folder = root;
    folder.deepest ??= content;
    for (const part of partsOf(prefix)) {
      const next: Folder<Content> = folder.below.get(part) ?? { below: new Map() };
      folder.below.set(part, next);
      folder = next;
      folder.deepest ??= content;
    }
    folder.own ??= content;
  }
  const find = (path: string) => {
    let [folder, above]: [Folder<Content> | undefined, Content | undefined] = [root, root.own];
    for (const part of partsOf(path)) {
      folder = folder.below.get(part);
      if (folder === undefined) break;
      above = folder.own ?? above;
    }
    return { deepest: folder?.deepest, above };
  };
  return {
    above: (path) => find(path).above,
    near(path) {
      const { deepest, above } = find(path);
      return deepest ?? above;
    },
  };
}
