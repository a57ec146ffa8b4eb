import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { exampleTabs } from './exampleTabs.ts'
import { LOGO } from './logo.ts'
import type { PageParts } from './page.ts'
import { SESSION_SCRIPT } from './sessionScript.ts'

const WORKERS = { editorWorkerService: 'editor.js', json: 'json.js', graphql: 'graphql.js' }

/**
 * Queries by POST, subscriptions as server-sent events. GraphiQL's own fetcher would use one
 * address for both.
 */
const FETCHER = `async function fetcher({ query, operationName, variables }, { headers: given, documentAST }) {
  const isSubscription = documentAST?.definitions.some(
    ({ operation, name }) =>
      operation === 'subscription' && (!operationName || name?.value === operationName),
  )
  const request = { query, operationName: operationName ?? undefined, variables }
  const headers = Object.fromEntries(await withSession(given))
  if (isSubscription)
    return graphqlSse
      .createClient({ url: '/graphql/stream', headers, retryAttempts: 0 })
      .iterate(request)
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  return response.json()
}
`

/** `/graphiql`: an editor of queries over `/graphql`, of subscriptions over `/graphql/stream`. */
export async function graphiqlPage(): Promise<PageParts> {
  const parts = await import('@graphql-yoga/render-graphiql/graphiql')
  const sse = createRequire(import.meta.url).resolve('graphql-sse')
  const options = {
    title: 'Causeway',
    logo: LOGO,
    // An API key must not end up in a browser's storage.
    shouldPersistHeaders: false,
    defaultTabs: exampleTabs(),
  }
  return {
    title: 'Causeway GraphiQL',
    scripts: {
      'graphql-sse.js': await readFile(join(dirname(sse), '../umd/graphql-sse.min.js'), 'utf8'),
      'graphiql.js': parts.js,
    },
    styles: { 'graphiql.css': parts.css, 'page.css': STYLE },
    workers: {
      [WORKERS.editorWorkerService]: parts.editorWorkerService,
      [WORKERS.json]: parts.jsonWorker,
      [WORKERS.graphql]: parts.graphqlWorker,
    },
    boot: (pathOf) => {
      const workers = Object.entries(WORKERS).map(([label, name]) => [label, pathOf(name)])
      return `const workers = ${JSON.stringify(Object.fromEntries(workers))}
// A link must not put an operation before a person who is signed in.
history.replaceState(null, '', location.pathname)
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workers[label] }
${SESSION_SCRIPT}${FETCHER}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), {
  ...${JSON.stringify(options)},
  fetcher,
})
`
    },
  }
}

/** On a narrow screen the answer is below the query. */
const STYLE = `body { margin: 0 }
#root, .graphiql-container { height: 100vh; height: 100dvh }
@media (max-width: 700px) {
  .graphiql-container .graphiql-sidebar { padding: 8px 0; width: 44px }
  .graphiql-container .graphiql-main > div > .graphiql-sessions { margin: 8px 4px 8px 0 }
  #graphiql-session { flex-direction: column }
  #graphiql-session > .graphiql-horizontal-drag-bar { display: none }
  .graphiql-container .graphiql-logo span { display: none }
}
`
