import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { kept } from './kept.ts'
import { LOGO } from './logo.ts'
import { type StaticFile, sendStaticFile, staticFile } from './staticFile.ts'

/** The JavaScript and CSS of a page, by the names under which they are served. */
export type PageParts = {
  title: string
  scripts: Record<string, string>
  styles: Record<string, string>
  /** The page's own script, which runs last; it receives the path under which a part is served. */
  boot: (pathOf: (name: string) => string) => string
  /** Scripts that only web workers run. */
  workers?: Record<string, string>
}

type Page = { html: StaticFile; assets: Map<string, StaticFile> }

/** Loads only from this origin; editors and renderers set styles at run time. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The options of a route whose requests are charged to the quota of reads. */
export const COUNTED = { config: { limitClass: 'reads' } } as const

/** For files whose name has a hash of their content. */
export const FOR_GOOD = 'public, max-age=31536000, immutable'

/** Names an asset by a hash of its contents, so that a client may cache it without limit. */
async function makeAssets(
  path: string,
  parts: Record<string, string>,
  type: string,
): Promise<{ paths: Record<string, string>; assets: [string, StaticFile][] }> {
  const assets = await Promise.all(
    Object.entries(parts).map(async ([name, text]) => {
      const file = await staticFile(type, text)
      const [, stem = '', extension = ''] = /^(.*)\.(\w+)$/.exec(name) ?? []
      const hash = file.etag.slice(1, 13)
      return { name, asset: `${stem}.${hash}.${extension}`, file }
    }),
  )
  return {
    paths: Object.fromEntries(assets.map(({ name, asset }) => [name, `${path}/assets/${asset}`])),
    assets: assets.map(({ asset, file }) => [asset, file]),
  }
}

async function makePage(path: string, parts: PageParts): Promise<Page> {
  const [styles, scripts, workers] = await Promise.all([
    makeAssets(path, parts.styles, 'text/css'),
    makeAssets(path, parts.scripts, 'text/javascript'),
    makeAssets(path, parts.workers ?? {}, 'text/javascript'),
  ])
  const boot = await makeAssets(
    path,
    { 'boot.js': parts.boot((name) => workers.paths[name] ?? '') },
    'text/javascript',
  )
  const lines = [
    ...Object.values(styles.paths).map((href) => `<link rel="stylesheet" href="${href}">`),
    '</head>',
    '<body>',
    '<noscript>This page needs JavaScript.</noscript>',
    '<div id="root"></div>',
    ...[...Object.values(scripts.paths), ...Object.values(boot.paths)].map(
      (src) => `<script src="${src}"></script>`,
    ),
    '</body>',
    '</html>',
  ]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parts.title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(LOGO)}">
${lines.join('\n')}
`
  return {
    html: await staticFile('text/html', html),
    assets: new Map([...styles.assets, ...scripts.assets, ...workers.assets, ...boot.assets]),
  }
}

/** Serves a page at `path` and its large parts below it, which are made on the first request. */
export function servePage(
  app: FastifyInstance,
  path: string,
  readParts: () => Promise<PageParts>,
): void {
  const page = kept(async () => makePage(path, await readParts()))
  app.get(path, COUNTED, async (_, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    return sendStaticFile((await page()).html, reply, 'no-cache')
  })
  app.get<{ Params: { name: string } }>(`${path}/assets/:name`, COUNTED, async (request, reply) => {
    const asset = (await page()).assets.get(request.params.name)
    if (!asset) throw new ServiceError('PATH_NOT_FOUND', 'There is no such file of this page.')
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    return sendStaticFile(asset, reply, FOR_GOOD)
  })
}
