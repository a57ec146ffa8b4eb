import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { gets, measureAtRate } from '../../bench/measure.ts'
import { startApiReplicas } from '../support/apiReplicas.ts'
import { ask, giveKeyOf } from '../support/ask.ts'
import { createTestIndex } from '../support/createTestIndex.ts'
import { EDGE_ATTACKS, type EdgeTarget, type runEdgeAttack } from './edgeAttacks.ts'
import { withDatabase } from './withDatabase.ts'

const MOST_TIMES = 3
const HONEST_PER_SECOND = 50
const HONEST_SECONDS = 5
/** The honest client asks in the middle of an attack. */
const MARGIN_SECONDS = 1
const CAPS = { connections: 500, held: 200 }

/** An attack of any kind: what came of it, and whether it was bounced. */
type SimulatedAttack = {
  name: string
  run(seconds: number): Promise<{ isBounced: boolean; note: string }>
}

/**
 * Attacks an api process with production settings from one address, while an honest client asks from another. Each attack
 * whose name has one of the words (without words: all) must be bounced, and the honest p99 be at most three times that of
 * the quiet seconds before it. Linux only: the attacker is 127.0.0.2.
 */
export function attackApi(words: string[], print: (line: string) => void): Promise<void> {
  return withDatabase((databaseUrl) => attackOver(databaseUrl, words, print))
}

async function attackOver(databaseUrl: string, words: string[], print: (line: string) => void) {
  await using started = new AsyncDisposableStack()
  await createTestIndex(databaseUrl)
  const apis = await startApiReplicas(databaseUrl, [
    {
      RATE_LIMITS: 'on',
      MAX_CONNECTIONS_PER_ADDRESS: String(CAPS.connections),
      MAX_HELD_PER_ADDRESS: String(CAPS.held),
    },
  ])
  started.defer(apis.stop)
  const [api] = apis.replicas
  if (!api) throw new Error('Invariant(attackApi): one replica')
  await giveKeyOf(api.url, databaseUrl, apis.appSecret)

  const order = await ask(`${api.url}${apis.orderPath}`)
  const honest = { name: 'honest', port: api.port, requests: gets([apis.orderPath]) }
  const attacks: SimulatedAttack[] = Object.keys(EDGE_ATTACKS).map(edgeAttack)
  for (const attack of attacks)
    if (words.length === 0 || words.some((word) => attack.name.includes(word))) await bear(attack)

  async function bear({ name, run }: SimulatedAttack) {
    const quiet = await measureAtRate(honest, HONEST_PER_SECOND, HONEST_SECONDS)
    const running = run(HONEST_SECONDS + 2 * MARGIN_SECONDS)
    await sleep(MARGIN_SECONDS * 1_000)
    // It throws if an honest request is refused.
    const during = await measureAtRate(honest, HONEST_PER_SECOND, HONEST_SECONDS).catch(String)
    const { isBounced, note } = await running
    const [before, then] = [quiet.p99, typeof during === 'string' ? null : during.p99]
    const isCalm = then !== null && then <= before * MOST_TIMES
    const latency = then === null ? String(during) : `${before.toFixed(1)} → ${then.toFixed(1)} ms`
    print(
      `${isBounced && isCalm ? 'holds ' : 'FAILS '} ${name.padEnd(34)} honest p99 ${latency}${isBounced ? '' : '; not bounced'}  ${note}`,
    )
    if (!(isBounced && isCalm)) process.exitCode = 1
  }

  function edgeAttack(name: string): SimulatedAttack {
    return {
      name,
      async run(seconds) {
        const target: EdgeTarget = {
          port: honest.port,
          orderPath: apis.orderPath,
          etag: order.headers.get('etag') ?? '',
          mostConnections: CAPS.connections,
          mostHeld: CAPS.held,
          seconds,
        }
        const child = fork(new URL('edgeAttacker.ts', import.meta.url))
        child.send({ name, target })
        const [{ isBounced, answers }] = (await Promise.race([
          once(child, 'message'),
          once(child, 'exit').then(() => {
            throw new Error(`the attacker ended: ${name}`)
          }),
        ])) as [Awaited<ReturnType<typeof runEdgeAttack>>]
        child.kill()
        return { isBounced, note: JSON.stringify(answers) }
      },
    }
  }
}
