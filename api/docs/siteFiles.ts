import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { kept } from './kept.ts'
import { CONTENT_SECURITY_POLICY } from './page.ts'
import { type StaticFile, staticFile } from './staticFile.ts'

/** Other files are not served. */
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export type SiteFile = StaticFile & { policy: string }

/** By its path below the site, how a file is read. It is read and compressed when it is first asked for: all at once take half a second. */
export type Site = ReadonlyMap<string, () => Promise<SiteFile>>

/** Null if the folder has no built site. */
export async function readSite(folder: string): Promise<Site | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing)
  const names = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  if (!names.includes('index.html')) return null
  return new Map(names.map((name) => [name, kept(() => siteFile(folder, name))]))
}

function ifMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function siteFile(folder: string, name: string): Promise<SiteFile> {
  const content = await readFile(join(folder, name))
  const type = TYPES[extname(name)] ?? ''
  const text = type.startsWith('font/') ? null : content.toString()
  const policy =
    extname(name) === '.html' && text !== null ? policyOf(text) : CONTENT_SECURITY_POLICY
  return { ...(await staticFile(type, text ?? content)), policy }
}

/** The inline scripts that the generator has written run, by their hashes, and no others. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  const sources = ["script-src 'self'", ...new Set(hashes)].join(' ')
  return CONTENT_SECURITY_POLICY.replace("script-src 'self'", sources)
}
