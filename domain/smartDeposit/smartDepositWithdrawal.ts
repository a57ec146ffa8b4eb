import { type Address, erc20Abi, type PublicClient, zeroAddress } from 'viem'
import { multicall3Abi } from '../../abis/multicall3.ts'
import { smartDepositFactoryBAbi as abi, type FactoryGeneration } from '../../abis/smartDeposit.ts'
import { requirePermission } from '../access/requirePermission.ts'
import type { AddressBookChain } from '../addressBook/addressBook.ts'
import { factoriesOf } from '../addressBook/factories.ts'
import type { PreparedCall } from '../call/preparedCall.ts'
import { readBlockTime } from '../chain/blockTime.ts'
import { chainNotFound } from '../chain/chainNotFound.ts'
import { findChain } from '../chain/findChain.ts'
import { mustRead, tryRead } from '../chain/gatheredReads.ts'
import { invalidFields } from '../error/serviceError.ts'
import { prepareTaking, prepareTakingRequest } from './prepareTaking.ts'
import { inputsOf } from './settlementCall.ts'
import type { SmartDepositKey } from './smartDepositAddress.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'

export type TakingParams = {
  smartDepositAddress: Address
  /** Where the money lies. */
  chainId: number
  /** The zero address is the chain's coin. */
  token: Address
}

/**
 * `NOT_REQUESTED`, `MISSED`: the request is next. `WAITING`: nothing can be done before `opensAt`. `OPEN`: the taking is
 * next, until `closesAt`.
 */
export type TakingState = 'NOT_REQUESTED' | 'WAITING' | 'OPEN' | 'MISSED'

/** How far the user is with taking back what lies at an address, and its next transaction. */
export type SmartDepositWithdrawal = SmartDepositKey & {
  state: TakingState
  /** Null unless requested. */
  opensAt: Date | null
  closesAt: Date | null
  /** From a request on, in seconds. */
  delaySeconds: number
  /** What lies there, in base units. */
  amount: bigint
  /** The next call, by the destination. Null while it must wait, and where nothing lies. */
  transaction: PreparedCall | null
}

/**
 * What the user of an address does next, by the chain's state, to take back what lies there: the operator has no part in it.
 * Throws `INVALID_FIELD`, `CHAIN_NOT_FOUND` or `RPC_UNAVAILABLE`.
 */
export async function smartDepositWithdrawal(
  context: SmartDepositContext,
  params: TakingParams,
): Promise<SmartDepositWithdrawal> {
  const { smartDepositAddress: account, chainId, token } = params
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  const unknown = chainNotFound(context.addressBook, chainId)
  if (unknown) throw unknown
  const chain = findChain(context.addressBook, chainId)
  const [registered] = await context.sql<Registered[]>`
    select a.factory, a.generation, a.user_destination_address as "userDestinationAddress",
      a.vault_address as "vaultAddress", a.input_token as "inputToken", a.chain_id as "chainId",
      a.customer_id as "customerId", a.organization_id as "organizationId"
    from app.smart_deposit_registration r join app.smart_deposit_address a using (chain_id, address)
    where r.organization_id = ${organizationId} and r.address = ${account} limit 1`
  if (!registered) throw refusedAddress('your organization has registered no such address')
  if (registered.generation !== 'B')
    throw refusedAddress('its factory gives users no way to take back: ask the operator')
  const { factory, generation: _, ...key } = registered
  // The factory has the same address on every chain.
  if (!factoriesOf(chain).some(({ address }) => address === factory))
    throw invalidFields([
      { field: 'chainId', description: 'the factory of the address is not on this chain' },
    ])
  const read = await context.chains.read(chainId, (client) =>
    readTaking(client, chain, { factory, account, token }),
  )
  const state = stateOf(read)
  const inputs = inputsOf({ ...key, addressChainId: key.chainId })
  const isRequested = read.opensAt > 0
  return {
    ...key,
    state,
    opensAt: isRequested ? new Date(read.opensAt * 1_000) : null,
    closesAt: isRequested ? new Date(read.closesAt * 1_000) : null,
    delaySeconds: read.delay,
    amount: read.amount,
    transaction:
      read.amount === 0n || state === 'WAITING'
        ? null
        : state === 'OPEN'
          ? prepareTaking(factory, inputs, token)
          : prepareTakingRequest(factory, inputs),
  }
}

type Registered = SmartDepositKey & { factory: Address; generation: FactoryGeneration }
type Taking = { now: number; opensAt: number; closesAt: number; delay: number; amount: bigint }

async function readTaking(
  client: PublicClient,
  chain: AddressBookChain,
  { factory: address, account, token }: Record<'factory' | 'account' | 'token', Address>,
): Promise<Taking> {
  const [now, opensAt, delay, window, amount] = await Promise.all([
    readBlockTime(client, chain),
    mustRead(client, { address, abi, functionName: 'withdrawalOpensAt', args: [account] }),
    mustRead(client, { address, abi, functionName: 'withdrawalDelay' }),
    mustRead(client, { address, abi, functionName: 'WITHDRAWAL_WINDOW' }),
    token === zeroAddress
      ? mustRead(client, {
          address: chain.multicall3,
          abi: multicall3Abi,
          functionName: 'getEthBalance',
          args: [account],
        })
      : tryRead(client, {
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account],
        }),
  ])
  if (amount === null)
    throw invalidFields([{ field: 'token', description: 'there is no such token on this chain' }])
  return {
    now,
    opensAt: Number(opensAt),
    closesAt: Number(opensAt + window),
    delay: Number(delay),
    amount,
  }
}

/** As the contract decides it: the window's end is no longer in it. */
function stateOf({ now, opensAt, closesAt }: Taking): TakingState {
  if (opensAt === 0) return 'NOT_REQUESTED'
  if (now < opensAt) return 'WAITING'
  return now < closesAt ? 'OPEN' : 'MISSED'
}

function refusedAddress(description: string) {
  return invalidFields([{ field: 'smartDepositAddress', description }])
}
