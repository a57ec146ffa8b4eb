import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses, type TableProcess } from '../../devnet/processTable.ts'
import { readIfPresent } from '../../devnet/readIfPresent.ts'
import { readRunFile, removeRunFile } from './runFile.ts'

const END_MS = 5_000
const OUR_COMMANDS = /processes\/(api|indexer)\.ts|devnet\/bots\.ts|ponder\.js|anvil|postgres/

/**
 * Ends the processes that a killed start left on this data directory. The caller must hold its lock.
 * Process ids are reused, so the command line must match too.
 */
export async function endOrphans(dataDirectory: string) {
  const run = await readRunFile(dataDirectory)
  const noted = new Set(Object.values(run?.pids ?? {}))
  const postgresFolder =
    (await readIfPresent(join(dataDirectory, 'postgres-folder'))) ?? join(dataDirectory, 'postgres')
  const folders = [`${join(dataDirectory, 'chains')}/`, `-D ${postgresFolder} `]
  // Every part leads a process group, which identifies Ponder even if its launcher is dead.
  const isOurs = ({ pid, group, command }: TableProcess) =>
    pid !== process.pid &&
    OUR_COMMANDS.test(command) &&
    (noted.has(group) || folders.some((folder) => command.includes(folder)))
  // A process that ends loses its command line first, and its ports later.
  const killed = new Set<number>()
  for (let waited = 0; waited < END_MS; waited += 50) {
    const listed = await listProcesses()
    for (const { pid } of listed.filter(isOurs)) {
      kill(pid)
      killed.add(pid)
    }
    if (!listed.some(({ pid }) => killed.has(pid))) break
    await sleep(50)
  }
  await removeRunFile(dataDirectory)
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has ended meanwhile, or belongs to another user; then the check of the ports finds it.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
