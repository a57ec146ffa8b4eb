/**
 * Of the Vite inside of Ponder, so that an index is back sooner after a crash: nothing watches files
 * that a running index never takes up, and of the modules that `ponder` exports, the 200 of a GraphQL
 * server that is not ours are not transformed at every start. CommonJS, because Vite writes a copy of
 * any other module beside this file to load it.
 */
module.exports = {
  server: { watch: null },
  plugins: [
    {
      name: 'without-graphql-of-ponder',
      enforce: 'pre',
      load: (id) =>
        id.endsWith('/ponder/dist/esm/graphql/middleware.js')
          ? 'export const graphql = null'
          : null,
    },
  ],
}
