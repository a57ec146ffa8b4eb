import {
  type Address,
  BaseError,
  erc20Abi,
  type Hex,
  type Log,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { multicall3Abi } from '../../abis/multicall3.ts'
import { smartDepositFactoryAbi, smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { mustRead } from '../../domain/chain/gatheredReads.ts'
import { readInParts } from '../../domain/chain/readInParts.ts'
import { nullIf } from '../../domain/chain/revert.ts'
import {
  type BlockId,
  type KeeperDeposit,
  settledAmount,
} from '../../domain/smartDeposit/keeperDeposit.ts'
import type { Keeper } from './keeper.ts'

/** The parts of a block's header that the keeper needs. */
export type Head = BlockId & { baseFeePerGas: bigint | null; timestamp: bigint }

/** The newest block. Throws `RPC_UNAVAILABLE`. */
export async function readHead({ chain, service }: Keeper): Promise<Head> {
  const block = await service.chains.read(chain.id, (client) =>
    client.getBlock({ blockTag: 'latest' }),
  )
  const { number, hash, baseFeePerGas, timestamp } = block
  return { number: Number(number), hash, baseFeePerGas, timestamp }
}

/** The hash of the chain's block at a height; null if the node has not reached it. */
export async function readHash({ chain, service }: Keeper, number: number): Promise<Hex | null> {
  return service.chains.read(chain.id, (client) =>
    client.getBlock({ blockNumber: BigInt(number) }).then(
      ({ hash }) => hash,
      (error) => nullIf(error, 'BlockNotFoundError'),
    ),
  )
}

/** Whether a block is in the chain; `unknown`, so nothing changes, if the chain is lower now. */
export type Check = (block: BlockId) => Promise<'there' | 'gone' | 'unknown'>

/** The transaction receipt; null while no block has the transaction. */
export async function readTransactionReceipt(
  { chain, service }: Keeper,
  hash: Hex,
): Promise<TransactionReceipt | null> {
  return service.chains.read(chain.id, (client) =>
    client
      .getTransactionReceipt({ hash })
      .catch((error) => nullIf(error, TransactionReceiptNotFoundError.name)),
  )
}

export function blockOfReceipt({ blockNumber, blockHash }: TransactionReceipt): BlockId {
  return { number: Number(blockNumber), hash: blockHash }
}

/** Whether a log is this transfer. */
export function isTransferLog(
  log: Log | undefined,
  { token, to, amount }: { token: Address; to: Address; amount: bigint },
): boolean {
  return (
    log?.address.toLowerCase() === token &&
    log.topics[2]?.endsWith(to.slice(2)) === true &&
    log.data.length === 66 &&
    BigInt(log.data) === amount
  )
}

const SETTLEMENTS = ['Forwarded', 'Converted', 'Refunded', 'Recovered'] as const

/** How the factory settled a payment. */
export type Settled = {
  how: (typeof SETTLEMENTS)[number]
  /** Minted; 0 unless forwarded. */
  shares: bigint
  /** The sum of this payment and those that were settled together with it; base units of the token. */
  amount: bigint
  /** The Transit order into which it was converted, and what the fees leave of the offer; null unless it was. */
  order: { id: Hex; netOfferAmount: bigint } | null
}

/** How a transaction settled a payment; null if it did not. */
export function settledIn(
  { logs }: TransactionReceipt,
  { factory, paymentId }: { factory: Address; paymentId: Hex },
): Settled | null {
  const events = parseEventLogs({
    abi: smartDepositFactoryBAbi,
    eventName: [...SETTLEMENTS],
    // Decoding takes long, and a batch has many other events.
    logs: logs.filter(
      ({ address, topics }) =>
        topics.some((topic) => topic === paymentId) && address.toLowerCase() === factory,
    ),
  })
  const found = events.find(({ args }) => args.payment === paymentId)
  if (!found) return null
  const shares = found.eventName === 'Forwarded' ? found.args.shares : 0n
  const order =
    found.eventName === 'Converted'
      ? { id: found.args.orderId, netOfferAmount: netOfferOf(logs, found.args.orderId) }
      : null
  return { how: found.eventName, shares, amount: found.args.amount, order }
}

/** What the order's fees leave of its offer. Its id is a hash, which no other station has. */
function netOfferOf(logs: TransactionReceipt['logs'], orderId: Hex): bigint {
  const submitted = parseEventLogs({ abi: transitStationAbi, eventName: 'OrderSubmitted', logs })
  const quote = submitted.find(({ args }) => args.uuid === orderId)?.args.quote
  return quote ? quote.offerAmount - quote.protocolFee - quote.integratorFee : 0n
}

/** Whether the factories have settled each of these payments: one call, because anybody can send many. */
export function readAreSettled(
  { chain, service }: Keeper,
  payments: readonly Pick<KeeperDeposit, 'factory' | 'paymentId'>[],
): Promise<boolean[]> {
  return service.chains.read(chain.id, (client) =>
    Promise.all(
      payments.map(({ factory, paymentId }) =>
        mustRead(client, {
          address: factory,
          abi: smartDepositFactoryAbi,
          functionName: 'isSettled',
          args: [paymentId],
        }),
      ),
    ),
  )
}

/**
 * What an address holds of the token that was paid, at a block or a later one. Some nodes have the state of their newest
 * block alone, and answer from it whatever block is asked for: one that lags would hide what came last.
 */
export function readBalanceAt(
  { chain, service }: Keeper,
  { address: account, token: address }: Pick<KeeperDeposit, 'address' | 'token'>,
  { number, timestamp }: Head,
): Promise<bigint> {
  const { multicall3: multicallAddress } = chain
  return service.chains.read(chain.id, async (client) => {
    const [balance, time] = await client.multicall({
      contracts: [
        { address, abi: erc20Abi, functionName: 'balanceOf', args: [account] },
        {
          address: multicallAddress,
          abi: multicall3Abi,
          functionName: 'getCurrentBlockTimestamp',
        },
      ],
      allowFailure: false,
      blockNumber: BigInt(number),
      multicallAddress,
    })
    if (time < timestamp) throw new BaseError('the node answers from an older block')
    return balance
  })
}

const settlements = smartDepositFactoryBAbi.filter(
  (item): item is Extract<typeof item, { name: Settled['how'] }> =>
    SETTLEMENTS.some((name) => name === item.name),
)

/**
 * The transaction that settled a payment, by any sender, alone or together with others. Null if the logs do not
 * show it, or show that it moved other funds: a stolen key can use the id of a payment for them.
 */
export async function findSettlement(
  { chain, service }: Keeper,
  deposit: KeeperDeposit,
  head: number,
): Promise<Hex | null> {
  const range = { fromBlock: BigInt(deposit.paymentBlock.number), toBlock: BigInt(head) }
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

type Moved = { payment: Hex; account: Address; amount: bigint; token?: Address }

function isSettlementOf(
  deposit: KeeperDeposit,
  { payment, account, amount, token = deposit.token }: Moved,
): boolean {
  return (
    payment === deposit.paymentId &&
    account.toLowerCase() === deposit.address &&
    token.toLowerCase() === deposit.token &&
    amount >= settledAmount(deposit)
  )
}
