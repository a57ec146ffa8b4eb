import { setTimeout as sleep } from 'node:timers/promises'
import { ask as askApi } from '../support/ask.ts'
import { foldTransitOrders, type OracleChain, type OracleOrder } from '../support/transitOracle.ts'
import type { ChainVersion } from './chainHistory.ts'

/** An answer of an API about one order, or about a user's orders, and its time (`performance.now()`). */
export type Answer = {
  path: string
  /** 200 also for a 304: the body is then that of the answer with the tag. */
  status: number
  isUnchanged: boolean
  /** The indexed blocks that the answer names, by chain. */
  blocks: Map<number, number>
  body: Record<string, unknown>
  askedAt: number
  answeredAt: number
}

/** The answers that clients have kept, by path. They share them, as the clients of a balancer share its replicas. */
type Kept = Map<string, Pick<Answer, 'body'> & { etag: string }>

/**
 * Requests the paths from `paths` again and again, until `stop`, every other time with the tag of the last answer: a 304 counts
 * as the answer that it stands for, at the blocks that it names. A failed request counts as status 0.
 */
export function startAsking(
  urls: string[],
  paths: () => string[],
  { pauseMs = 15 }: { pauseMs?: number } = {},
) {
  const answers: Answer[] = []
  const kept: Kept = new Map()
  let isStopped = false
  let unchanged = 0
  async function run(url: string) {
    for (let isTagged = false; !isStopped; isTagged = !isTagged) {
      const all = paths()
      const path = all[Math.floor(Math.random() * all.length)]
      if (path) {
        const answer = await ask(url, path, { kept, isTagged })
        answers.push(answer)
        unchanged += Number(answer.isUnchanged)
      }
      await sleep(pauseMs)
    }
  }
  const running = urls.map(run)
  return {
    /** How many answers were a 304. */
    unchanged: () => unchanged,
    /** The answers since the last call. */
    take: () => answers.splice(0),
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}

async function ask(
  url: string,
  path: string,
  { kept, isTagged }: { kept: Kept; isTagged: boolean },
): Promise<Answer> {
  const known = isTagged ? kept.get(path) : undefined
  const askedAt = performance.now()
  const response = await askApi(`${url}${path}`, {
    headers: known ? { 'if-none-match': known.etag } : {},
  }).catch(() => null)
  const isUnchanged = response?.status === 304 && known !== undefined
  const body = isUnchanged ? known.body : await bodyOf(response)
  const etag = response?.headers.get('etag')
  if (response?.status === 200 && etag) kept.set(path, { etag, body })
  return {
    path,
    status: isUnchanged ? 200 : (response?.status ?? 0),
    isUnchanged,
    blocks: parseBlocks(response?.headers.get('x-indexed-blocks') ?? ''),
    body,
    askedAt,
    answeredAt: performance.now(),
  }
}

async function bodyOf(response: Response | null): Promise<Answer['body']> {
  return ((await response?.json().catch(() => null)) ?? {}) as Answer['body']
}

function parseBlocks(text: string): Map<number, number> {
  const pairs = text.split(',').filter(Boolean)
  return new Map(
    pairs.map((pair): [number, number] => {
      const [chainId, block] = pair.split('=').map(Number)
      return [chainId ?? 0, block ?? 0]
    }),
  )
}

export type Truth = {
  chains: Omit<OracleChain, 'head'>[]
  versions: ChainVersion[]
  /** The times when the index was at every chain's head: no answer may go back behind these. */
  syncedAt: number[]
}

/**
 * Whether this answer is exactly right for some state of the chains at the blocks that it names, and that
 * the index could still have. A 503 proves nothing; the caller checks answers of status 0.
 */
export function isTrue(answer: Answer, truth: Truth): boolean {
  if (answer.status !== 200 && answer.status !== 404) return true
  return worlds(answer, truth).some((orders) => agrees(answer, orders))
}

/** Every combination of the chains' versions that the answer may have been read at. */
function worlds(answer: Answer, { chains, versions, syncedAt }: Truth): Map<string, OracleOrder>[] {
  const caughtUpAt = syncedAt.findLast((time) => time <= answer.askedAt) ?? 0
  const perChain = chains.map((chain) => {
    const block = answer.blocks.get(chain.chainId)
    return versions
      .filter(({ chainId }) => chainId === chain.chainId)
      .filter(({ from, until }) => from <= answer.answeredAt && until >= caughtUpAt)
      .filter(({ head }) => block === undefined || head.number >= block)
      .map(({ head, events }) => ({ chain: { ...chain, head: block ?? head.number }, events }))
  })
  const [first = [], second = [null]] = perChain
  return first.flatMap((a) =>
    second.map((b) =>
      foldTransitOrders(
        b ? [a.chain, b.chain] : [a.chain],
        b ? [...a.events, ...b.events] : a.events,
      ),
    ),
  )
}

function agrees({ path, status, body }: Answer, orders: Map<string, OracleOrder>): boolean {
  const { pathname, searchParams } = new URL(path, 'http://api')
  const user = searchParams.get('userAddress')?.toLowerCase()
  if (user === undefined) {
    const order = orders.get(pathname.split('/').at(-1) ?? '')
    const said = (body.order ?? {}) as Record<string, unknown>
    return status === 404 ? order === undefined : order !== undefined && says(said, order)
  }
  const expected = ordersOfUser(orders, user)
  const listed = (body.orders ?? []) as Record<string, unknown>[]
  return (
    expected.length === listed.length &&
    expected.every((order, index) => says(listed[index] ?? {}, order))
  )
}

/** Newest first, like a list; orders without a submission are in no list. */
function ordersOfUser(orders: Map<string, OracleOrder>, user: string): OracleOrder[] {
  return [...orders.values()]
    .filter(
      ({ user_address, receiver }) =>
        user_address !== null && (user_address === user || receiver === user),
    )
    .sort((a, b) => Number(b.created_at) - Number(a.created_at) || (a.id < b.id ? 1 : -1))
    .slice(0, 100)
}

/** Whether the API's order equals the oracle's, in every field that the chains decide. */
function says(body: Record<string, unknown>, order: OracleOrder): boolean {
  return JSON.stringify(spell(body, order)) === JSON.stringify(expectedOf(order))
}

function expectedOf(order: OracleOrder) {
  const records = (list: OracleOrder['removals']) =>
    list.map(
      ({ chainId, transactionHash, logIndex }) => `${chainId}-${transactionHash}-${logIndex}`,
    )
  return [
    order.id,
    order.status,
    order.source_chain_id,
    order.destination_chain_id,
    order.offer_amount,
    order.amount_due,
    order.remaining_amount_due,
    Number(order.receive_time),
    Number(order.created_at),
    Number(order.updated_at),
    order.finalized,
    records(order.executions),
    order.executions.map(({ remaining }) => remaining),
    records(order.removals),
    order.timeline.find(({ step }) => step === 'SUBMITTED')?.transactionHash ?? null,
    order.protocol_fee,
    order.integrator_fee,
    order.deadline === null ? null : Number(order.deadline),
    order.message_guid,
    order.timeline.map((step) => [
      step.step,
      step.chainId,
      step.transactionHash,
      step.blockNumber,
      step.timestamp,
      step.amount,
      step.remaining,
      step.finalized,
    ]),
  ]
}

type Record_ = { id: string; remaining?: string }

function spell(body: Record<string, unknown>, order: OracleOrder) {
  const executions = (body.orderExecuteds ?? []) as Record_[]
  const removals = (body.orderForceRemoveds ?? []) as Record_[]
  const seconds = (time: unknown) => Math.floor(Date.parse(String(time)) / 1_000)
  return [
    body.id,
    body.status,
    body.sourceChainId,
    body.destinationChainId,
    body.offerAmount,
    // Before arrival the amount due follows from the terms; the oracle lacks the decimals for it.
    order.amount_due === null ? null : body.amountDue,
    order.amount_due === null ? null : body.remainingAmountDue,
    body.receiveTime,
    seconds(body.createdAt),
    seconds(body.updatedAt),
    body.finalized,
    executions.map(({ id }) => id),
    executions.map(({ remaining }) => remaining),
    removals.map(({ id }) => id),
    body.sourceTxHash,
    body.protocolFee,
    body.integratorFee,
    body.deadline,
    body.messageGuid,
    ((body.timeline ?? []) as Record<string, unknown>[]).map((step) => [
      step.step,
      step.chainId,
      step.txHash,
      step.blockNumber,
      step.timestamp,
      step.amount ?? null,
      step.remaining ?? null,
      step.finalized,
    ]),
  ]
}
