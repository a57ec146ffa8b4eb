import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { GUIDES } from './guides.ts'
import { kept } from './kept.ts'
import { COUNTED, FOR_GOOD } from './page.ts'
import { readSite, type Site, type SiteFile } from './siteFiles.ts'
import { sendStaticFile } from './staticFile.ts'

const BUILT = join(import.meta.dirname, '../../site/dist')

/** Documents beside the site, whose links stay below its own path. */
const BESIDE = ['graphiql', 'schema.graphql']

/**
 * Serves the site that `npm run site` has built, below `/docs`. Where it is not built, a guide leads to its Markdown, and `/docs` to the
 * reference of the API.
 */
export function serveSite(app: FastifyInstance, folder: string = BUILT): void {
  const files = kept(() => readSite(folder))
  for (const name of BESIDE)
    app.get(`/docs/${name}`, COUNTED, (_, reply) => reply.redirect(`/${name}`))
  app.get('/docs', COUNTED, async ({ originalUrl }, reply) => {
    const site = await files()
    return site ? sendPage(site, '', originalUrl, reply) : reply.redirect('/docs/reference')
  })
  app.get<{ Params: { '*': string } }>('/docs/*', COUNTED, async (request, reply) => {
    const path = request.params['*'].replace(/\/$/, '')
    const site = await files()
    if (!site) return withoutSite(path, reply)
    const file = site.get(path)
    return file ? sendFile(file, path, reply) : sendPage(site, path, request.originalUrl, reply)
  })
}

/** The site's own links are relative to the path of a page, so each page has one path. */
function sendPage(site: Site, path: string, url: string, reply: FastifyReply) {
  const [asked = '', query] = url.split('?')
  const isFolder = !site.has(`${path}.html`)
  const file = site.get(isFolder ? join(path, 'index.html') : `${path}.html`)
  if (!file) throw notThere()
  if (asked.endsWith('/') === isFolder) return sendFile(file, path, reply)
  const own = ['/docs', ...(path ? [path] : [])].join('/')
  return reply.redirect(`${own}${isFolder ? '/' : ''}${query ? `?${query}` : ''}`)
}

async function sendFile(read: () => Promise<SiteFile>, path: string, reply: FastifyReply) {
  const file = await read()
  reply.header('content-security-policy', file.policy)
  return sendStaticFile(file, reply, path.startsWith('assets/') ? FOR_GOOD : 'no-cache')
}

function withoutSite(path: string, reply: FastifyReply) {
  if (GUIDES.some((guide) => guide === path)) return reply.redirect(`/docs/${path}.md`)
  throw notThere(' The documentation is not built here: npm run site.')
}

function notThere(why = ''): ServiceError {
  return new ServiceError('PATH_NOT_FOUND', `There is no such page of the documentation.${why}`)
}
