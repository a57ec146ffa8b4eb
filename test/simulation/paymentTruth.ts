import type { Sql } from 'postgres'
import { type Address, erc20Abi, getAbiItem, type Hex, zeroAddress } from 'viem'
import { smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { MULTICALL3 } from '../../devnet/plan.ts'
import { VAULT_CHAINS } from '../../devnet/vaults/deployment.ts'
import { ONE_ADDRESS } from '../../devnet/vaults/writeOneAddress.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { MOST_UNLISTED } from '../../worker/smartDeposit/unlistedTokens.ts'
import { lower } from '../support/lower.ts'
import { checkNonces } from './keeperTruth.ts'
import { type PaidPlace, payers } from './paymentPlaces.ts'
import { endsOf, isDirect, minimumOf, type PaymentEnd, type Way } from './paymentRules.ts'

/** The world of the payments, when the first one was sent. */
export type PaymentWorld = {
  world: World
  sql: Sql
  places: readonly PaidPlace[]
  /** By chain id. */
  unlisted: ReadonlyMap<number, Address>
  /** The blocks after which the payments came, by chain id. */
  since: ReadonlyMap<number, bigint>
  /** At these blocks. */
  balances: Balances
}

export type PaymentTally = Partial<Record<PaymentEnd, number>>

/** By chain, token and account, in base units. */
type Balances = ReadonlyMap<string, bigint>

/** The newest attempt to settle a payment, or a transfer that is no deposit. */
type Row = Way & {
  paymentId: Hex
  address: Address
  amount: bigint
  paidBy: Hex
  status: string
  remediation: string | null
  reason: string | null
  isSmall: boolean
  isFinal: boolean
  orderId: Hex | null
  orderAmount: bigint | null
  /** The order that made this payment. */
  continues: Hex | null
  minted: bigint | null
  settledAs: Hex
}

type Ended = { row: Row; place: PaidPlace; end: PaymentEnd | null }

const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' })
const SETTLEMENTS = (['Forwarded', 'Converted', 'Refunded', 'Recovered'] as const).map((name) =>
  getAbiItem({ abi: smartDepositFactoryBAbi, name }),
)
const EVENT_OF: Partial<Record<PaymentEnd, string>> = {
  deposited: 'Forwarded',
  converted: 'Converted',
  refunded: 'Refunded',
  recovered: 'Recovered',
}
const VAULTS = new Set(
  VAULT_CHAINS.flatMap(({ deployments }) => deployments.map(({ vault }) => lower(vault))),
)
const TRANSIT = lower(DEPLOYMENT.vault)
const RECOVERY = lower(DEVNET_ACTORS.recoveryWallet.address)

/**
 * The differences between what the chains show, what the ledger has, and what the rules say; none once all payments have ended. Of each
 * chain only the logs are used, and the balances that they must explain.
 */
export async function findPaymentDifferences(
  of: PaymentWorld,
): Promise<{ differences: string[]; tally: PaymentTally }> {
  const transfers = await readTransfers(of)
  const ended = await readLedger(of)
  const tally: PaymentTally = {}
  for (const { end } of ended) if (end) tally[end] = (tally[end] ?? 0) + 1
  const differences = [
    ...comparePayments(of, transfers, ended),
    ...compareEnds(ended),
    ...compareUnlisted(of, ended),
    ...compareOrders(ended),
    ...compareSmall(ended),
    ...(await compareSettlements(of, ended)),
    ...compareFlows(of, transfers, ended),
    ...compareShares(transfers, ended),
    ...(await compareBalances(of, transfers)),
    ...(await compareNonces(of)),
  ]
  return { differences, tally }
}

type Transfer = Way & { from: Address; to: Address; amount: bigint; hash: Hex }

async function readTransfers({ world, since }: PaymentWorld): Promise<Transfer[]> {
  const perChain = [...since].map(async ([chainId, block]) => {
    const logs = await worldClient(world, chainId).getLogs({
      event: TRANSFER,
      fromBlock: block + 1n,
      strict: true,
    })
    return logs.map(({ address, args: { from, to, value }, transactionHash: hash }) => ({
      chainId,
      token: lower(address),
      from: lower(from),
      to: lower(to),
      amount: value,
      hash,
    }))
  })
  return (await Promise.all(perChain)).flat()
}

async function readLedger({ sql, places }: PaymentWorld): Promise<Ended[]> {
  const deposits = await sql<Row[]>`
    select distinct on (payment_id) payment_id as "paymentId", chain_id as "chainId", address, token,
      received_amount::text as amount, payment_tx_hash as "paidBy", status, remediation, reason,
      is_small as "isSmall", is_final as "isFinal", order_id as "orderId",
      order_amount::text as "orderAmount", continues, minted_amount::text as minted,
      coalesce(collected_as, payment_id) as "settledAs"
    from app.smart_deposit order by payment_id, attempt desc`
  const foreign = await sql<Row[]>`
    select payment_id as "paymentId", chain_id as "chainId", address, token, amount::text,
      tx_hash as "paidBy", 'foreign' as status, payment_id as "settledAs"
    from app.foreign_transfer`
  const placeOf = new Map(places.map((place) => [place.address, place]))
  return [...deposits, ...foreign].flatMap((row) => {
    const place = placeOf.get(row.address)
    if (!place || row.status === 'reverted') return []
    const big = (text: bigint | null) => (text === null || text === undefined ? null : BigInt(text))
    const read = {
      ...row,
      amount: BigInt(row.amount),
      orderAmount: big(row.orderAmount),
      minted: big(row.minted),
    }
    return [{ row: read, place, end: endOf(read) }]
  })
}

/** Null while it has not ended. */
function endOf({ status, remediation, reason, isSmall, isFinal, orderId }: Row): PaymentEnd | null {
  if (status === 'foreign') return 'foreign'
  if (status === 'retrying' && reason === 'TOKEN_NOT_ACCEPTED') return 'notAccepted'
  if (status === 'retrying' && isSmall) return 'small'
  if (!isFinal) return null
  if (status === 'finalized') return orderId ? 'converted' : 'deposited'
  const isReturned = remediation === 'refunded' || remediation === 'recovered'
  // What an order paid can be sent back at home.
  if (status !== 'failed' || !isReturned) return null
  return orderId ? 'converted' : remediation
}

const spell = ({ chainId, token, address, amount, paidBy, status }: Row) =>
  `${status} payment of ${amount} ${token} to ${address} on chain ${chainId} by ${paidBy}`

/** Each payment of the chains is in the ledger once, and no other. */
function comparePayments({ places }: PaymentWorld, transfers: Transfer[], ended: Ended[]) {
  const addresses = new Set(places.map(({ address }) => address))
  const spellPaid = (one: Way & { amount: bigint }, to: Address, hash: Hex) =>
    `${one.amount} ${one.token} to ${to} on chain ${one.chainId} by ${hash}`
  const paid = transfers
    .filter(({ to }) => addresses.has(to))
    .map((one) => spellPaid(one, one.to, one.hash))
  const recorded = ended.map(({ row }) => spellPaid(row, row.address, row.paidBy))
  return compareLists('payment', paid, recorded)
}

function compareEnds(ended: Ended[]): string[] {
  return ended.flatMap(({ row, place, end }) => {
    // What an order pays ends as what is paid directly.
    const allowed: PaymentEnd[] = endsOf({ ...row, place })
    if (end && allowed.includes(end)) return []
    return [`${spell(row)}: ${end ?? 'open'} instead of ${allowed.join(' or ')}`]
  })
}

/** Of unlisted tokens, as many payments of an address are deposits as may be. */
function compareUnlisted({ unlisted }: PaymentWorld, ended: Ended[]): string[] {
  const paid = ended.filter(({ row }) => unlisted.get(row.chainId) === row.token)
  const groups = Map.groupBy(paid, ({ row }) => `${row.address} on chain ${row.chainId}`)
  return [...groups].flatMap(([name, group]) => {
    const deposits = group.filter(({ end }) => end === 'notAccepted').length
    const least = Math.min(group.length, MOST_UNLISTED.ofAddress)
    return deposits >= least
      ? []
      : [`${name}: ${deposits} of ${group.length} unlisted payments are deposits`]
  })
}

/** What an order was to pay has come, and its deposit minted what its payments minted. */
function compareOrders(ended: Ended[]): string[] {
  const arrivals = Map.groupBy(ended, ({ row }) => row.continues)
  const known = new Set(ended.map(({ row }) => row.orderId))
  const unknown = [...arrivals.keys()].filter((order) => order !== null && !known.has(order))
  return [
    ...unknown.map((order) => `what order ${order} paid goes on with no deposit`),
    ...ended.flatMap(({ row }) => {
      if (!row.orderId) return []
      const parts = arrivals.get(row.orderId) ?? []
      const came = parts.reduce((sum, part) => sum + part.row.amount, 0n)
      const minted = parts.reduce((sum, part) => sum + (part.row.minted ?? 0n), 0n)
      if (came === row.orderAmount && minted === row.minted) return []
      return [
        `${spell(row)}: ${came} of ${row.orderAmount} came, ${minted} of ${row.minted} minted`,
      ]
    }),
  ]
}

/** What waits as too small at an address is less than the minimum together, and what was settled of small payments is not. */
function compareSmall(ended: Ended[]): string[] {
  const small = ended.filter(
    ({ row, place }) =>
      place.settlesSmall && isDirect({ ...row, place }) && row.amount < minimumOf(row.token),
  )
  const groups = Map.groupBy(small, ({ row, end }) =>
    end === 'small' ? `waiting at ${row.address}` : `settled as ${row.settledAs}`,
  )
  return [...groups].flatMap(([name, group]) => {
    const sum = group.reduce((total, { row }) => total + row.amount, 0n)
    const isEnough = group.some(({ row }) => sum >= minimumOf(row.token))
    return isEnough === name.startsWith('settled') ? [] : [`${sum} of small payments ${name}`]
  })
}

/** The factories have one event for each payment that the ledger has as settled, with its amount. */
async function compareSettlements({ world, since }: PaymentWorld, ended: Ended[]) {
  const perChain = [...since].map(async ([chainId, block]) => {
    const logs = await worldClient(world, chainId).getLogs({
      address: ONE_ADDRESS.factory,
      events: SETTLEMENTS,
      fromBlock: block + 1n,
      strict: true,
    })
    return logs.map(
      ({ eventName, args: { payment, amount } }) =>
        `${eventName} of ${amount} as ${payment} on chain ${chainId}`,
    )
  })
  const settled = ended.filter(({ end }) => end && EVENT_OF[end])
  const groups = Map.groupBy(settled, ({ row, end }) => [end, row.chainId, row.settledAs].join(' '))
  const expected = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first?.end) return []
    const amount = group.reduce((sum, { row }) => sum + row.amount, 0n)
    const { settledAs, chainId } = first.row
    return [`${EVENT_OF[first.end]} of ${amount} as ${settledAs} on chain ${chainId}`]
  })
  return compareLists('settlement', (await Promise.all(perChain)).flat(), expected)
}

