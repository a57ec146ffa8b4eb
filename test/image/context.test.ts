import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SITE_PAGES } from '../../site/pages.ts'
import { lostImports, UNWANTED } from './imageFiles.ts'

// Its types describe an ES module, which it is not.
const dockerignore = createRequire(import.meta.url)(
  '@balena/dockerignore',
) as typeof import('@balena/dockerignore').default

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const [, building = '', image = ''] = read('deploy/Dockerfile').split(/^FROM /m)

/** The files of the project that a part of deploy/Dockerfile copies, as far as .dockerignore lets them. */
function copiedFiles(part = image): string[] {
  const copied = [...part.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
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

test('behavior: the image builds the site of all pages, and serves it', async () => {
  const [before = ''] = building.split('RUN npm run site')
  const folder = await mkdtemp(join(tmpdir(), 'causeway-image-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const file of copiedFiles(before)) await cp(join(root, file), join(folder, file))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const program = "import { writePages } from './site/writePages.ts'; writePages()"
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
  const written = await readdir(join(folder, 'site/.pages'), { recursive: true })
  const pages = SITE_PAGES.flatMap(({ pages: own }) => own.map(({ source }) => source))
  expect(written).toEqual(expect.arrayContaining(pages))
  expect(image).toContain('\nCOPY --from=build /app/site/dist site/dist\n')
})
