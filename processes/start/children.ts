import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compileCacheFolder } from '../compileCacheFolder.ts'

export type ChildSpec = {
  name: string
  /** A TypeScript entry, from the project's root. */
  entry: string
  environment: Record<string, string>
  stopMs: number
}

/** Child processes that are restarted until `stop`. Each has its own log file. */
export type Children = {
  start(spec: ChildSpec): void
  pids(): Record<string, number>
  stop(): Promise<void>
}

type Running = { spec: ChildSpec; process: ChildProcess; log: WriteStream; ended: Promise<void> }

const RESTART_MS = [100, 1_000, 5_000]
/** After this time without an end, the pauses between restarts begin at the shortest again. */
const STABLE_MS = 30_000

type ChildrenOptions = {
  root: string
  logDirectory: string
  onStart: () => void
  onEnd: (name: string, cause: string) => void
}

export async function createChildren(options: ChildrenOptions): Promise<Children> {
  const { root, logDirectory, onStart, onEnd } = options
  await mkdir(logDirectory, { recursive: true })
  const running = new Map<string, Running>()
  let isStopping = false

  function launch(spec: ChildSpec, attempt: number) {
    const log = createWriteStream(join(logDirectory, `${spec.name}.log`), {
      flags: 'a',
      mode: 0o600,
    })
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--import',
        new URL('../dieWithParent.ts', import.meta.url).href,
        join(root, spec.entry),
      ],
      {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          NODE_COMPILE_CACHE: compileCacheFolder(root),
          ...spec.environment,
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // Ctrl-C reaches a whole process group, but only the supervisor may stop the children.
        detached: true,
      },
    )
    child.stdout?.pipe(log, { end: false })
    child.stderr?.pipe(log, { end: false })
    const startedAt = Date.now()
    const ended = new Promise<void>((resolve) => {
      child.once('exit', (code, signal) => {
        log.end()
        killGroup(child.pid)
        resolve()
        if (isStopping) return
        const next = Date.now() - startedAt > STABLE_MS ? 0 : attempt
        const delay = RESTART_MS[Math.min(next, RESTART_MS.length - 1)]
        onEnd(spec.name, code === null ? `${signal}` : `exit code ${code}`)
        setTimeout(() => !isStopping && launch(spec, next + 1), delay)
      })
    })
    running.set(spec.name, { spec, process: child, log, ended })
    onStart()
  }

  return {
    start: (spec) => launch(spec, 0),
    pids: () =>
      Object.fromEntries([...running].map(([name, { process }]) => [name, process.pid ?? 0])),
    async stop() {
      isStopping = true
      await Promise.all([...running.values()].map(stopOne))
    },
  }
}

async function stopOne({ spec, process: child, ended }: Running) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  // A process that hangs or was stopped by SIGSTOP would never end by itself.
  const timer = setTimeout(() => killGroup(child.pid), spec.stopMs)
  await ended
  clearTimeout(timer)
}

/** Kills a child with its process group, so that its own children, such as Ponder, end too. */
function killGroup(pid: number | undefined) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended already.
  }
}