const key = ({ chainId, token }: Way, account: string) => `${chainId} ${token} ${account}`

/** The known accounts of one kind are one name: what lies with any of them is in its place. */
function nameOf(account: Address): string {
  if (payers().some(({ address }) => lower(address) === account)) return 'payers'
  if (account === TRANSIT) return 'Transit'
  if (account === RECOVERY) return 'the recovery wallet'
  // A vault's fees are a part of what was deposited.
  if (VAULTS.has(account) || account === lower(DEVNET_ACTORS.feeRecipient.address)) return 'vaults'
  return account
}

/** Each token lies where the ledger has it, and nowhere else: what came from the payers is with vaults, users, Transit, or at an address. */
function compareFlows({ places }: PaymentWorld, transfers: Transfer[], ended: Ended[]): string[] {
  const flows = new Map<string, bigint>()
  const add = (way: Way, name: string, amount: bigint) =>
    flows.set(key(way, name), (flows.get(key(way, name)) ?? 0n) + amount)
  for (const one of transfers.filter(({ token }) => !VAULTS.has(token))) {
    add(one, nameOf(one.from), -one.amount)
    add(one, nameOf(one.to), one.amount)
  }
  for (const { row, place, end } of ended) {
    add(row, row.continues ? 'Transit' : 'payers', row.amount)
    add(row, holderOf(row, place, end), -row.amount)
  }
  const known = new Set(places.map(({ address }) => address as string))
  return [...flows].flatMap(([name, rest]) => {
    if (rest === 0n) return []
    const of = known.has(name.split(' ')[2] ?? '') ? 'lies at the address' : 'is not in the ledger'
    return [`${rest} ${of}: ${name}`]
  })
}

