import type { VaultOracle } from '../vaultOracle.ts'
import type { OracleDeployment } from './oracleBook.ts'
import { logsOf, type OracleChain, type OracleLog } from './oracleChain.ts'
import { ENDED_OTHERWISE, MARKED, type OracleOrder, PROCESSED, SUBMITTED } from './oracleOrders.ts'
import { addressIn } from './oracleRpc.ts'
import { RATE_UPDATED, SHARE_BURN, SHARE_MINT, SHARE_TRANSFER } from './oracleSeries.ts'

type At = { chain: OracleChain; deployment: OracleDeployment }

/**
 * Differences between the sums of the logs and the contracts' state: shares, rates and the outcomes of
 * requests. Empty if the oracle's two sources agree.
 */
export async function crossCheck(oracle: VaultOracle): Promise<string[]> {
  const doubts = await Promise.all(
    oracle.deployments.map(async (deployment) => {
      const chain = oracle.chains.find(({ chainId }) => chainId === deployment.chainId)
      if (!chain) return []
      const at = { chain, deployment }
      const orders = oracle.orders.filter((order) => order.deployment === deployment)
      const [shares, rates] = await Promise.all([checkShares(at), checkRates(at)])
      return [...shares, ...rates, ...orders.flatMap((order) => checkOrder(chain, order))]
    }),
  )
  return doubts.flat()
}

/** The supply after every block in which it changed, and all final balances. */
async function checkShares({ chain, deployment: { vault } }: At): Promise<string[]> {
  const balances = new Map<string, bigint>()
  const add = (account: string, change: bigint) =>
    balances.set(account, (balances.get(account) ?? 0n) + change)
  const nobody = addressIn(0n)
  for (const { indexed, words } of logsOf(chain, [vault], SHARE_TRANSFER)) {
    const [amount = 0n] = words
    add(addressIn(indexed[0]), -amount)
    add(addressIn(indexed[1]), amount)
  }
  const supplies = new Map<number, bigint>()
  let supplied = 0n
  // A mint's transfer comes from the zero address and a burn's goes to it, but neither is its balance.
  const supplyLogs = [
    ...logsOf(chain, [vault], SHARE_MINT).map((log) => ({ ...log, sign: 1n })),
    ...logsOf(chain, [vault], SHARE_BURN).map((log) => ({ ...log, sign: -1n })),
  ].sort((a, b) => a.block - b.block)
  for (const { words, block, sign } of supplyLogs) {
    const change = sign * (words[1] ?? 0n)
    add(nobody, change)
    supplied += change
    supplies.set(block, supplied)
  }
  const supply = [...supplies].map(async ([block, folded]) =>
    unlike(`supply of ${vault} in ${block}`, folded, await chain.ask({ to: vault, block }, SUPPLY)),
  )
  const held = [...balances].map(async ([account, folded]) =>
    unlike(`${account} of ${vault}`, folded, await chain.ask({ to: vault }, BALANCE, [account])),
  )
  return (await Promise.all([...supply, ...held])).flat()
}

const SUPPLY = 'totalSupply()'
const BALANCE = 'balanceOf(address)'

/** The rate after every block in which it was set: each starts where the one before ended, at first from one. */
async function checkRates({ chain, deployment: { vault, accountants } }: At): Promise<string[]> {
  const one = 10n ** (await chain.ask({ to: vault }, 'decimals()'))
  const perAccountant = accountants.map(async ({ address: to }) => {
    let folded = one
    const doubts: (string[] | Promise<string[]>)[] = []
    const perBlock = Map.groupBy(logsOf(chain, [to], RATE_UPDATED), ({ block }) => block)
    for (const [block, updates] of perBlock) {
      for (const { words } of updates) {
        const [before = 0n, after = 0n] = words
        doubts.push(unlike(`rate of ${to} before ${block}`, folded, before))
        folded = after
      }
      doubts.push(checkRate(chain, { to, block, folded }))
    }
    doubts.push(checkRate(chain, { to, block: chain.head.number, folded }))
    return (await Promise.all(doubts)).flat()
  })
  return (await Promise.all(perAccountant)).flat()
}

type Folded = { to: string; block: number; folded: bigint }

async function checkRate(chain: OracleChain, { to, block, folded }: Folded): Promise<string[]> {
  return unlike(`rate of ${to} in ${block}`, folded, await chain.ask({ to, block }, 'getRate()'))
}

function checkOrder(chain: OracleChain, order: OracleOrder): string[] {
  const { queue, orderIndex, finerStatus, payment } = order
  const name = `order ${orderIndex} of ${queue}`
  const said = (signatures: string[]) =>
    logsOf(chain, [queue], signatures).filter(({ indexed }) => indexed[0] === orderIndex)
  const processed = said(PROCESSED).at(-1)
  // Only the newest generation's event has the amounts, after the six words of the order.
  const [fee, assets] = processed?.words.slice(6) ?? []
  return [
    ...unlike(name, foldStatus(said), finerStatus),
    ...(payment && assets !== undefined
      ? [...unlike(`${name}: fee`, fee, payment.fee), ...unlike(name, assets, payment.assets)]
      : []),
  ]
}

/** The result of `getOrderStatus` after these events. */
function foldStatus(said: (signatures: string[]) => OracleLog[]): number {
  const [refunded = '', refundedOf5 = '', refundFailed = ''] = ENDED_OTHERWISE
  const processed = said(PROCESSED).at(-1)
  const didFailTransfer = processed?.words[4] === 1n
  if (said([refundFailed]).length > 0) return 7
  if (processed && !didFailTransfer) return processed.indexed[2] === 1n ? 3 : 2
  if (said([refunded, refundedOf5]).length > 0) return didFailTransfer ? 6 : 5
  if (said(MARKED).length > 0) return 4
  return said(SUBMITTED).length > 0 ? 1 : 0
}

function unlike(
  what: string,
  folded: bigint | number | undefined,
  said: bigint | number,
): string[] {
  return folded === said ? [] : [`${what}: ${folded} by the logs, ${said} by the contract`]
}
