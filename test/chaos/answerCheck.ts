import type { Hex } from 'viem'
import type { World } from '../../devnet/world.ts'
import { type Answer, isTrue, startAsking } from '../simulation/answerLog.ts'
import type { ChainHistory } from '../simulation/chainHistory.ts'
import { createMemory } from '../simulation/memory.ts'
import { pathsOf } from '../simulation/randomTraffic.ts'

export type AnswerTally = { answers: number; refused: number; unchanged: number }

export type AnswerCheck = {
  tally(): AnswerTally
  /** Until `synced` an answer may be of a chain before and after a reorganisation, and may be refused if so said. */
  forget(mayRefuse: boolean): void
  /** The index is at every chain's head: no answer to a later request may be older than this. */
  synced(): void
  /** The differences of the answers since the last call. */
  check(): Promise<string[]>
  stop(): Promise<void>
}

const PAUSE_MS = 120

type Asked = {
  world: World
  /** Each has one client. */
  apis: readonly { current(): { url: string } }[]
}

/**
 * Clients of all apis that read orders, every other time with the tag of an earlier answer. Each answer must be true of
 * some state of the chains, and none older than one before it.
 */
export function startAnswerCheck(
  { world, apis }: Asked,
  histories: ChainHistory[],
  orderIds: () => Hex[],
): AnswerCheck {
  const chains = world.addressBook.chains.map(({ id, eid = 0, finalityDepth }) => ({
    chainId: id,
    eid,
    finalityDepth,
  }))
  const urls = apis.map((api) => api.current().url)
  const asking = startAsking(urls, () => pathsOf(orderIds()), { pauseMs: PAUSE_MS })
  const syncedAt: number[] = []
  const tally = { answers: 0, refused: 0 }
  let memory = createMemory()
  let remembersFrom = 0
  let mayRefuseBefore = Number.POSITIVE_INFINITY

  /** The fault of an answer; null if it has none. */
  function wrong(answer: Answer): string | null {
    if (isRefused(answer)) {
      tally.refused += 1
      return answer.askedAt < mayRefuseBefore ? null : `refused without reason: ${spell(answer)}`
    }
    const versions = histories.flatMap((history) => history.versions())
    if (!isTrue(answer, { chains, versions, syncedAt }))
      return `true of no state of the chains: ${spell(answer)}`
    if (answer.askedAt < remembersFrom) return null
    try {
      memory.check(answer)
      return null
    } catch (error) {
      return String(error)
    }
  }

  return {
    tally: () => ({ ...tally, unchanged: asking.unchanged() }),
    forget(mayRefuse) {
      remembersFrom = Number.POSITIVE_INFINITY
      if (mayRefuse) mayRefuseBefore = Number.POSITIVE_INFINITY
    },
    synced() {
      syncedAt.push(performance.now())
      if (mayRefuseBefore === Number.POSITIVE_INFINITY) mayRefuseBefore = performance.now()
      if (remembersFrom < Number.POSITIVE_INFINITY) return
      memory = createMemory()
      remembersFrom = performance.now()
    },
    async check() {
      const answers = asking.take()
      for (const history of histories) await history.read()
      tally.answers += answers.length
      return answers.flatMap((answer) => wrong(answer) ?? [])
    },
    stop: asking.stop,
  }
}

/** An order on chain that is not indexed yet answers NOT_YET_INDEXED, which is no refusal. */
function isRefused({ status, body }: Answer): boolean {
  return status === 0 || (status === 503 && !JSON.stringify(body).includes('NOT_YET_INDEXED'))
}

function spell(answer: Answer): string {
  return JSON.stringify({ ...answer, blocks: [...answer.blocks] }).slice(0, 3_000)
}
