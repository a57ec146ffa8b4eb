import type { FastifyInstance } from 'fastify'
import { openapi } from '../openapi/openapi.ts'
import { graphiqlPage } from './graphiqlPage.ts'
import { servePage } from './page.ts'
import { referencePage } from './referencePage.ts'
import { sendStaticFile, staticFile } from './staticFile.ts'

/** Clients check for a newer version of the description. */
const DESCRIPTION_SECONDS = 300

/** Serves `/openapi.json` and two pages of documentation, which load nothing from other hosts. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  const description = await staticFile('application/json', JSON.stringify(openapi()))
  app.get('/openapi.json', (_, reply) =>
    sendStaticFile(description, reply, `public, max-age=${DESCRIPTION_SECONDS}`),
  )
  servePage(app, '/docs', referencePage)
  servePage(app, '/graphiql', graphiqlPage)
}
