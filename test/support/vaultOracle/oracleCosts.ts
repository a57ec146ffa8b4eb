import { type At, type OracleDeposit, readStory } from './oracleActivity.ts'
import type { OracleDeployment } from './oracleBook.ts'
import { logsOf, type OracleLog } from './oracleChain.ts'
import { type OracleOrder, PROCESSED } from './oracleOrders.ts'
import { type OracleRates, openRates } from './oracleRates.ts'
import { addressIn } from './oracleRpc.ts'
import { SHARE_MINT } from './oracleSeries.ts'

/** The cost of an account's shares, and its earnings with those that left, in shares times rate. */
export type OracleCost = { cost: bigint; earned: bigint; hasTransferred: boolean }

/** Until the first update of the rate, sums are in shares and are worth the opening rate. */
type Sum = { amount: bigint; isValue: boolean }
type Account = { shares: bigint; cost: Sum; earned: Sum; hasTransferred: boolean }

const costsOf = new WeakMap<OracleDeployment, Promise<Map<string, OracleCost>>>()

/** The costs of every account of a deployment that ever had shares, by lower-case address. */
export function accountCosts(at: At): Promise<Map<string, OracleCost>> {
  const known = costsOf.get(at.deployment) ?? computeCosts(at)
  costsOf.set(at.deployment, known)
  return known
}

async function computeCosts(at: At): Promise<Map<string, OracleCost>> {
  const rates = await openRates(at)
  const story = readStory(at)
  const accounts = new Map<string, Account>()
  const ordersCost = new Map<OracleOrder, Sum>()
  const orderOf = new Map([...story.escrows].map(([order, log]) => [log, order]))
  const depositOf = new Map(story.deposits.map((deposit) => [deposit.passed, deposit]))
  const refundOf = new Map([...story.refunds].map(([order, { transfer }]) => [transfer, order]))
  const worth = (log: OracleLog, shares: bigint): Sum => {
    const isValue = rates.isUpdatedAt(log)
    return { amount: isValue ? shares * rates.at(log) : shares, isValue }
  }
  const accountOf = (address: string): Account => {
    const account = accounts.get(address) ?? {
      shares: 0n,
      cost: { amount: 0n, isValue: false },
      earned: { amount: 0n, isValue: false },
      hasTransferred: false,
    }
    accounts.set(address, account)
    return account
  }
  const plus = (log: OracleLog, sums: Sum[]) =>
    sums.map((sum) => atLog(rates, log, sum)).reduce(add, worth(log, 0n))

  function leave(log: OracleLog, address: string, shares: bigint) {
    const account = accountOf(address)
    const cost = atLog(rates, log, account.cost)
    const part = account.shares === shares ? cost.amount : (cost.amount * shares) / account.shares
    const left = { ...cost, amount: part }
    account.shares -= shares
    account.cost = { ...cost, amount: cost.amount - part }
    const order = orderOf.get(log)
    if (order) ordersCost.set(order, left)
    else account.earned = plus(log, [account.earned, worth(log, shares), negative(left)])
  }

  function arrive(log: OracleLog, address: string, shares: bigint) {
    const account = accountOf(address)
    account.shares += shares
    const deposit = depositOf.get(log)
    const order = refundOf.get(log)
    const isOwn = order?.user === address
    const kept = order && isOwn ? ordersCost.get(order) : undefined
    const cost = deposit ? paidFor(at, deposit, worth) : (kept ?? worth(log, shares))
    account.cost = plus(log, [account.cost, cost])
    if (!deposit && !isOwn) account.hasTransferred = true
  }

  /** Shares of a request that do not come back to its user have earned what they brought. */
  function settle(log: OracleLog, order: OracleOrder, shares: bigint) {
    const account = accountOf(order.user)
    const cost = ordersCost.get(order) ?? { amount: 0n, isValue: false }
    account.earned = plus(log, [account.earned, worth(log, shares), negative(cost)])
  }

  const settlements = [
    ...logsOf(at.chain, at.deployment.queues, PROCESSED).flatMap((log) => {
      const order = at.orders.find(
        ({ queue, orderIndex }) => queue === log.address && orderIndex === log.indexed[0],
      )
      if (!order?.payment) return []
      const shares = order.offerAmount - order.payment.fee
      return [{ log, run: () => settle(log, order, shares) }]
    }),
    ...[...story.refunds].flatMap(([order, { log, transfer }]) =>
      addressIn(transfer.indexed[1]) === order.user
        ? []
        : [{ log, run: () => settle(log, order, order.offerAmount) }],
    ),
  ]
  const moves = story.transfers.map((log) => {
    const [from, to] = [addressIn(log.indexed[0]), addressIn(log.indexed[1])]
    const [shares = 0n] = log.words
    return {
      log,
      run() {
        if (shares === 0n || from === to) return
        if (!story.passing.has(from)) leave(log, from, shares)
        if (!story.passing.has(to)) arrive(log, to, shares)
      },
    }
  })
  const steps = [...moves, ...settlements].sort(
    (a, b) => a.log.block - b.log.block || a.log.index - b.log.index,
  )
  for (const { run } of steps) run()
  const inValue = ({ amount, isValue }: Sum) => (isValue ? amount : amount * rates.opening)
  return new Map(
    [...accounts].map(([address, { cost, earned, hasTransferred }]) => [
      address,
      { cost: inValue(cost), earned: inValue(earned), hasTransferred },
    ]),
  )
}

/** The minted shares are for what was paid without the fee; the whole was paid. */
function paidFor(
  { chain, deployment }: At,
  { log, paid }: OracleDeposit,
  worth: (log: OracleLog, shares: bigint) => Sum,
): Sum {
  const mint = logsOf(chain, [deployment.vault], SHARE_MINT).findLast(
    ({ transaction, index, indexed }) =>
      transaction === log.transaction && index < log.index && addressIn(indexed[2]) === log.address,
  )
  const [taken = 0n, minted = 0n] = mint?.words ?? []
  if (!mint || taken === 0n)
    throw new Error(`nothing was minted for the deposit ${log.transaction}`)
  const value = worth(log, minted)
  return { ...value, amount: (value.amount * paid) / taken }
}

function atLog(rates: OracleRates, log: OracleLog, { amount, isValue }: Sum): Sum {
  if (isValue || !rates.isUpdatedAt(log)) return { amount, isValue }
  return { amount: amount * rates.opening, isValue: true }
}

function add(one: Sum, { amount }: Sum): Sum {
  return { ...one, amount: one.amount + amount }
}

function negative({ amount, isValue }: Sum): Sum {
  return { amount: -amount, isValue }
}
