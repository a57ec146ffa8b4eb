import { registerHooks } from 'node:module'

/**
 * Preloaded into Ponder, whose start is mostly the loading of modules. To find out the format of a file, Node reads the package's
 * exports anew for each file (128 KB in drizzle-orm). Every file of these folders is an ES module.
 */
const MODULES_ONLY =
  /\/node_modules\/(drizzle-orm|kysely\/dist\/esm|ponder\/dist\/esm|viem\/_esm)\/(?!.*\/node_modules\/)/

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    return parentURL && /^\.\.?\/.*\.js$/.test(specifier) && MODULES_ONLY.test(parentURL)
      ? { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context)
  },
})
