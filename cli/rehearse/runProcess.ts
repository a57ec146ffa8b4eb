import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const KEPT_OUTPUT = 20_000
const MOST_STOP_MS = 20_000

export type RunningProcess = {
  /** The end of what it has written. */
  output(): string
  hasEnded(): boolean
  stop(): Promise<void>
}

/** A process of the service with only these variables. It ends with this one. */
export function runProcess(file: string, variables: Record<string, string>): RunningProcess {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const dieWithParent = new URL('../../processes/dieWithParent.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--import', dieWithParent, file], {
    cwd: ROOT,
    env: { PATH, HOME, NODE_COMPILE_CACHE, LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      output = (output + String(data)).slice(-KEPT_OUTPUT)
    })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), MOST_STOP_MS)
      await ended
      clearTimeout(timer)
    },
  }
}
