import { setTimeout as sleep } from 'node:timers/promises'
import { startApiReplicas } from '../support/apiReplicas.ts'
import { type LoadReport, startReadyClient } from './readyClient.ts'

type RestartOptions = { databaseUrl: string; rounds: number; print: (line: string) => void }

const READERS = 8
const WAITERS = 4
/** The client checks once a second. */
const DRAIN_SECONDS = '2'
const NOTICED_MS = 1_500

/** Restarts one of two replicas per round, each in its turn, while clients ask both of them. */
export async function runRestartRounds(options: RestartOptions): Promise<LoadReport> {
  const { databaseUrl, rounds, print } = options
  const variables = { DRAIN_SECONDS }
  const { replicas, restart, orderPath, stop } = await startApiReplicas(databaseUrl, [
    variables,
    variables,
  ])
  try {
    const client = startReadyClient({
      urls: replicas.map(({ url }) => url),
      path: orderPath,
      readers: READERS,
      waiters: WAITERS,
    })
    for (let round = 0; round < rounds; round += 1) {
      await sleep(NOTICED_MS)
      await restart(round % replicas.length)
      const { answered, longPolls, failures } = client.report
      print(
        `${round + 1}: ${answered} answered, ${longPolls} long polls, ${failures.length} failed`,
      )
    }
    await sleep(NOTICED_MS)
    // Draining ends the long polls, which would last for another twenty seconds.
    const stopped = client.stop()
    await stop()
    return await stopped
  } catch (error) {
    // The first failure is the one to report.
    await stop().catch(() => {})
    throw error
  }
}
