import { type Address, encodeFunctionData, type Hex } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { executeOrders } from '../../devnet/executeOrders.ts'
import { deliverPacket, readPackets } from '../../devnet/packets.ts'
import { worldClient, worldStations } from '../../devnet/world.ts'
import { refundSmartDeposit } from '../../domain/smartDeposit/refundSmartDeposit.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'
import { CHAIN_ID, chainMoves, kinds, settle, startKeptWorld, USDC, USDG } from './keeperWorld.ts'

/** The chain on which people pay, besides the vault's. */
export const AWAY = 4663
const user = userAt(3)

/** The vault's chain and another one, each with its keeper, and an api that signs their quotes. */
export async function startForeignWorld() {
  const { w, keeper, organizationId } = await startKeptWorld({
    chainIds: [CHAIN_ID, AWAY],
    withApi: true,
  })
  const away = await w.takeOver({}, AWAY)
  await settle(away, 1)
  const client = worldClient(w.world, AWAY)
  const next = { block: await client.getBlockNumber() }
  let customers = 0

  /** Carries what the stations have sent, and pays `share` of what each pending order of the vault's chain is due. */
  async function deliverOrders() {
    const source = worldStations(w.world).find(({ chainId }) => chainId === AWAY)
    if (!source) throw new Error('the chain has no station')
    for (const packet of await readPackets(w.world, source, next))
      await deliverPacket(w.world, packet)
  }

  async function pendingOrders() {
    const station = stationAt(CHAIN_ID)
    const orders = await w.client.readContract({
      address: station,
      abi: transitStationAbi,
      functionName: 'getPendingOrders',
    })
    return orders.map(({ terms, amountDue }) => ({
      orderId: terms.uuid,
      receiver: terms.receiver.toLowerCase() as Address,
      wantAsset: terms.wantAsset,
      amount: amountDue,
    }))
  }

  function stationAt(chainId: number) {
    const station = worldStations(w.world).find((one) => one.chainId === chainId)
    if (!station) throw new Error('the chain has no station')
    return station.station
  }

  /** Pays the orders for an address, or a part of them. */
  async function payOrders(address: Address, part = 1n) {
    const mine = (await pendingOrders()).filter(({ receiver }) => receiver === address)
    return executeOrders(
      w.client,
      stationAt(CHAIN_ID),
      mine.map(({ amount, ...order }) => ({ ...order, amount: amount / part })),
    )
  }

  return {
    w,
    home: keeper,
    away,
    organizationId,
    client,
    onAway: chainMoves(client),
    user,
    deliverOrders,
    payOrders,
    newAddress(fields: { vault?: Address; token?: Address } = {}) {
      customers += 1
      const customerId = `f${customers}`
      const organizationIds = [organizationId]
      return w.register({ user, ...fields, customerId, organizationIds, generation: 'B' })
    },
    kindsOf: async (address: Address) => kinds(await w.events(address)),
    /** The fields of its newest event. */
    lastEvent: async (address: Address) => (await w.events(address)).at(-1)?.body ?? {},
    /** As its organization does by the api, of its newest deposit. */
    async orderRefund(address: Address) {
      const [newest] = await w.context.sql<{ depositId: Hex }[]>`
        select r.deposit_id as "depositId" from app.smart_deposit d
        join app.smart_deposit_report r using (deposit_id)
        where d.address = ${address} and d.status = 'failed' order by d.attempt desc limit 1`
      const permissions = ['smart-deposits:refund']
      const caller = { organizationId, actor: 'key:test', permissions, changes: permissions }
      const context = { ...w.context, caller: caller as never }
      await refundSmartDeposit(context as never, newest?.depositId ?? '0x')
    },
    /** Opens or closes the route by which payments come from the other chain. */
    async approveRoute(isApproved: boolean) {
      const home = worldStations(w.world).find(({ chainId }) => chainId === CHAIN_ID)
      await chainMoves(client).send(
        DEVNET_ACTORS.deployer,
        stationAt(AWAY),
        encodeFunctionData({
          abi: transitStationAbi,
          functionName: 'setRouteApprovals',
          args: [[{ destEID: home?.eid ?? 0, offerAsset: USDG, wantAsset: USDC }], [isApproved]],
        }),
      )
    },
    /** Forgets what the keeper has sent for the payments of an address, and how they ended. */
    async loseLedger(address: Address) {
      const { sql } = w.context
      await sql`with parts as (
          delete from app.keeper_part p using app.smart_deposit d
          where d.deposit_id = p.deposit_id and d.address = ${address}
          returning p.chain_id, p.keeper, p.nonce
        ), transactions as (
          delete from app.keeper_transaction t using parts p
          where p.chain_id = t.chain_id and p.keeper = t.keeper and p.nonce = t.nonce
        )
        delete from app.keeper_intent i using parts p
        where p.chain_id = i.chain_id and p.keeper = i.keeper and p.nonce = i.nonce`
      await sql`update app.smart_deposit set status = 'pending', order_id = null,
        order_amount = null, settle_tx_hash = null, settle_block_number = null,
        settle_block_hash = null where address = ${address}`
    },
    /** As the index shows an order that was removed on the vault's chain, perhaps after a part of it was paid. */
    async indexRemoval(id: Hex, { finalized, paid = 0n }: { finalized: boolean; paid?: bigint }) {
      const { sql } = w.context
      await sql`delete from facts.transit_source where order_id = ${id}`
      await sql`delete from facts.transit_destination where order_id = ${id}`
      const log = { chainId: CHAIN_ID, transactionHash: id, timestamp: 1_700_000_009 }
      const remaining = '1000000'
      const executions =
        paid === 0n ? [] : [{ ...log, logIndex: 1, amount: String(paid), remaining }]
      const changes = {
        id,
        source_chain_id: AWAY,
        destination_chain_id: CHAIN_ID,
        status: 'REMOVED' as const,
        remaining_amount_due: remaining,
        removals: [{ ...log, logIndex: 2 }],
        executions,
        finalized,
      }
      await insertOrder(sql, orderRow(changes))
    },
    /** Makes the next look at the orders of an address due now. */
    lookAtOrders: (address: Address) => w.context.sql`
      update app.smart_deposit set retry_at = now()
      where address = ${address} and status = 'converting'`,
    /** The keeper's order of the newest payment to an address. */
    async orderOf(address: Address): Promise<Hex> {
      const [row] = await w.context.sql<{ id: Hex }[]>`
        select order_id as id from app.smart_deposit
        where address = ${address} and order_id is not null order by created_at desc limit 1`
      return row?.id ?? '0x'
    },
  }
}

export type ForeignWorld = Awaited<ReturnType<typeof startForeignWorld>>
