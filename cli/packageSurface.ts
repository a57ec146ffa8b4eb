import ts from 'typescript'

/**
 * The declarations of all exported names of each entry, sorted by name and without comments. A change that breaks users of the
 * package shows as a changed or missing line. The parameters and answers of operations are left out: `docs/openapi.json` has them.
 */
export function packageSurface(entries: Record<string, string>): string {
  const program = ts.createProgram(Object.values(entries), {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  const parts = Object.entries(entries).map(([name, file]) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    const lines = checker
      .getExportsOfModule(module)
      .toSorted((left, right) => (left.name < right.name ? -1 : 1))
      .map((exported) => declarationOf(checker, exported))
    return `${name}\n\n${lines.join('\n')}\n`
  })
  return parts.join('\n')
}

/** The types of the functions, hooks and query options that each operation has. */
const OF_OPERATION = /import\("[^"]*"\)\.((?:List)?Action|\w+Hook)<.*$|\(\(causeway: .*$/

function declarationOf(checker: ts.TypeChecker, exported: ts.Symbol): string {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
  const { declarations = [] } = isAlias ? checker.getAliasedSymbol(exported) : exported
  const printer = ts.createPrinter({ removeComments: true, omitTrailingSemicolon: true })
  const texts = declarations.map((declaration) => {
    const file = declaration.getSourceFile()
    if (file.fileName.endsWith('/generated/api.d.ts')) return 'generated'
    return printer.printNode(ts.EmitHint.Unspecified, declaration, file)
  })
  const text = texts.join(' | ').replace(/\s+/g, ' ')
  return `${exported.name}: ${text.replace(OF_OPERATION, (_, kind = 'options') => `${kind}<…>`)}`
}
