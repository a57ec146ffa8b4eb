import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex, LocalAccount } from 'viem'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { LIVES, type Life } from '../endToEnd/lives.ts'
import { startCuttingProxy } from '../support/cuttingProxy.ts'
import { orderOnChain } from '../support/orderOnChain.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'
import type { FollowerOrder, FollowerReport } from './followerProcess.ts'

export type FollowOptions = { orders: number; restarts: number; seed: number }

export type FollowResult = {
  /** The reports of each follower, and what the chains' logs show for its order. */
  lives: { follower: string; seen: string[]; expected: string[]; end: string | null | undefined }[]
  cuts: number
  resources: Extract<FollowerReport, { of: 'resources' }>
  /** The follower's process ended by itself. */
  exitCode: number | null
}

type Placed = { orderId: Hex; life: Life }

const USERS = 5
const FINAL_BLOCKS = 70

/**
 * A program follows orders by the SDK through a proxy that cuts connections, while the api is killed or stopped and
 * started again. Some followers are aborted. The chains' logs are what all of them should have seen.
 */
export async function runFollowRounds({
  orders,
  restarts,
  seed,
}: FollowOptions): Promise<FollowResult> {
  const random = seededRandom(seed)
  await using started = new AsyncDisposableStack()
  const product = await startTestProduct()
  started.defer(product.stop)
  const proxy = await startCuttingProxy(product.url, { random, chance: 0.2, everyMs: 150 })
  started.defer(proxy.stop)
  const program = startProgram(proxy.url)
  started.defer(program.stop)

  const aborted: string[] = []
  const restarting = restartApi(product, { random, restarts })
  // `await restarting` below throws its failure. Without a handler until then, Node would end the process.
  restarting.catch(() => {})
  const placed = await liveOrders(product, { random, orders }, ({ orderId }, index) => {
    program.tell({ do: 'follow', follower: `${index}`, orderId })
    if (index % 5 > 0) return
    const follower = `${index} aborted`
    aborted.push(follower)
    program.tell({ do: 'follow', follower, orderId })
    setTimeout(() => program.tell({ do: 'abort', follower }), random.integer(100, 8_000))
  })
  await restarting
  for (const chainId of [1, 4663])
    await worldClient(product.world, chainId).mine({ blocks: FINAL_BLOCKS })
  await program.untilOver(orders + aborted.length)
  const resources = await program.end()
  const lives = await Promise.all(
    placed.map(async ({ orderId, life: { from, to } }, index) => {
      const { order } = await orderOnChain(product.world, { orderId, from, to })
      const expected = [...order.timeline.map(keyOfStep), 'FINALIZED']
      return [`${index}`, `${index} aborted`].flatMap((follower) => {
        const seen = program.seen.get(follower)
        return seen ? [{ follower, seen, expected, end: program.ends.get(follower) }] : []
      })
    }),
  )
  return { lives: lives.flat(), cuts: proxy.cuts(), ...resources }
}

function keyOfStep(step: object): string {
  const { step: name, txHash, remaining } = step as Record<string, string | undefined>
  return [name, txHash, remaining].join(' ')
}

type Living = { random: SeededRandom; orders: number }

/** Places orders from several users at once, and makes their steps in a random order among them. */
async function liveOrders(
  { world }: TestProduct,
  { random, orders }: Living,
  onPlaced: (placed: Placed, index: number) => void,
): Promise<Placed[]> {
  const placed: Placed[] = []
  const waiting: { order: Placed; steps: Life['steps'] }[] = []
  const place = async (user: LocalAccount) => {
    while (placed.length < orders) {
      const life = random.pick(Object.values(LIVES) as [Life, ...Life[]])
      const { from, to, offer, want, steps, ...request } = life
      const order = { life, orderId: '0x' as Hex }
      const index = placed.push(order) - 1
      const { orderId } = await placeOrder(world, {
        user,
        sourceChainId: from,
        destinationChainId: to,
        offerAsset: DEPLOYMENT.tokens[offer],
        wantAsset: DEPLOYMENT.tokens[want],
        ...request,
      })
      order.orderId = orderId
      onPlaced(order, index)
      waiting.push({ order, steps: [...steps] })
    }
  }
  const placing = Promise.all(Array.from({ length: USERS }, (_, user) => place(userAt(user))))
  let isPlacing = true
  const over = placing.finally(() => {
    isPlacing = false
  })
  while (isPlacing || waiting.length > 0) {
    const next = waiting.splice(random.integer(0, waiting.length - 1), 1)[0]
    const step = next?.steps.shift()
    if (!next || !step) {
      await sleep(20)
      continue
    }
    const { orderId, life } = next.order
    await ORDER_STEPS[step](world, { orderId, ...life })
    if (next.steps.length > 0) waiting.push(next)
  }
  await over
  return placed
}

async function restartApi(
  product: TestProduct,
  { random, restarts }: { random: SeededRandom; restarts: number },
) {
  for (let restart = 0; restart < restarts; restart++) {
    await sleep(random.integer(500, 2_500))
    await product.restartApi(restart % 2 === 0 ? 'kill' : 'stop')
  }
}

/** The process of the followers. */
function startProgram(url: string) {
  const child = fork(join(import.meta.dirname, 'followerProcess.ts'), [url])
  const seen = new Map<string, string[]>()
  const ends = new Map<string, string | null>()
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const reported = Promise.withResolvers<FollowResult['resources']>()
  child.on('message', (message: FollowerReport) => {
    if (message.of === 'step') seen.get(message.follower)?.push(message.step)
    if (message.of === 'over') ends.set(message.follower, message.error)
    if (message.of === 'resources') reported.resolve(message)
  })
  const tell = (order: FollowerOrder) => {
    if (order.do === 'follow') seen.set(order.follower, [])
    child.send(order)
  }
  return {
    seen,
    ends,
    tell,
    /** Resolves once so many have ended, or after a while: the ends show which have not. */
    async untilOver(count: number) {
      const deadline = performance.now() + PATIENCE_MS
      while (ends.size < count && performance.now() < deadline) await sleep(50)
    },
    async end() {
      tell({ do: 'end' })
      const resources = await reported.promise
      const exitCode = await Promise.race([exited, sleep(5_000, null, { ref: false })])
      return { resources, exitCode }
    },
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
