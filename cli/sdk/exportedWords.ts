import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** An exported value, with the words and the example of its documentation. */
export type Exported = { name: string; words: string; example: string | null }

/**
 * The values that modules export, with their documentation, by module. Types are left out: an editor shows them. No package is read,
 * so this takes a second.
 */
export function exportedWords(files: string[]): Map<string, Exported[]> {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.Preserve,
    allowImportingTsExtensions: true,
    noLib: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const file = join(dirname(from), text)
      const isOurs = text.startsWith('.') && existsSync(file)
      return {
        resolvedModule: isOurs
          ? { resolvedFileName: file, extension: ts.Extension.Ts, isExternalLibraryImport: false }
          : undefined,
      }
    })
  const program = ts.createProgram(files, options, host)
  const checker = program.getTypeChecker()
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      if (!module) throw new Error(`${file} exports nothing`)
      const symbols = checker.getExportsOfModule(module)
      return [file, symbols.flatMap((symbol) => wordsOf(checker, symbol))]
    }),
  )
}

function wordsOf(checker: ts.TypeChecker, exported: ts.Symbol): Exported[] {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
  if ((symbol.flags & ts.SymbolFlags.Value) === 0) return []
  const { name } = exported
  const words = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replace(/\s+/g, ' ')
    .trim()
  if (words === '') throw new Error(`${name} is exported without a word of documentation`)
  const example = symbol.getJsDocTags(checker).find((tag) => tag.name === 'example')
  return [{ name, words, example: example ? ts.displayPartsToString(example.text) : null }]
}
