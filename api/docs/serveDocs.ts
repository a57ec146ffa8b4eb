import type { FastifyInstance } from 'fastify'
import { sdl } from '../../schema/sdl.ts'
import { openapi } from '../openapi/openapi.ts'
import { toOpenapi30 } from '../openapi/openapi30.ts'
import { graphiqlPage } from './graphiqlPage.ts'
import { GUIDES, guideMarkdown, guidePage } from './guides.ts'
import { llmsFullText, llmsText } from './llmsText.ts'
import { COUNTED, servePage } from './page.ts'
import { referencePage } from './referencePage.ts'
import { type StaticFile, sendStaticFile, staticFile } from './staticFile.ts'

/** Clients check for a newer version of the documents. */
const REVALIDATED = 'public, max-age=300'

/** A guide is one file: it has its style, and no script. */
const TEXT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Serves the documents that programs read, two pages and the guides, which load nothing from other hosts. They are megabytes,
 * so they count as reads. The shield book is served as the operator has signed it.
 */
export function serveDocs(app: FastifyInstance, shieldBook: string | null): void {
  if (shieldBook !== null)
    serveText(app, '/shield-book.json', async () => staticFile('application/json', shieldBook))
  serveText(app, '/openapi.json', async () =>
    staticFile('application/json', JSON.stringify(openapi())),
  )
  serveText(app, '/openapi-3.0.json', async () =>
    staticFile('application/json', JSON.stringify(toOpenapi30(openapi()))),
  )
  serveText(app, '/schema.graphql', async () => staticFile('text/plain', sdl()))
  servePage(app, '/docs', referencePage)
  servePage(app, '/graphiql', graphiqlPage)
  serveText(app, '/llms.txt', () => textFile('text/plain', llmsText()))
  serveText(app, '/llms-full.txt', () => textFile('text/plain', llmsFullText()))
  for (const guide of GUIDES) {
    serveText(app, `/docs/${guide}.md`, () => textFile('text/markdown', guideMarkdown(guide)))
    serveText(app, `/docs/${guide}`, () => textFile('text/html', guidePage(guide)))
  }
}

async function textFile(type: string, text: Promise<string>): Promise<StaticFile> {
  return staticFile(type, await text)
}

/** Serves a text that is made on the first request. */
function serveText(app: FastifyInstance, path: string, make: () => Promise<StaticFile>): void {
  let made: Promise<StaticFile> | undefined
  app.get(path, COUNTED, async (_, reply) => {
    made ??= make()
    reply.header('content-security-policy', TEXT_POLICY)
    return sendStaticFile(await made, reply, REVALIDATED)
  })
}
