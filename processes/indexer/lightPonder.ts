import { registerHooks } from 'node:module'

/**
 * Preloaded into Ponder, so that an index is back sooner after a crash: of the 3,000 modules that it
 * would load, half are never used here. vite.config.cjs does the same for what its Vite loads.
 */
const REPLACED = {
  '/ponder/dist/esm/graphql/middleware.js': 'export const graphql = null',
  // Ponder finds the finality of a chain here, by its id; these are the ones that it tells apart.
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

/** Node reads the exports of a package, 128 KB in drizzle-orm, for the format of each of its files. */
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