function holderOf({ address }: Row, { user }: PaidPlace, end: PaymentEnd | null): string {
  switch (end) {
    case 'deposited':
      return 'vaults'
    case 'converted':
      return 'Transit'
    case 'refunded':
      return user
    case 'recovered':
      return 'the recovery wallet'
    default:
      return address
  }
}

/** Each user has the shares of its deposits. A part of shares is rounded down. */
function compareShares(transfers: Transfer[], ended: Ended[]): string[] {
  const held = new Map<string, bigint>()
  const add = (name: string, amount: bigint) => held.set(name, (held.get(name) ?? 0n) + amount)
  for (const one of transfers.filter(({ token }) => VAULTS.has(token))) {
    if (one.from !== zeroAddress) add(key(one, one.from), -one.amount)
    if (one.to !== zeroAddress) add(key(one, one.to), one.amount)
  }
  for (const { row, place } of ended)
    if (row.minted && !row.orderId)
      add(key({ chainId: place.chainId, token: place.vault }, place.user), -row.minted)
  return [...held].flatMap(([name, rest]) =>
    rest >= 0n && rest < BigInt(ended.length) ? [] : [`${rest} shares too many: ${name}`],
  )
}

/** The present balances of all accounts that the payments may concern, by chain, token and account. */
export async function readPaymentBalances({
  world,
  places,
  unlisted,
}: Pick<PaymentWorld, 'world' | 'places' | 'unlisted'>): Promise<Balances> {
  const accounts = new Set([
    ...places.flatMap(({ address, user }) => [address, user]),
    ...payers().map(({ address }) => lower(address)),
    ...VAULTS,
    lower(DEVNET_ACTORS.feeRecipient.address),
    TRANSIT,
    RECOVERY,
  ])
  const perChain = [...unlisted].map(async ([chainId, worthless]) => {
    const tokens = [...Object.values(DEPLOYMENT.tokens).map(lower), worthless]
    const ways = tokens.flatMap((token) =>
      [...accounts].map((account) => ({ chainId, token, account })),
    )
    const balances = await worldClient(world, chainId).multicall({
      multicallAddress: MULTICALL3,
      allowFailure: false,
      contracts: ways.map(({ token, account }) => ({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf' as const,
        args: [account] as const,
      })),
    })
    return ways.map((way, index) => [key(way, way.account), balances[index] ?? 0n] as const)
  })
  return new Map((await Promise.all(perChain)).flat())
}

