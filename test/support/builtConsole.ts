import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../console')

/** Builds the console where `console/dist` is missing or older than its sources. */
export async function builtConsole(): Promise<void> {
  const built = timeOf(join(root, 'dist/index.html'))
  const names = await readdir(join(root, 'src'), { recursive: true })
  const sources = [...names.map((name) => join('src', name)), 'index.html', 'vite.config.ts']
  const times = sources.map((name) => timeOf(join(root, name)))
  if (Math.max(...times) <= built) return
  // `npm ci` builds for production: the test's own NODE_ENV would bundle React's development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)('npm', ['run', 'build'], { cwd: root, env })
}

/** 0 for a file that does not exist. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
