import { registerHooks } from 'node:module'

/**
 * Preloaded into Ponder to shorten its restart: half of the 3,000 modules that it loads are not used
 * here. vite.config.cjs does the same for the modules that Ponder's Vite loads.
 */
const REPLACED = {
  '/ponder/dist/esm/graphql/middleware.js': 'export const graphql = null',
  // Ponder looks up the finality of a chain here, and distinguishes only these.
  '/viem/_esm/chains/index.js': [
    'arbitrum',
    'arbitrumGoerli',
    'arbitrumNova',
    'arbitrumSepolia',
    'mainnet',
    'goerli',
    'lukso',
    'sepolia',
    'polygon',
    'polygonMumbai',
  ]
    .map((name) => `export { ${name} } from './definitions/${name}.js'`)
    .join('\n'),
}

/** To find a file's format, Node would read its package's exports (128 KB in drizzle-orm) for each file. */
const MODULES_ONLY =
  /\/node_modules\/(drizzle-orm|kysely\/dist\/esm|ponder\/dist\/esm|viem\/_esm)\/(?!.*\/node_modules\/)/

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    return parentURL && /^\.\.?\/.*\.js$/.test(specifier) && MODULES_ONLY.test(parentURL)
      ? { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context)
  },
  load(url, context, next) {
    const replaced = Object.entries(REPLACED).find(([end]) => url.endsWith(end))
    return replaced
      ? { format: 'module', source: replaced[1], shortCircuit: true }
      : next(url, context)
  },
})
