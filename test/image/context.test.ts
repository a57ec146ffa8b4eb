import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lostImports, UNWANTED } from './imageFiles.ts'

// Its types describe an ES module, which it is not.
const dockerignore = createRequire(import.meta.url)(
  '@balena/dockerignore',
) as typeof import('@balena/dockerignore').default

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The files of the project that deploy/Dockerfile copies into the image, as far as .dockerignore lets them. */
function copiedFiles(): string[] {
  const lastStage =
    read('deploy/Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  const copied = [...lastStage.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  const tracked = execFileSync('git', ['ls-files', '-z', '--', ...copied], {
    cwd: root,
    encoding: 'utf8',
  })
  return dockerignore()
    .add(read('.dockerignore'))
    .filter(tracked.split('\0').filter((file) => file !== ''))
}

test('default: the image gets the programs that it starts, and no test or tool', () => {
  const files = copiedFiles()
  expect(files).toEqual(
    expect.arrayContaining(['deploy/image/main.ts', 'processes/api.ts', 'cli/doctor.ts']),
  )
  expect(files.filter((file) => UNWANTED.some((pattern) => pattern.test(file)))).toEqual([])
})

test('behavior: what a file of the image imports is in the image', async () => {
  expect(await lostImports(root, copiedFiles())).toEqual([])
})
