import { setTimeout as sleep } from 'node:timers/promises'

/** A real process, with what starts it again. */
export type Running = {
  pid: number
  /** Resolves when it has ended, by itself too. */
  ended: Promise<unknown>
  output(): string
  kill(): Promise<void>
  stop(): Promise<void>
}

export type Supervised<Process extends Running = Running> = {
  name: string
  current(): Process
  /** Kills it; it is started again at once, like by an orchestrator. */
  kill(how?: (process: Process) => Promise<void>): Promise<void>
  /** Ends it cleanly; it is started again with these variables. */
  restart(variables?: Record<string, string>): Promise<void>
  /** The last lines of each process that ended without a fault that ends it. */
  ownEnds(): string[]
  stop(): Promise<void>
}

type Start<Process> = (variables: Record<string, string>) => Process | Promise<Process>

const RESTART_MS = 100
const LAST_CHARACTERS = 600

/** Starts a process, and starts it again whenever it ends. */
export async function supervise<Process extends Running>(
  name: string,
  start: Start<Process>,
): Promise<Supervised<Process>> {
  let process = await start({})
  let variables: Record<string, string> = {}
  let isStruck = false
  let isStopped = false
  let started = Promise.withResolvers<void>()
  const ownEnds: string[] = []

  const watching = (async () => {
    for (;;) {
      await process.ended
      if (isStopped) return
      if (!isStruck) ownEnds.push(`${name}: ${process.output().slice(-LAST_CHARACTERS)}`)
      isStruck = false
      // Removes what an ended process leaves.
      await process.kill()
      await sleep(RESTART_MS)
      process = await start(variables)
      started.resolve()
      started = Promise.withResolvers()
      if (isStopped) return process.stop()
    }
  })()

  async function end(how: (process: Process) => Promise<void>) {
    const { promise } = started
    isStruck = true
    await how(process)
    await promise
  }
  return {
    name,
    current: () => process,
    kill: (how = (ending) => ending.kill()) => end(how),
    restart(next = {}) {
      variables = next
      return end((ending) => ending.stop())
    },
    ownEnds: () => ownEnds,
    async stop() {
      isStopped = true
      await process.stop()
      await watching
    },
  }
}
