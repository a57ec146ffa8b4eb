import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosScene, FaultKind } from './faultKind.ts'

/** The faults of a round and what was drawn for each. */
export function nameRound(round: FaultKind[], details: string[]): string {
  return round.map(({ name }, index) => `${name} (${details[index]})`).join(' + ')
}

/** Starts the faults of a round together, and measures from the last one's end until all is right. */
export async function playRound(
  round: FaultKind[],
  scene: ChaosScene,
  right: () => Promise<string>,
) {
  const details: string[] = []
  const each = round.map(async ({ start, lastsMs }, index) => {
    const startedAt = performance.now()
    // Everything is drawn before anything waits, so that the seed decides it.
    const waitMs = lastsMs ? scene.random.integer(...lastsMs) : 0
    const { detail, end } = await start(scene)
    details[index] = detail
    await sleep(waitMs)
    await end()
    return lastsMs ? performance.now() : startedAt
  })
  const overAt = Math.max(...(await Promise.all(each)))
  const last = await right().catch((cause) => {
    throw new Error(`after ${nameRound(round, details)}`, { cause })
  })
  return { details, last, backMs: performance.now() - overAt }
}
