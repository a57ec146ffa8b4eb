import { exampleTabs } from './exampleTabs.ts'
import { LOGO } from './logo.ts'
import type { PageParts } from './page.ts'

const WORKERS = { editorWorkerService: 'editor.js', json: 'json.js', graphql: 'graphql.js' }

/** `/graphiql`: an editor of queries over `/graphql`, of subscriptions over `/graphql/stream`. */
export async function graphiqlPage(): Promise<PageParts> {
  const parts = await import('@graphql-yoga/render-graphiql/graphiql')
  const options = {
    title: 'Causeway',
    logo: LOGO,
    endpoint: '/graphql',
    subscriptionsProtocol: 'GRAPHQL_SSE',
    subscriptionsEndpoint: '/graphql/stream',
    // An API key is no thing for a browser's storage.
    shouldPersistHeaders: false,
    defaultTabs: exampleTabs(),
  }
  return {
    title: 'Causeway GraphiQL',
    scripts: { 'graphiql.js': parts.js },
    styles: { 'graphiql.css': parts.css, 'page.css': STYLE },
    workers: {
      [WORKERS.editorWorkerService]: parts.editorWorkerService,
      [WORKERS.json]: parts.jsonWorker,
      [WORKERS.graphql]: parts.graphqlWorker,
    },
    boot: (pathOf) => {
      const workers = Object.entries(WORKERS).map(([label, name]) => [label, pathOf(name)])
      return [
        `const workers = ${JSON.stringify(Object.fromEntries(workers))}`,
        'self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workers[label] }',
        `YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(options)})`,
        '',
      ].join('\n')
    },
  }
}

/** On a phone the answer is below the query. */
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
