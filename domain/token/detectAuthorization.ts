import { type Address, erc20Abi, type Hex, type PublicClient, type TypedDataDomain } from 'viem'
import { encodePrepared } from '../../abis/encodePrepared.ts'
import type { AddressBookChain } from '../addressBook/addressBook.ts'
import { deadlineAfter, readBlockTime } from '../chain/blockTime.ts'
import { findChain } from '../chain/findChain.ts'
import { mustRead } from '../chain/gatheredReads.ts'
import { unlessRefused } from '../chain/revert.ts'
import type { SharedServices } from '../context.ts'
import { invalidFields } from '../error/serviceError.ts'
import { checksummed } from './checksummed.ts'
import { permitDomain, readPermit } from './permitDomain.ts'

/** EIP-712 typed data with primary type Permit. Integers are decimal strings, except the chain id. */
export type PermitData = {
  domain: TypedDataDomain
  types: { Permit: readonly { name: string; type: string }[] }
  value: { owner: Address; spender: Address; value: string; nonce: string; deadline: string }
  /** Unix seconds. */
  deadline: string
}

export type AuthorizationMethod =
  | { type: 'eip2612_permit'; description: string; permitData: PermitData }
  | {
      type: 'erc20_approve'
      description: string
      transaction: { encoded: Hex }
      /** Whether this approval only resets the allowance: then ask again before anything else. */
      requiresFollowUp: boolean
    }

export type Authorization = {
  spenderAddress: Address
  alreadyApproved: boolean
  /** Every way that will work, best first; empty if the amount is approved already. */
  methods: AuthorizationMethod[]
}

export type AuthorizationRequest = {
  chainId: number
  tokenAddress: Address
  userAddress: Address
  spenderAddress: Address
  /** Base units, above 0. */
  amount: bigint
}

const PERMIT = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

/**
 * The ways in which a user can let a spender take an amount of a token, read from the chain now. Throws
 * `RPC_UNAVAILABLE`, and `INVALID_FIELD` for a token that is not in the address book.
 */
export async function detectAuthorization(
  context: AuthorizationContext,
  request: AuthorizationRequest,
): Promise<Authorization> {
  const { chainId, tokenAddress } = request
  const { addressBook } = context
  // Only known contracts are called: any other could make this server work for a stranger.
  const isKnown = addressBook.tokens.some(
    (token) => token.chainId === chainId && token.address === tokenAddress,
  )
  if (!isKnown)
    throw invalidFields([
      { field: 'tokenAddress', description: `not a token of this service on chain ${chainId}` },
    ])
  return readAuthorization(context, request)
}

type AuthorizationContext = Pick<SharedServices, 'chains' | 'addressBook' | 'settings'>

/** The same for a contract that is known as a token, such as a vault. */
export async function readAuthorization(
  { chains, addressBook, settings }: AuthorizationContext,
  request: AuthorizationRequest,
): Promise<Authorization> {
  const { chainId, spenderAddress, amount } = request
  const chain = findChain(addressBook, chainId)
  const read = await chains.read(chainId, (client) => readToken(client, chain, request))
  if (read.allowance >= amount) return { spenderAddress, alreadyApproved: true, methods: [] }
  if (read.approval === 'refused') return { spenderAddress, alreadyApproved: false, methods: [] }
  const permit = permitData(request, read, settings.permitTtlSeconds)
  const approval = approveMethod(request, read.approval === 'reset')
  return {
    spenderAddress,
    alreadyApproved: false,
    methods: permit ? [permitMethod(permit), approval] : [approval],
  }
}

type TokenRead = Awaited<ReturnType<typeof readToken>>

/** The state of the token and of the user's account. */
async function readToken(
  client: PublicClient,
  chain: AddressBookChain,
  request: AuthorizationRequest,
) {
  const { tokenAddress, userAddress, spenderAddress, amount } = request
  const [allowance, permit, blockTime, code, takes] = await Promise.all([
    mustRead(client, {
      address: tokenAddress,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [userAddress, spenderAddress],
    }),
    readPermit(client, tokenAddress, userAddress),
    readBlockTime(client, chain),
    client.getCode({ address: userAddress }),
    takesApproval(client, request, amount),
  ])
  const mayReset = !takes && allowance > 0n && (await takesApproval(client, request, 0n))
  const approval = takes ? 'direct' : mayReset ? 'reset' : 'refused'
  return {
    allowance,
    permit,
    blockTime,
    hasCode: code !== undefined && code !== '0x',
    approval,
  } as const
}

/** Whether the user's approval of this amount would work now: a token may revert, or return false. */
async function takesApproval(
  client: PublicClient,
  { userAddress, tokenAddress, spenderAddress }: AuthorizationRequest,
  amount: bigint,
): Promise<boolean> {
  const data = approve(spenderAddress, amount)
  const answer = await unlessRefused(client.call({ account: userAddress, to: tokenAddress, data }))
  // Old tokens return nothing.
  return answer !== null && (answer.data === undefined || BigInt(answer.data) !== 0n)
}

/** Null unless the token would accept the permit: it is offered only if it will work. */
function permitData(
  request: AuthorizationRequest,
  read: TokenRead,
  ttlSeconds: number,
): PermitData | null {
  const { permit, hasCode, blockTime } = read
  // A contract, or an account that delegates to one, cannot sign a permit that the token would recover.
  const domain = hasCode ? null : permitDomain(request, permit)
  if (!domain) return null
  const deadline = String(deadlineAfter(blockTime, ttlSeconds))
  return {
    domain,
    types: { Permit: PERMIT },
    value: {
      owner: checksummed(request.userAddress),
      spender: checksummed(request.spenderAddress),
      value: String(request.amount),
      nonce: String(permit.nonce),
      deadline,
    },
    deadline,
  }
}

function permitMethod(data: PermitData): AuthorizationMethod {
  return {
    type: 'eip2612_permit',
    description: 'Sign the permit (EIP-712, primary type Permit); no approval is needed then.',
    permitData: data,
  }
}

function approveMethod(
  { spenderAddress, amount }: AuthorizationRequest,
  needsReset: boolean,
): AuthorizationMethod {
  return {
    type: 'erc20_approve',
    description: needsReset
      ? 'Send this call to the token: it takes the present allowance back. Then ask again.'
      : 'Send this call to the token and wait for its receipt.',
    transaction: { encoded: approve(spenderAddress, needsReset ? 0n : amount) },
    requiresFollowUp: needsReset,
  }
}

function approve(spender: Address, amount: bigint): Hex {
  return encodePrepared('token.approve', [spender, amount])
}
