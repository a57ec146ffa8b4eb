import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const root = join(import.meta.dirname, '../..')
/** Images and layers stay here between runs, so that a second run builds only what has changed. */
const folder = join(root, '.causeway/image')
const BASE = 'localhost/causeway-test-base'
const BUILD = 'localhost/causeway-test-build'
const IMAGE = 'localhost/causeway-test'
const CA_SECRET = '/run/secrets/ca'

type ImageConfig = {
  User: string
  Env: string[]
  Entrypoint: string[]
  WorkingDir: string
  Healthcheck?: { Test: string[] }
}

export type BuiltImage = {
  /** The folder with the image's files. */
  root: string
  config: ImageConfig
  stop(): Promise<void>
}

/** The programs that the test of the image needs and this machine lacks. */
export function missingPrograms(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const lacking = ['buildah', 'debootstrap', 'unshare', 'nsenter'].filter(
    (name) => !folders.some((path) => existsSync(join(path, name))),
  )
  return process.getuid?.() === 0 ? lacking : [...lacking, 'root']
}

/** Builds deploy/Dockerfile on a Debian that debootstrap makes, and mounts the result. Needs no daemon. */
export async function buildImage(): Promise<BuiltImage> {
  await mkdir(folder, { recursive: true })
  await makeBases()
  const secrets = await mkdtemp(join(tmpdir(), 'causeway-image-'))
  try {
    const options = ['--isolation=chroot', '--format=docker', '--layers', `--tag=${IMAGE}`]
    const bases = [`--build-arg=BASE_IMAGE=${BASE}`, `--build-arg=BUILD_IMAGE=${BUILD}`]
    const file = `--file=${join(root, 'deploy/Dockerfile')}`
    await buildah('bud', options, bases, file, await npmSecrets(secrets), root)
  } finally {
    await rm(secrets, { recursive: true })
  }
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', IMAGE)) as {
    Docker: { config: ImageConfig }
  }
  const container = await buildah('from', IMAGE)
  return {
    root: await buildah('mount', container),
    config: Docker.config,
    async stop() {
      await buildah('rm', container)
    },
  }
}

async function buildah(...args: (string | string[])[]): Promise<string> {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const { stdout } = await run(
    'buildah',
    [...storage, '--storage-driver', 'overlay', ...args.flat()],
    { maxBuffer: 2 ** 28 },
  )
  return stdout.trim()
}

/** The two images that the Dockerfile starts from: a small Debian, and one with the Node of this project and npm. */
async function makeBases() {
  if (await isMade(BUILD)) return
  const debian = join(folder, 'debian')
  await rm(debian, { recursive: true, force: true })
  await run('debootstrap', ['--variant=minbase', 'bookworm', debian], { maxBuffer: 2 ** 28 })
  // Docker's slim image of Debian leaves out the same.
  for (const path of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
    await rm(join(debian, path), { recursive: true, force: true })
  await commit(debian, BASE)
  const local = join(debian, 'usr/local')
  await cp(join(root, 'node_modules/.bin/node'), join(local, 'bin/node'), { dereference: true })
  // Its own answer, `npm root --global`, is about the Node that runs it: here that of node_modules, which has no npm.
  const npm = (await run('sh', ['-c', 'command -v npm'])).stdout.trim()
  await cp(join(realpathSync(npm), '../..'), join(local, 'lib/npm'), { recursive: true })
  await symlink('../lib/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await commit(debian, BUILD)
  await rm(debian, { recursive: true })
}

function isMade(image: string): Promise<boolean> {
  return buildah('inspect', '--type', 'image', image).then(
    () => true,
    () => false,
  )
}

async function commit(from: string, image: string) {
  const container = await buildah('from', 'scratch')
  await buildah('copy', '--quiet', container, from, '/')
  await buildah('commit', '--quiet', '--rm', container, image)
}

/** This machine's configuration of npm, for a registry that only it knows. */
async function npmSecrets(secrets: string): Promise<string[]> {
  const get = async (key: string) =>
    (await run('npm', ['config', 'get', key], { cwd: secrets })).stdout.trim()
  const [userconfig, registry, cafile] = await Promise.all(
    ['userconfig', 'registry', 'cafile'].map(get),
  )
  const own = await readFile(userconfig ?? '', 'utf8').catch(() => '')
  const authority = cafile && cafile !== 'null' ? cafile : process.env.NODE_EXTRA_CA_CERTS
  const lines = [own, `registry=${registry}`, authority ? `cafile=${CA_SECRET}` : '']
  const npmrc = join(secrets, 'npmrc')
  await writeFile(npmrc, lines.join('\n'))
  const given = [`--secret=id=npmrc,src=${npmrc}`]
  return authority ? [...given, `--secret=id=ca,src=${authority}`] : given
}
