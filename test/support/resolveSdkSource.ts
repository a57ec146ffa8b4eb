import { registerHooks } from 'node:module'

/** Preloaded by programs that tests start from their sources: the client's sources need no build. */
const shield = new URL('../../sdk/src/shield/index.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '@causeway/sdk/shield' ? shield : specifier, context),
})
