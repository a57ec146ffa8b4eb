import Fastify from 'fastify'
import type { PageParts } from './page.ts'
import { SESSION_SCRIPT } from './sessionScript.ts'

/** Options that would load from another host, or link to one, are off. */
const CONFIGURATION = {
  url: '/openapi.json',
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  persistAuth: false,
  hideModels: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
} as const

/** Hides the renderer's own branding; its licence names it. */
const STYLE = `body { margin: 0 }
a[href^="https://www.scalar.com"] { display: none }
`

/** The package exposes its script only through a route of its plugin. */
async function readRenderer(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/', configuration: { url: CONFIGURATION.url } })
  const { statusCode, body } = await app.inject('/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error('Invariant(docs): the renderer has no script')
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '')
}

/** `/docs/reference`: the REST reference, rendered from `/openapi.json`. */
export async function referencePage(): Promise<PageParts> {
  return {
    title: 'Causeway API',
    scripts: { 'reference.js': await readRenderer() },
    styles: { 'reference.css': STYLE },
    boot: () => {
      const configuration = `{
  ...${JSON.stringify(CONFIGURATION)},
  baseServerURL: location.origin,
  async onRequestBuilt({ request }) {
    const headers = await withSession(request.headers)
    const organization = headers.get('x-causeway-organization')
    if (organization) request.headers.set('x-causeway-organization', organization)
  },
}`
      return `${SESSION_SCRIPT}Scalar.createApiReference('#root', ${configuration})\n`
    },
  }
}
