import { defineConfig } from 'vite'

/** The API that `npm run dev -w console` shows. */
const api = process.env.CAUSEWAY_URL ?? 'http://127.0.0.1:4000'

const sdk = (file: string) => new URL(`../sdk/src/${file}`, import.meta.url).pathname

export default defineConfig({
  base: '/console/',
  // The client's sources, so that a change of both needs one build.
  resolve: {
    alias: [
      { find: /^@causeway\/sdk$/, replacement: sdk('index.ts') },
      { find: /^@causeway\/sdk\/react$/, replacement: sdk('react/index.ts') },
    ],
  },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Fonts are files too: a data URL would need a weaker policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/v1',
        '/v2',
        '/v3',
        '/graphql',
        '/health',
        '/ready',
        '/openapi.json',
        '/shield-book.json',
        '/console/api',
      ].map((path) => [path, api]),
    ),
  },
})
