import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { kept } from '../docs/kept.ts'
import { type StaticFile, staticFile } from '../docs/staticFile.ts'

const folder = new URL('../../console/dist/', import.meta.url)

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export type ConsoleFiles = {
  /** The page, with a title that can be replaced. */
  index: string
  /** By their names, which have a hash of their content. */
  assets: Map<string, StaticFile>
  logo: StaticFile
}

/** The console as `npm ci` built it, read once. Throws `PATH_NOT_FOUND` while it is not built. */
export const consoleFiles = kept(() => readConsole(folder))

/** The files of a built console. Throws `PATH_NOT_FOUND` if the folder has none. */
export async function readConsole(from: URL): Promise<ConsoleFiles> {
  const index = await readFile(new URL('index.html', from), 'utf8').catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause
      const message = 'The console is not built here: npm run build -w console.'
      throw new ServiceError('PATH_NOT_FOUND', message)
    },
  )
  const fileOf = async (path: string): Promise<StaticFile> => {
    const content = await readFile(new URL(path, from))
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    return staticFile(type, type.startsWith('font/') ? content : content.toString())
  }
  const names = await readdir(new URL('assets/', from))
  const assets = await Promise.all(
    names.map(async (name) => [name, await fileOf(`assets/${name}`)] as const),
  )
  return { index, assets: new Map(assets), logo: await fileOf('logo.svg') }
}
