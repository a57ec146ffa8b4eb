import type { FastifyInstance } from 'fastify'
import { sdl } from '../../schema/sdl.ts'
import { openapi } from '../openapi/openapi.ts'
import { graphiqlPage } from './graphiqlPage.ts'
import { GUIDES, guidePage } from './guides.ts'
import { COUNTED, servePage } from './page.ts'
import { referencePage } from './referencePage.ts'
import { type StaticFile, sendStaticFile, staticFile } from './staticFile.ts'

/** Clients check for a newer version of the documents. */
const REVALIDATED = 'public, max-age=300'

/** A guide is one file: it has its style, and no script. */
const GUIDE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Serves the documents that programs read, two pages and the guides, which load nothing from other hosts. They are megabytes,
 * so they count as reads.
 */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  const description = await staticFile('application/json', JSON.stringify(openapi()))
  app.get('/openapi.json', COUNTED, (_, reply) => sendStaticFile(description, reply, REVALIDATED))
  const types = await staticFile('text/plain', sdl())
  app.get('/schema.graphql', COUNTED, (_, reply) => sendStaticFile(types, reply, REVALIDATED))
  servePage(app, '/docs', referencePage)
  servePage(app, '/graphiql', graphiqlPage)
  for (const guide of GUIDES) serveGuide(app, guide)
}

function serveGuide(app: FastifyInstance, guide: string): void {
  let made: Promise<StaticFile> | undefined
  app.get(`/docs/${guide}`, COUNTED, async (_, reply) => {
    made ??= guidePage(guide).then((html) => staticFile('text/html', html))
    reply.header('content-security-policy', GUIDE_POLICY)
    return sendStaticFile(await made, reply, REVALIDATED)
  })
}