/** The logs explain what every account has. */
async function compareBalances(of: PaymentWorld, transfers: Transfer[]): Promise<string[]> {
  const now = await readPaymentBalances(of)
  const changes = new Map<string, bigint>()
  const add = (name: string, amount: bigint) =>
    changes.set(name, (changes.get(name) ?? 0n) + amount)
  for (const one of transfers) {
    add(key(one, one.from), -one.amount)
    add(key(one, one.to), one.amount)
  }
  return [...now].flatMap(([name, balance]) => {
    const change = balance - (of.balances.get(name) ?? 0n)
    const logged = changes.get(name) ?? 0n
    return change === logged
      ? []
      : [`the balance changed by ${change}, the logs say ${logged}: ${name}`]
  })
}

async function compareNonces({ sql, world, since }: PaymentWorld): Promise<string[]> {
  const each = [...since.keys()].map((chainId) =>
    checkNonces(sql, world, chainId).then(
      () => [],
      (error) => [`transactions of the keeper on chain ${chainId}: ${error}`],
    ),
  )
  return (await Promise.all(each)).flat()
}

/** The entries that are in one of two lists alone, each as often as it is there too much. */
function compareLists(what: string, onChain: string[], inLedger: string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of onChain) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const name of inLedger) counts.set(name, (counts.get(name) ?? 0) - 1)
  return [...counts].flatMap(([name, count]) => {
    if (count === 0) return []
    return [`${what} ${count > 0 ? 'only on chain' : 'only in the ledger'}: ${name}`]
  })
}
