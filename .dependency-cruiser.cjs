/**
 * Imports go one way; docs/layout.md has the same tables. Each line lists the folders that a folder may
 * import. All other folders of ours are refused. Tests and benchmarks may import everything.
 */
const layers = {
  abis: [],
  contracts: [],
  deploy: [],
  sdk: [],
  mcp: ['sdk'],
  site: [],
  examples: ['sdk'],
  console: ['sdk'],
  src: ['abis'],
  db: ['abis'],
  domain: ['abis', 'db'],
  schema: ['abis', 'db', 'domain'],
  api: ['abis', 'db', 'domain', 'schema'],
  worker: ['abis', 'db', 'domain'],
  devnet: ['abis', 'contracts', 'domain'],
  processes: ['abis', 'db', 'domain', 'api', 'worker', 'devnet'],
  cli: ['abis', 'contracts', 'db', 'domain', 'schema', 'api', 'processes', 'devnet'],
}

/** The areas of domain/, with the areas that each may import. All may import the folders that are not areas. */
const areas = {
  transit: [],
  earn: [],
  webhook: [],
  smartDeposit: ['earn', 'webhook'],
  capability: ['transit', 'earn', 'smartDeposit'],
  feed: ['webhook', 'transit'],
  journey: ['transit', 'earn', 'smartDeposit'],
  retention: ['webhook'],
  catalogue: ['earn'],
  verification: ['transit', 'earn', 'smartDeposit'],
  shieldBook: ['earn'],
}

/** Paths that a folder may import in addition. */
const exceptions = {
  // The handlers need the address book. The rule address-book-is-light keeps it light.
  src: '^domain/addressBook/',
  devnet: '^processes/logger\\.ts$',
  // Row types are those of the tables. The rule tables-only-in-src refuses all but types.
  db: '^src/tables/',
  domain: '^src/tables/',
}

const top = [...Object.keys(layers), 'test', 'bench']
const isTest = '\\.test\\.ts$'

const oneWay = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports`,
  severity: 'error',
  comment: `${layer}/ may import only ${[layer, ...allowed].join(', ')}`,
  from: { path: `^${layer}/`, pathNot: isTest },
  to: {
    path: `^(${top.filter((name) => name !== layer && !allowed.includes(name)).join('|')})/`,
    ...(exceptions[layer] ? { pathNot: exceptions[layer] } : {}),
  },
}))

const areasOneWay = Object.entries(areas).map(([area, allowed]) => ({
  name: `domain-${area}-imports`,
  severity: 'error',
  comment: `of the areas, domain/${area} may import only ${[area, ...allowed].join(', ')}`,
  from: { path: `^domain/${area}/`, pathNot: isTest },
  to: {
    path: `^domain/(${Object.keys(areas)
      .filter((name) => name !== area && !allowed.includes(name))
      .join('|')})/`,
  },
}))

module.exports = {
  forbidden: [
    ...oneWay,
    ...areasOneWay,
    {
      name: 'domain-shared-imports',
      severity: 'error',
      comment: 'the shared folders of domain/ import no area; only domain/appContext.ts may',
      from: {
        path: '^domain/',
        pathNot: [`^domain/(${Object.keys(areas).join('|')})/`, '^domain/appContext\\.ts$', isTest],
      },
      to: { path: `^domain/(appContext\\.ts$|(${Object.keys(areas).join('|')})/)` },
    },
    {
      name: 'devnet-only-for-start',
      severity: 'error',
      comment:
        'only npm start runs local nodes and a local Postgres; in production devnet/ is not needed',
      from: { path: '^processes/', pathNot: ['^processes/start(/|\\.ts$)', isTest] },
      to: { path: '^devnet/' },
    },
    {
      name: 'tables-only-in-src',
      severity: 'error',
      comment:
        'the tables import all of Ponder; createTestIndex.ts creates them, and ponderPeer.ts serves them',
      from: {
        pathNot:
          '^(src/|ponder\\.schema\\.ts|ponder-env\\.d\\.ts|test/support/createTestIndex\\.ts|bench/peers/ponderPeer\\.ts)',
      },
      to: { path: '^(ponder\\.schema\\.ts$|src/tables/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'handlers-note-their-blocks',
      severity: 'error',
      comment:
        'handlers of logs register with src/lib/ponder.ts: apis keep what they have read while no block has a log',
      from: { path: '^src/', pathNot: '^src/(lib/ponder|handlers/Chain)\\.ts$' },
      to: { path: '^ponder:registry$' },
    },
    {
      name: 'config-imports',
      severity: 'error',
      comment: 'Ponder loads its configuration at every start, so it imports little',
      from: { path: '^ponder\\.config\\.ts$' },
      to: { path: `^(${top.join('|')})/`, pathNot: '^(abis|domain/addressBook)/' },
    },
    {
      name: 'address-book-is-light',
      severity: 'error',
      comment: 'ponder.config.ts imports it, so it imports only zod, viem, abitype, oncePer.ts',
      from: { path: '^domain/addressBook/', pathNot: isTest },
      to: {
        path: '^(domain|db|node_modules)/',
        pathNot: '^(domain/(addressBook/|cache/oncePer\\.ts$)|node_modules/(zod|viem|abitype)/)',
      },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'imports of types count too: move a shared type to the file that owns it',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-test-imports',
      severity: 'error',
      comment: 'only tests and benchmarks may import tests and benchmarks',
      from: { pathNot: `(${isTest}|^test/|^bench/|^vitest\\.config\\.ts$)` },
      to: { path: `(${isTest}|^test/|^bench/)` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(\\.causeway|\\.ponder|node_modules|console/dist|site/(dist|published|node_modules))/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.cjs', '.mjs', '.json'] },
  },
}
