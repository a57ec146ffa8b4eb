import type { Hex } from 'viem'
import { type KeeperDeposit, settledAmount } from '../../domain/smartDeposit/keeperDeposit.ts'
import {
  blockOfReceipt,
  findSettlement,
  type Head,
  readTransactionReceipt,
  type Settled,
  settledIn,
} from './chainReads.ts'
import { membersOf } from './collectionCall.ts'
import { listDeposits } from './depositRows.ts'
import { endSettled } from './endSettled.ts'
import type { Keeper } from './keeper.ts'
import { reportDeposits } from './reportDeposit.ts'
import { waitOrRetain } from './retainDeposit.ts'

/** Ends deposits that an unknown transaction settled: an administrator's, or one of a lost database. */
export async function endAsFound(keeper: Keeper, { paymentId }: KeeperDeposit, head: Head) {
  const { lease } = keeper
  const [deposit] = await listOpen(keeper, [paymentId])
  if (!deposit) return
  const hash = await findSettlement(keeper, deposit, head.number)
  const receipt = hash && (await readTransactionReceipt(keeper, hash))
  const settled = receipt && settledIn(receipt, deposit)
  if (receipt && receipt.blockNumber > BigInt(head.number)) return
  const ended = hash && settled ? await listEnded(keeper, { deposit, settled, hash }) : null
  // Logs may be late; a payment id that a stolen key used for other funds stays used.
  if (!receipt || !settled || !ended)
    return lease.write((sql) =>
      waitOrRetain(sql, keeper, { deposit, why: 'its payment was settled with other funds' }),
    )
  const { transactionHash: txHash } = receipt
  const settlement = { ...settled, txHash, block: blockOfReceipt(receipt), why: null }
  await lease.write(async (sql) => {
    const states: KeeperDeposit[] = []
    for (const one of ended) {
      await sql`
        update app.smart_deposit set collected_as = ${ended.length > 1 ? paymentId : null}
        where deposit_id = ${one.depositId}`
      states.push(await endSettled(sql, keeper, { deposit: one, settlement }))
    }
    await reportDeposits(sql, keeper, states)
  })
}

type Found = { deposit: KeeperDeposit; settled: Settled; hash: Hex }

/** All deposits that a settlement ended; null if they do not explain its amount. */
async function listEnded(keeper: Keeper, { deposit, settled, hash }: Found) {
  if (settled.amount === settledAmount(deposit)) return [deposit]
  const { input } = await keeper.service.chains.read(keeper.chain.id, (client) =>
    client.getTransaction({ hash }),
  )
  const members = await listOpen(keeper, membersOf(input))
  const total = members.reduce((sum, member) => sum + settledAmount(member), 0n)
  const isAll = members.some(({ paymentId }) => paymentId === deposit.paymentId)
  return isAll && total === settled.amount ? members : null
}

function listOpen({ sql, chain }: Keeper, paymentIds: readonly Hex[]) {
  return listDeposits(
    sql,
    sql`d.chain_id = ${chain.id} and d.payment_id = any(${paymentIds}::text[])
      and d.status in ('pending', 'retrying')`,
  )
}
