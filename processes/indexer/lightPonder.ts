import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { changePonder, isChanged } from './ponderChanges.ts'

/**
 * Preloaded into Ponder to shorten its start. Node itself runs the handlers, whose types it strips: Vite, with which Ponder
 * transforms them, takes longer to load than all the rest. Of the other modules that Ponder loads, half are not used here.
 */

/** Modules of Ponder and its packages, by the end of their URLs. */
const REPLACED = {
  '/ponder/dist/esm/graphql/middleware.js': 'export const graphql = null',
  // It writes ponder-env.d.ts into the project, whose files may be read-only.
  '/ponder/dist/esm/bin/utils/codegen.js': 'export const runCodegen = () => {}',
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

/**
 * The packages by which Ponder runs the project's files, without the watching of `ponder dev`. A module lists its exports in
 * alphabetical order. Ponder locks tables in the order of the exports. Readers lock the heads first, so they come first here.
 */
const VITE: Record<string, string> = {
  vite: `export const createServer = async ({ root }) => ({
    config: { root },
    pluginContainer: { buildStart: async () => {} },
    close: async () => {},
  })`,
  'vite-node/client': `import { pathToFileURL } from 'node:url'
    export class ViteNodeRunner {
      executeFile = async (file) => {
        const { chainHead, ...others } = await import(pathToFileURL(file).href)
        return chainHead ? { chainHead, ...others } : others
      }
      executeId = (id) => import(id)
    }`,
  'vite-node/server': 'export class ViteNodeServer {}',
  'vite-node/source-map': 'export const installSourcemapsSupport = () => {}',
  'vite-node/utils': 'export const normalizeModuleId = null, toFilePath = null',
  'vite-tsconfig-paths': 'export default () => null',
}

const SCHEMA = pathToFileURL(join(process.cwd(), 'ponder.schema.ts')).href

/** The modules that a project imports from Ponder's Vite. */
const PROJECT: Record<string, string> = {
  'ponder:registry': `export const ponder = {
    fns: [],
    on(name, fn) {
      this.fns.push({ name, fn })
    },
  }`,
  'ponder:schema': `export * from '${SCHEMA}'`,
}

/** To find a file's format, Node would read its package's exports (128 KB in drizzle-orm) for each file. */
const MODULES_ONLY =
  /\/node_modules\/(drizzle-orm|kysely\/dist\/esm|ponder\/dist\/esm|viem\/_esm)\/(?!.*\/node_modules\/)/

/** Not a URL of any file. */
const MADE = 'light-ponder:'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier in VITE || specifier in PROJECT)
      return { url: MADE + specifier, format: 'module', shortCircuit: true }
    const { parentURL } = context
    return parentURL && /^\.\.?\/.*\.js$/.test(specifier) && MODULES_ONLY.test(parentURL)
      ? { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context)
  },
  load(url, context, next) {
    const source = url.startsWith(MADE) ? madeModule(url.slice(MADE.length)) : replacedModule(url)
    if (source !== undefined) return { format: 'module', source, shortCircuit: true }
    const loaded = next(url, context)
    return isChanged(url) ? { ...loaded, source: changePonder(url, String(loaded.source)) } : loaded
  },
})

function madeModule(specifier: string): string | undefined {
  return VITE[specifier] ?? PROJECT[specifier]
}

function replacedModule(url: string): string | undefined {
  return Object.entries(REPLACED).find(([end]) => url.endsWith(end))?.[1]
}
