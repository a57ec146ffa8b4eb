import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConsole } from './consoleFiles.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-console-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = () => readConsole(pathToFileURL(`${folder}/`))

test('default', async () => {
  await mkdir(join(folder, 'assets'))
  for (const name of ['index.html', 'logo.svg', 'assets/a.js'])
    await writeFile(join(folder, name), name)
  const { index, assets, logo } = await read()
  expect([index, [...assets.keys()], logo.type]).toEqual([
    'index.html',
    ['a.js'],
    'image/svg+xml; charset=utf-8',
  ])
})

test('error: a console that is not built is not found', async () => {
  await expect(read()).rejects.toMatchObject({ reason: 'PATH_NOT_FOUND' })
})

test('error: a page that cannot be read is a failure of the installation, not a missing page', async () => {
  await mkdir(join(folder, 'index.html'))
  await expect(read()).rejects.toMatchObject({ code: 'EISDIR' })
})
