import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import type { Sql } from 'postgres'
import { type Address, erc20Abi, getAbiItem, type Hex } from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { factoriesOf } from '../../domain/addressBook/factories.ts'
import { CHAIN_ID, type Payment, type Place } from './keeperTraffic.ts'

type LedgerRow = {
  depositId: Hex
  paymentId: Hex
  attempt: number
  status: string
  remediation: string | null
  minted: string | null
  settledBy: Hex | null
  paidBy: Hex
  amount: string
  address: Address
  /** The payment id under which it was settled, alone or together with others. */
  settledAs: Hex
}

export type KeeperTally = {
  deposits: number
  /** Settled under the id of another payment. */
  together: number
  endings: Record<string, number>
  events: number
}

type Truth = {
  payments: Payment[]
  places: Place[]
  /** A database that was restored does not know the transactions that were sent after its backup. */
  isRestored?: boolean
}

/** The ledger agrees with the chain on every payment, and every event that was not taken back is recorded once, in order. */
export async function checkKeeperTruth(
  sql: Sql,
  world: World,
  { payments, places, isRestored = false }: Truth,
): Promise<KeeperTally> {
  const rows = await sql<LedgerRow[]>`
    select deposit_id as "depositId", payment_id as "paymentId", attempt, status, remediation,
      minted_amount as minted, settle_tx_hash as "settledBy", payment_tx_hash as "paidBy",
      received_amount as amount, address, coalesce(collected_as, payment_id) as "settledAs"
    from app.smart_deposit order by payment_id, attempt`
  const ends = rows.filter(
    ({ status, remediation }) => status !== 'reverted' && remediation !== 'retained',
  )
  deepStrictEqual(
    ends.map(({ paidBy, amount, address }) => `${paidBy} ${amount} ${address}`).sort(),
    payments.map(({ hash, amount, place }) => `${hash} ${amount} ${place.address}`).sort(),
  )
  await checkSettlements(world, ends)
  await checkBalances(world, places, ends)
  if (!isRestored) await checkNonces(sql, world, CHAIN_ID)
  const events = await checkEvents(sql, rows)
  const together = ends.filter(({ settledAs, paymentId }) => settledAs !== paymentId).length
  const endings: Record<string, number> = {}
  for (const { status, remediation } of rows) {
    const ending = remediation ?? status
    endings[ending] = (endings[ending] ?? 0) + 1
  }
  return { deposits: ends.length, together, endings, events }
}

const HOW = { Forwarded: null, Refunded: 'refunded', Recovered: 'recovered' } as const
const abi = smartDepositFactoryAbi
const SETTLEMENTS = [
  getAbiItem({ abi, name: 'Forwarded' }),
  getAbiItem({ abi, name: 'Refunded' }),
  getAbiItem({ abi, name: 'Recovered' }),
] as const

/** The factories have one event per payment, or per payments that were settled together, which matches the ledger. */
async function checkSettlements(world: World, ends: LedgerRow[]) {
  const chain = world.addressBook.chains.find(({ id }) => id === CHAIN_ID) ?? {}
  const logs = await worldClient(world, CHAIN_ID).getLogs({
    address: factoriesOf(chain).map(({ address }) => address),
    fromBlock: 0n,
    strict: true,
    events: SETTLEMENTS,
  })
  const together = Map.groupBy(ends, ({ settledAs }) => settledAs)
  strictEqual(logs.length, together.size)
  for (const { eventName, args, transactionHash: by } of logs) {
    const rows = together.get(args.payment) ?? []
    strictEqual(
      rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
      args.amount,
    )
    for (const { remediation: how, settledBy, minted, amount } of rows) {
      const part = 'shares' in args ? (args.shares * BigInt(amount)) / args.amount : null
      deepStrictEqual(
        { how, settledBy, minted },
        { how: HOW[eventName], settledBy: by, minted: part === null ? null : String(part) },
      )
    }
  }
}

/** Nothing is left at an address, and every amount is where the ledger has it. */
async function checkBalances(world: World, places: Place[], ends: LedgerRow[]) {
  const client = worldClient(world, CHAIN_ID)
  const balance = (address: Address, account: Address) =>
    client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  for (const { address, token } of places) strictEqual(await balance(token, address), 0n)
  const placeOf = new Map(places.map((place) => [place.address, place]))
  const shares = new Map<string, bigint>()
  const recovered = new Map<Address, bigint>()
  for (const row of ends) {
    const place = placeOf.get(row.address)
    if (!place) throw new Error(`a deposit to ${row.address}, which nobody paid`)
    const holder = `${place.vault} ${place.user}`
    if (row.minted) shares.set(holder, (shares.get(holder) ?? 0n) + BigInt(row.minted))
    if (row.remediation === 'recovered')
      recovered.set(place.token, (recovered.get(place.token) ?? 0n) + BigInt(row.amount))
  }
  for (const [holder, minted] of shares) {
    const [vault, user] = holder.split(' ') as [Address, Address]
    // A part of shares is rounded down.
    const rest = (await balance(vault, user)) - minted
    ok(rest >= 0n && rest < BigInt(ends.length))
  }
  for (const [token, amount] of recovered)
    strictEqual(await balance(token, DEVNET_ACTORS.recoveryWallet.address), amount)
}

/** Each key of a chain sent only transactions that are recorded, and none waits. */
export async function checkNonces(sql: Sql, world: World, chainId: number) {
  const client = worldClient(world, chainId)
  const intents = await sql<{ keeper: Address; nonce: bigint; state: string }[]>`
    select keeper, nonce, state from app.keeper_intent where chain_id = ${chainId} order by nonce`
  for (const [address, own] of Map.groupBy(intents, ({ keeper }) => keeper)) {
    const counted = await client.getTransactionCount({ address })
    deepStrictEqual(
      own.map(({ nonce }) => Number(nonce)),
      Array.from({ length: counted }, (_, nonce) => nonce),
    )
  }
  ok(intents.every(({ state }) => state !== 'open' && state !== 'lost'))
}

async function checkEvents(sql: Sql, rows: LedgerRow[]): Promise<number> {
  const recorded = await sql<{ organization: string; resource: string; kinds: string[] }[]>`
    select organization_id as organization, resource,
      array_agg(replace(type, 'smart_deposit.deposit.', '') order by resource_sequence) as kinds
    from app.event e where resource like 'smart_deposit:%' and type not like '%.reverted'
      and not exists (
        select 1 from app.event later where later.organization_id = e.organization_id
          and later.resource = e.resource and later.body->>'reverted_event_id' = e.id)
    group by 1, 2`
  const registrations = await sql<{ organization: string; address: Address }[]>`
    select organization_id as organization, address from app.smart_deposit_registration`
  const expected = rows
    .filter(({ status }) => status !== 'reverted')
    .flatMap((row) =>
      registrations
        .filter(({ address }) => address === row.address)
        .map(({ organization }) => ({
          organization,
          resource: `smart_deposit:${row.depositId}`,
          kinds:
            row.status === 'finalized'
              ? ['pending', 'confirmed', 'finalized']
              : ['pending', 'failed'],
        })),
    )
  const name = ({ organization, resource }: { organization: string; resource: string }) =>
    `${organization} ${resource}`
  const byName = (a: (typeof expected)[number], b: (typeof expected)[number]) =>
    name(a) < name(b) ? -1 : 1
  deepStrictEqual([...recorded].sort(byName), expected.sort(byName))
  return recorded.reduce((sum, { kinds }) => sum + kinds.length, 0)
}
