// Writes the type declarations of the package. The types of `wire.ts` and `portal-wire.ts` are written out in
// full, with the comments of their schemas, because the package contains neither the schemas nor zod.

import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';

const FOLDER = resolve(import.meta.dirname, '..');
/** The folder of the TypeScript project that the client belongs to. */
const WEB = resolve(FOLDER, '..');
const WIRE = ['wire.ts', 'portal-wire.ts'].map((name) => resolve(FOLDER, name));

/**
 * Maps file names to the texts of declarations.
 *
 * @throws Error if an entry has no declarations, or if they need something outside the package
 */
export function writeTypes(entries: readonly string[]): ReadonlyMap<string, string> {
  const config = ts.readConfigFile(resolve(WEB, 'tsconfig.json'), ts.sys.readFile);
  if (config.error !== undefined) throw new Error(String(config.error.messageText));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, WEB);
  const { tsBuildInfoFile: _, ...own } = options;
  const program = ts.createProgram(
    entries.map((entry) => resolve(FOLDER, entry)),
    {
      ...own,
      composite: false,
      incremental: false,
    },
  );
  const files = new Map<string, string>();
  for (const source of program.getSourceFiles()) {
    const path = relative(FOLDER, source.fileName);
    if (path.startsWith('..') || /\bnode_modules\b/.test(path)) continue;
    const name = path.replace(/\.ts$/, '.d.ts');
    if (WIRE.includes(source.fileName)) {
      files.set(name, wireTypes(program.getTypeChecker(), source));
      continue;
    }
    program.emit(
      source,
      (_, text) => files.set(name, text.replace(/(\bfrom '\.{1,2}\/[\w/-]+)\.ts'/g, "$1.js'")),
      undefined,
      true,
    );
  }
  for (const entry of entries) {
    if (!files.has(entry.replace(/\.ts$/, '.d.ts')))
      throw new Error(`No declarations for ${entry}.`);
  }
  for (const [name, text] of files) {
    const named = [...text.matchAll(/\b(?:from |import\()['"]([^'"]+)['"]/g)].map(([, to]) => to!);
    const outside = named.filter((to) => !isInPackage(name, to) && to !== PEER);
    if (outside.length > 0)
      throw new Error(`${name} imports ${outside[0]}, which is not part of the package.`);
  }
  return files;
}

/** The peer dependency. */
const PEER = 'maplibre-gl';

const isInPackage = (file: string, to: string): boolean =>
  to.startsWith('.') && !relative(FOLDER, resolve(FOLDER, dirname(file), to)).startsWith('..');

const FLAGS =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

function wireTypes(checker: ts.TypeChecker, source: ts.SourceFile): string {
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
  return `${aliases
    .map((alias) => {
      const comment = commentOf(checker.getSymbolAtLocation(alias.name), checker, '');
      const type = checker.getTypeAtLocation(alias.name);
      return `${comment}export type ${alias.name.text} = ${typeText(checker, type, source, '')};`;
    })
    .join('\n\n')}\n`;
}

/** Prints a type property by property, to keep the comments of properties. */
function typeText(checker: ts.TypeChecker, type: ts.Type, at: ts.Node, indent: string): string {
  const inner = (one: ts.Type, deeper = indent) => typeText(checker, one, at, deeper);
  if (checker.isTupleType(type)) {
    const { elementFlags } = (type as ts.TypeReference).target as ts.TupleType;
    const parts = checker.getTypeArguments(type as ts.TypeReference).map((one, i) => {
      const isRest = (elementFlags[i]! & ts.ElementFlags.Variable) !== 0;
      return isRest ? `...(${inner(one)})[]` : inner(one);
    });
    return `${isReadonly(checker, type) ? 'readonly ' : ''}[${parts.join(', ')}]`;
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    const text = inner(element!);
    const bracketed = element!.isUnion() ? `(${text})` : text;
    return `${isReadonly(checker, type) ? 'readonly ' : ''}${bracketed}[]`;
  }
  if (type.isUnion() && (type.flags & ts.TypeFlags.Boolean) === 0) {
    const isFlag = type.types.filter(isBooleanLiteral).length === 2;
    const named = type.types.filter((one) => !isAbsent(one) && !(isFlag && isBooleanLiteral(one)));
    const texts = named.map((one) => inner(one));
    const absent = type.types.filter(isAbsent).map((one) => checker.typeToString(one));
    return [...texts, ...(isFlag ? ['boolean'] : []), ...absent].join(' | ');
  }
  const isPlain = (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection();
  if (!isPlain || type.getCallSignatures().length > 0) return checker.typeToString(type, at, FLAGS);
  const deeper = `${indent}  `;
  const lines = checker.getPropertiesOfType(type).map((property) => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const text = inner(checker.getTypeOfSymbolAtLocation(property, at), deeper);
    const name = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : `'${property.name}'`;
    return `${commentOf(property, checker, deeper)}${deeper}${name}${isOptional ? '?' : ''}: ${text};\n`;
  });
  const index = checker
    .getIndexInfosOfType(type)
    .map((info) => `${deeper}[name: ${inner(info.keyType)}]: ${inner(info.type, deeper)};\n`);
  const all = [...index, ...lines];
  return all.length === 0 ? '{}' : `{\n${all.join('')}${indent}}`;
}

const isBooleanLiteral = ({ flags }: ts.Type): boolean =>
  (flags & ts.TypeFlags.BooleanLiteral) !== 0;
const isAbsent = ({ flags }: ts.Type): boolean =>
  (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0;

const isReadonly = (checker: ts.TypeChecker, type: ts.Type): boolean =>
  /^readonly |^Readonly/.test(checker.typeToString(type, undefined, FLAGS));

function commentOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker, indent: string): string {
  const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker)).trim();
  return text === '' ? '' : `${indent}/** ${text.replaceAll('\n', `\n${indent} * `)} */\n`;
}
