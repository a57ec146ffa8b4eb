import type { FastifyInstance } from 'fastify'
import { sdl } from '../../schema/sdl.ts'
import { openapi } from '../openapi/openapi.ts'
import { toOpenapi30 } from '../openapi/openapi30.ts'
import { graphiqlPage } from './graphiqlPage.ts'
import { GUIDES, guideMarkdown } from './guides.ts'
import { kept } from './kept.ts'
import { llmsFullText, llmsText } from './llmsText.ts'
import { COUNTED, servePage } from './page.ts'
import { referencePage } from './referencePage.ts'
import { serveSite } from './serveSite.ts'
import { type StaticFile, sendStaticFile, staticFile } from './staticFile.ts'

/** Clients check for a newer version of the documents. */
const REVALIDATED = 'public, max-age=300'

/** A text has no parts. */
const TEXT_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Serves the documents that programs read, two pages and the site, which load nothing from other hosts. They are megabytes,
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
  servePage(app, '/docs/reference', referencePage)
  servePage(app, '/graphiql', graphiqlPage)
  serveText(app, '/llms.txt', () => textFile('text/plain', llmsText()))
  serveText(app, '/llms-full.txt', () => textFile('text/plain', llmsFullText()))
  for (const guide of GUIDES)
    serveText(app, `/docs/${guide}.md`, () => textFile('text/markdown', guideMarkdown(guide)))
  serveSite(app)
}

async function textFile(type: string, text: Promise<string>): Promise<StaticFile> {
  return staticFile(type, await text)
}

/** Serves a text that is made on the first request. */
function serveText(app: FastifyInstance, path: string, make: () => Promise<StaticFile>): void {
  const file = kept(make)
  app.get(path, COUNTED, async (_, reply) => {
    reply.header('content-security-policy', TEXT_POLICY)
    return sendStaticFile(await file(), reply, REVALIDATED)
  })
}
