import {
  type Address,
  BaseError,
  type Hex,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { mustRead } from '../../domain/chain/gatheredReads.ts'
import { readInParts } from '../../domain/chain/readInParts.ts'
import type { BlockId, KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { Keeper } from './keeper.ts'

/** Of a block's header what the keeper asks. */
export type Head = BlockId & { baseFeePerGas: bigint | null }

/** The newest block. Throws `RPC_UNAVAILABLE`. */
export async function readHead({ chain, service }: Keeper): Promise<Head> {
  const { number, hash, baseFeePerGas } = await service.chains.read(chain.id, (client) =>
    client.getBlock({ blockTag: 'latest' }),
  )
  return { number: Number(number), hash, baseFeePerGas }
}

/** The hash that the chain has at a height now; null for one that its node has not reached. */
export async function readHash({ chain, service }: Keeper, number: number): Promise<Hex | null> {
  return service.chains.read(chain.id, (client) =>
    client.getBlock({ blockNumber: BigInt(number) }).then(
      ({ hash }) => hash,
      (error) => nullIf(error, 'BlockNotFoundError'),
    ),
  )
}

/** Whether a block is in the chain; unknown, so left alone, where the chain is not so high now. */
export type Check = (block: BlockId) => Promise<'there' | 'gone' | 'unknown'>

/** The receipt of a transaction where it is in a block; null where the chain has none. */
export async function readReceipt(
  { chain, service }: Keeper,
  hash: Hex,
): Promise<TransactionReceipt | null> {
  return service.chains.read(chain.id, (client) =>
    client
      .getTransactionReceipt({ hash })
      .catch((error) => nullIf(error, TransactionReceiptNotFoundError.name)),
  )
}

function nullIf(error: unknown, name: string): null {
  if (error instanceof BaseError && error.name === name) return null
  throw error
}

export function blockOfReceipt({ blockNumber, blockHash }: TransactionReceipt): BlockId {
  return { number: Number(blockNumber), hash: blockHash }
}

const SETTLEMENTS = ['Forwarded', 'Refunded', 'Recovered'] as const

/** How the factory settled a receipt. */
export type Settled = {
  how: (typeof SETTLEMENTS)[number]
  /** Minted; 0 unless forwarded. */
  shares: bigint
}

/** What a transaction did about a receipt; null for nothing. */
export function settledIn(
  { logs }: TransactionReceipt,
  { factory, receiptId }: { factory: Address; receiptId: Hex },
): Settled | null {
  const events = parseEventLogs({
    abi: smartDepositFactoryAbi,
    eventName: [...SETTLEMENTS],
    logs: logs.filter(({ address }) => address.toLowerCase() === factory),
  })
  const found = events.find(({ args }) => args.receipt === receiptId)
  if (!found) return null
  const shares = found.eventName === 'Forwarded' ? found.args.shares : 0n
  return { how: found.eventName, shares }
}

/** Whether the factory has settled a receipt. */
export function readIsSettled(
  { chain, service }: Keeper,
  { factory, receiptId }: Pick<KeeperDeposit, 'factory' | 'receiptId'>,
): Promise<boolean> {
  return service.chains.read(chain.id, (client) =>
    mustRead(client, {
      address: factory,
      abi: smartDepositFactoryAbi,
      functionName: 'isSettled',
      args: [receiptId],
    }),
  )
}

const settlements = smartDepositFactoryAbi.filter(
  (item): item is Extract<typeof item, { name: Settled['how'] }> =>
    SETTLEMENTS.some((name) => name === item.name),
)

/**
 * The transaction that settled a receipt, whoever sent it; null where the logs do not show it, or show that
 * it moved something else than came under it: a stolen key can spend a receipt on other funds.
 */
export async function findSettlement(
  { chain, service }: Keeper,
  deposit: KeeperDeposit,
  head: number,
): Promise<Hex | null> {
  const range = { fromBlock: BigInt(deposit.receiptBlock.number), toBlock: BigInt(head) }
  const found = await readInParts(
    { chains: service.chains, chainId: chain.id },
    range,
    async (client, part) => {
      const logs = await client.getLogs({
        address: deposit.factory,
        events: settlements,
        strict: true,
        ...part,
      })
      return logs.filter(({ args }) => isSettlementOf(deposit, args))
    },
  )
  return found[0]?.transactionHash ?? null
}

type Moved = { receipt: Hex; account: Address; amount: bigint; token?: Address }

function isSettlementOf(
  { receiptId, address, inputToken, receivedAmount }: KeeperDeposit,
  { receipt, account, amount, token = inputToken }: Moved,
): boolean {
  return (
    receipt === receiptId &&
    account.toLowerCase() === address &&
    token.toLowerCase() === inputToken &&
    amount === receivedAmount
  )
}
