import { fork } from 'node:child_process'
import { once } from 'node:events'
import { migrate } from '../db/migrate.ts'
import { startApiReplicas } from '../test/support/apiReplicas.ts'
import { dawdle, holdIdle, sendOversized } from '../test/support/attacks.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { watchHealth } from '../test/support/healthWatch.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import type { BurstOptions, BurstResult } from './burst.ts'
import { gets, measureAtRate, measureMaximum } from './measure.ts'

/**
 * Attacks a real api process whose limits are off, since these would end each attack at once: slow-loris,
 * oversized bodies, idle connections, and ten times the rate at which p99 reaches 100 ms. It must survive,
 * answer `/health`, and reach its throughput again within 5 s: `node bench/hostile.ts`. Loopback only.
 */
const ATTACK_SECONDS = 15
const BURST_SECONDS = 10
const BURST_TIMES = 10
const LATE_MS = 100
const BACK_WITHIN_MS = 5_000
const BACK_SHARE = 0.8
const SLICE_SECONDS = 0.75
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startBenchPostgres()
try {
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const apis = await startApiReplicas(postgres.url, [{}])
  const [api] = apis.replicas
  if (!api) throw new Error('Invariant(hostile): one replica')
  const target = { name: 'order', port: api.port, requests: gets([apis.orderPath]) }
  try {
    const normal = await measureMaximum(target)
    const lateRate = await findLateRate(normal)
    print(`${normal.toFixed(0)}/s at most; p99 reaches ${LATE_MS} ms at ${lateRate.toFixed(0)}/s`)
    const { port } = api
    const held = { port, seconds: ATTACK_SECONDS }
    const attacks: [string, () => Promise<unknown>][] = [
      ['slow-loris, 1,000 connections', () => dawdle({ ...held, connections: 1_000 })],
      ['bodies of 1 MB, 100 connections', () => sendOversized({ ...held, connections: 100 })],
      ['idle, 5,000 connections', () => holdIdle({ ...held, connections: 5_000 })],
      [
        `${BURST_TIMES} times ${lateRate.toFixed(0)}/s for ${BURST_SECONDS} s`,
        () =>
          burst({
            port,
            path: apis.orderPath,
            rate: lateRate * BURST_TIMES,
            seconds: BURST_SECONDS,
          }),
      ],
    ]
    for (const [name, attack] of attacks) await bear(name, attack, normal)
  } finally {
    await apis.stop()
  }

  /** Raises the rate by a tenth until the server is late. */
  async function findLateRate(normal: number): Promise<number> {
    for (let rate = normal / 2; ; rate *= 1.1) {
      const { p99 } = await measureAtRate(target, rate, 3)
      if (p99 > LATE_MS) return rate
    }
  }

  async function bear(name: string, attack: () => Promise<unknown>, normal: number) {
    const health = watchHealth(api?.url ?? '')
    await attack()
    const backMs = await untilBack(normal)
    const { milliseconds, missed } = await health.stop()
    const slowest = Math.max(...milliseconds)
    const holds = missed === 0 && backMs <= BACK_WITHIN_MS
    print(
      `${holds ? 'holds' : 'FAILS'}  ${name}: health answered ${milliseconds.length} times, slowest ${slowest.toFixed(0)} ms, missed ${missed}; back after ${backMs.toFixed(0)} ms`,
    )
    if (!holds) process.exitCode = 1
  }

  async function untilBack(normal: number): Promise<number> {
    const begin = performance.now()
    for (;;) {
      const startedMs = performance.now() - begin
      // The measurement throws if the server refuses requests because of its lag.
      const perSecond = await measureMaximum(target, SLICE_SECONDS).catch(() => 0)
      if (perSecond >= normal * BACK_SHARE || startedMs > 3 * BACK_WITHIN_MS) return startedMs
    }
  }
} finally {
  await postgres.stop()
}

async function burst(options: BurstOptions): Promise<void> {
  const child = fork(new URL('burst.ts', import.meta.url))
  child.send(options)
  const [{ sent, answered }] = (await once(child, 'message')) as [BurstResult]
  child.kill()
  print(`sent ${sent}, answered while it lasted ${answered}`)
}
