import { readdir, readFile } from 'node:fs/promises'

/**
 * The health check of a container: exit code 0 if its process answers. The role is that of the running process, so that
 * one check serves all. Indexer and worker answer at their port of metrics. With the argument `served` an indexer must
 * also serve its build, or wait for another indexer of the same build: then the one that it replaces may be stopped.
 */
const SERVED = /^causeway_indexer_build\{[^}]*state="(served|waiting)"[^}]*\} 1$/m

const { API_PORT, INDEXER_METRICS_PORT, WORKER_METRICS_PORT } = process.env
const URLS: Record<string, string> = {
  api: `http://127.0.0.1:${API_PORT}/ready`,
  indexer: `http://127.0.0.1:${INDEXER_METRICS_PORT}/metrics`,
  worker: `http://127.0.0.1:${WORKER_METRICS_PORT}/metrics`,
}

async function runningRole(): Promise<string> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // A process may end between the two reads.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const [, role] = /deploy\/image\/main\.ts\0(indexer|api|worker)\0/.exec(command) ?? []
    if (role) return role
  }
  throw new Error('no indexer, api or worker runs here')
}

try {
  const role = await runningRole()
  const response = await fetch(URLS[role] ?? '', { signal: AbortSignal.timeout(4_000) })
  if (!response.ok) throw new Error(`the ${role} answers ${response.status}`)
  if (process.argv[2] === 'served' && !SERVED.test(await response.text()))
    throw new Error('the build of this indexer is not served')
} catch (error) {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
}
