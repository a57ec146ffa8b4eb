/** Imports go one way (docs/layout.md). Each rule lists what a folder may import of ours; all else is refused. */
const layers = {
  abis: [],
  src: ['abis'],
  db: ['abis'],
  domain: ['abis', 'db'],
  schema: ['abis', 'db', 'domain'],
  api: ['abis', 'db', 'domain', 'schema'],
  worker: ['abis', 'db', 'domain'],
}

const top = [
  'abis',
  'src',
  'db',
  'domain',
  'schema',
  'api',
  'worker',
  'processes',
  'cli',
  'devnet',
  'contracts',
  'test',
  'bench',
]
const isTest = '\\.test\\.ts$'

const oneWay = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports`,
  severity: 'error',
  comment: `${layer}/ may import only ${[layer, ...allowed].join(', ')}`,
  from: { path: `^${layer}/`, pathNot: isTest },
  to: {
    path: `^(${top.filter((name) => name !== layer && !allowed.includes(name)).join('|')})/`,
    // It says which contract is whose, and is as light as Ponder needs it.
    ...(layer === 'src' ? { pathNot: '^domain/addressBook/' } : {}),
  },
}))

module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'tables-only-in-src',
      severity: 'error',
      comment: 'ponder.schema.ts brings all of Ponder with it',
      from: { pathNot: '^(src/|ponder-env\\.d\\.ts)' },
      to: { path: '^ponder\\.schema\\.ts$' },
    },
    {
      name: 'config-imports',
      severity: 'error',
      comment: 'Ponder runs its config: it stays light',
      from: { path: '^ponder\\.config\\.ts$' },
      to: { path: `^(${top.join('|')})/`, pathNot: '^(abis|domain/addressBook)/' },
    },
    {
      name: 'address-book-is-light',
      severity: 'error',
      comment: 'ponder.config.ts imports it: only zod and abis beside Node',
      from: { path: '^domain/addressBook/', pathNot: isTest },
      to: {
        path: '^(domain|db|node_modules)/',
        pathNot: '^(domain/addressBook/|node_modules/(zod|viem|abitype)/)',
      },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-test-imports',
      severity: 'error',
      from: { pathNot: `(${isTest}|^test/|^bench/)` },
      to: { path: `(${isTest}|^test/|^bench/)` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.causeway|\\.ponder|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'] },
  },
}
