/**
 * Configures Ponder's Vite for a faster restart of the indexer: no file is watched, because a running
 * index never reloads, and Ponder's own GraphQL server (200 modules, not used here) is not
 * transformed at every start. CommonJS, because Vite loads any other module from a copy beside this file.
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
