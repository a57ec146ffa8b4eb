import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendError } from '../http/sendError.ts'
import { serveSite } from './serveSite.ts'

let folder: string
const app = () => {
  const server = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  server.setErrorHandler(sendError)
  serveSite(server, folder)
  return server
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-site-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function get(path: string, server = app()) {
  const { statusCode, headers, body } = await server.inject(path)
  return { status: statusCode, location: headers.location, headers, body }
}

describe('a built site', () => {
  const SCRIPT = 'let a = 1'
  /** `printf 'let a = 1' | openssl dgst -sha256 -binary | base64` */
  const HASH = "'sha256-LAfYd7pbFUgwfQu8b4q135PeTG2z+/coPEUYCd74eCQ='"
  beforeEach(async () => {
    await mkdir(join(folder, 'assets'))
    await mkdir(join(folder, 'design'))
    const files = {
      'index.html': 'home',
      'webhooks.html': `<script src="/docs/a.js"></script><script id="one">${SCRIPT}</script>`,
      'design/index.html': 'designs',
      'assets/a.1f.js': 'a',
      'logo.svg': '<svg/>',
      '.inputs': 'hash',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  })

  test.each([
    ['/docs/', 'home'],
    ['/docs/webhooks', 'let a'],
    ['/docs/design/', 'designs'],
    ['/docs/assets/a.1f.js', 'a'],
  ])('default: %s', async (path, part) => {
    expect(await get(path)).toMatchObject({ status: 200, body: expect.stringContaining(part) })
  })

  test.each([
    ['/docs', '/docs/'],
    ['/docs?a=1', '/docs/?a=1'],
    ['/docs/webhooks/', '/docs/webhooks'],
    ['/docs/design', '/docs/design/'],
    ['/docs/graphiql', '/graphiql'],
    ['/docs/schema.graphql', '/schema.graphql'],
  ])('behavior: each page has one path: %s leads to %s', async (path, location) => {
    expect(await get(path)).toMatchObject({ status: 302, location })
  })

  test('behavior: the scripts that are written in a page run, and no others', async () => {
    const policy = (await get('/docs/webhooks')).headers['content-security-policy']
    expect(policy).toContain(`script-src 'self' ${HASH};`)
    expect((await get('/docs/')).headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('behavior: only files whose name has a hash are kept for good', async () => {
    const kept = async (path: string) => (await get(path)).headers['cache-control']
    expect(await kept('/docs/assets/a.1f.js')).toContain('immutable')
    expect([await kept('/docs/webhooks'), await kept('/docs/logo.svg')]).toEqual([
      'no-cache',
      'no-cache',
    ])
  })

  test.each(['/docs/none', '/docs/.inputs', '/docs/..%2f..%2fpackage.json', '/docs/assets'])(
    'error: %s is not there',
    async (path) => {
      expect(await get(path)).toMatchObject({
        status: 404,
        body: expect.stringContaining('There is no such page'),
      })
    },
  )
})

describe('without a built site', () => {
  test('behavior: a guide leads to its Markdown, and /docs to the reference', async () => {
    expect(await get('/docs')).toMatchObject({ status: 302, location: '/docs/reference' })
    expect(await get('/docs/earn/deposit')).toMatchObject({
      status: 302,
      location: '/docs/earn/deposit.md',
    })
  })

  test('error: any other page says how to build it', async () => {
    expect(await get('/docs/testing')).toMatchObject({
      status: 404,
      body: expect.stringContaining('npm run site'),
    })
  })

  test('behavior: a site that is built later is served, and a half of one is not', async () => {
    const server = app()
    await writeFile(join(folder, 'webhooks.html'), 'half')
    expect((await get('/docs/webhooks', server)).status).toBe(302)
    await writeFile(join(folder, 'index.html'), 'home')
    expect((await get('/docs/webhooks', server)).body).toBe('half')
  })
})
