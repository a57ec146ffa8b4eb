import type { FastifyInstance } from 'fastify'
import { openapi } from '../openapi/openapi.ts'
import { graphiqlPage } from './graphiqlPage.ts'
import { servePage } from './page.ts'
import { referencePage } from './referencePage.ts'
import { sendStaticFile, staticFile } from './staticFile.ts'

/** A new version of the service may say more. */
const DESCRIPTION_SECONDS = 300

/** What the service says of itself: `/openapi.json`, and two pages that ask no other host. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  const description = await staticFile('application/json', JSON.stringify(openapi()))
  app.get('/openapi.json', (_, reply) =>
    sendStaticFile(description, reply, `public, max-age=${DESCRIPTION_SECONDS}`),
  )
  servePage(app, '/docs', referencePage)
  servePage(app, '/graphiql', graphiqlPage)
}
