import {
  type Address,
  domainSeparator,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  type PublicClient,
  type TypedDataDomain,
} from 'viem'
import { multicall3Abi } from '../../abis/multicall3.ts'
import { permitTokenAbi } from '../../abis/permitToken.ts'
import { revertOf, unlessRefused } from '../chain/revert.ts'
import type { ServiceContext } from '../context.ts'
import { invalidFields } from '../error/serviceError.ts'
import { checksummed } from './checksummed.ts'

/** EIP-712 typed data with primary type Permit; integers are decimal strings but for the chain id. */
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
      /** True when this approval only makes way: ask again before anything else. */
      requiresFollowUp: true | null
    }

export type Authorization = {
  spenderAddress: Address
  alreadyApproved: boolean
  /** Every way that will work, best first; none when it is approved already. */
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
const PERMIT_TYPEHASH = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'

/**
 * How a user can let a spender take an amount of a token, read from the chain now. Throws
 * `RPC_UNAVAILABLE`, and `INVALID_FIELD` for what is no ERC-20 token there.
 */
export async function detectAuthorization(
  context: Pick<ServiceContext, 'chains' | 'addressBook' | 'settings'>,
  request: AuthorizationRequest,
): Promise<Authorization> {
  const { chainId, spenderAddress, amount } = request
  const read = await context.chains.read(chainId, (client) =>
    readToken(client, request, multicallOf(context, chainId)),
  )
  const alreadyApproved = read.allowance >= amount
  if (alreadyApproved) return { spenderAddress, alreadyApproved, methods: [] }
  const needsReset =
    read.allowance > 0n &&
    (await context.chains.read(chainId, (client) => refusesChange(client, request)))
  const permit = permitData(request, read, context.settings.permitTtlSeconds)
  return {
    spenderAddress,
    alreadyApproved,
    methods: [...(permit ? [permitMethod(permit)] : []), approveMethod(request, needsReset)],
  }
}

type TokenRead = Awaited<ReturnType<typeof readToken>>

async function readToken(
  client: PublicClient,
  { tokenAddress, userAddress, spenderAddress }: AuthorizationRequest,
  multicall3: Address,
) {
  const token = { address: tokenAddress, abi: permitTokenAbi } as const
  const [allowance, nonce, separator, typehash, described, name, version, blockTime, code] =
    await Promise.all([
      unlessRefused(
        client.readContract({
          address: tokenAddress,
          abi: erc20Abi,
          functionName: 'allowance',
          args: [userAddress, spenderAddress],
        }),
      ),
      unlessRefused(client.readContract({ ...token, functionName: 'nonces', args: [userAddress] })),
      unlessRefused(client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' })),
      unlessRefused(client.readContract({ ...token, functionName: 'PERMIT_TYPEHASH' })),
      unlessRefused(client.readContract({ ...token, functionName: 'eip712Domain' })),
      unlessRefused(client.readContract({ ...token, functionName: 'name' })),
      unlessRefused(client.readContract({ ...token, functionName: 'version' })),
      client.readContract({
        address: multicall3,
        abi: multicall3Abi,
        functionName: 'getCurrentBlockTimestamp',
      }),
      client.getCode({ address: userAddress }),
    ])
  if (allowance === null)
    throw invalidFields([
      { field: 'tokenAddress', description: `no ERC-20 token on chain ${client.chain?.id}` },
    ])
  return {
    ...{ allowance, nonce, separator, typehash, described, name, version },
    blockTime: Number(blockTime),
    hasCode: code !== undefined && code !== '0x',
  }
}

/** Null unless the token would take the permit: it is offered only where it will work. */
function permitData(
  request: AuthorizationRequest,
  read: TokenRead,
  ttlSeconds: number,
): PermitData | null {
  const { nonce, separator, typehash, hasCode, blockTime } = read
  // A contract, or an account that delegates to one, signs nothing that a token could recover.
  if (hasCode || nonce === null || separator === null) return null
  if (typehash !== null && typehash !== PERMIT_TYPEHASH) return null
  const domain = domainsOf(request, read).find(
    (one) => domainSeparator({ domain: one }) === separator,
  )
  if (!domain) return null
  const deadline = Math.max(Math.floor(Date.now() / 1_000), blockTime) + ttlSeconds
  return {
    domain,
    types: { Permit: PERMIT },
    value: {
      owner: checksummed(request.userAddress),
      spender: checksummed(request.spenderAddress),
      value: String(request.amount),
      nonce: String(nonce),
      deadline: String(deadline),
    },
    deadline: String(deadline),
  }
}

/** What the token's domain may be, the likeliest first: as it says, else by name and version. */
function domainsOf(
  { chainId, tokenAddress }: AuthorizationRequest,
  { described, name, version }: TokenRead,
): TypedDataDomain[] {
  const here = { chainId, verifyingContract: checksummed(tokenAddress) }
  const versions = version === null ? ['1', '2'] : [version, '1', '2']
  return [
    ...(described ? [describedDomain(described)] : []),
    ...(name === null ? [] : versions.map((one) => ({ name, version: one, ...here }))),
    ...(name === null ? [] : [{ name, ...here }]),
  ]
}

/** EIP-5267: the bits of `fields` tell which parts the domain has. */
function describedDomain(described: NonNullable<TokenRead['described']>): TypedDataDomain {
  const [fields, name, version, chainId, verifyingContract, salt] = described
  const has = (bit: number) => (Number(fields) & (1 << bit)) !== 0
  return {
    ...(has(0) ? { name } : {}),
    ...(has(1) ? { version } : {}),
    ...(has(2) ? { chainId: Number(chainId) } : {}),
    ...(has(3) ? { verifyingContract } : {}),
    ...(has(4) ? { salt } : {}),
  }
}

/** Whether the token refuses to go from one allowance to another but through 0. */
async function refusesChange(
  client: PublicClient,
  request: AuthorizationRequest,
): Promise<boolean> {
  const { userAddress, tokenAddress, spenderAddress, amount } = request
  return client
    .call({ account: userAddress, to: tokenAddress, data: approve(spenderAddress, amount) })
    .then(
      () => false,
      (error) => {
        if (revertOf(error, erc20Abi)) return true
        throw error
      },
    )
}

function permitMethod(data: PermitData): AuthorizationMethod {
  return {
    type: 'eip2612_permit',
    description: 'Sign the permit (EIP-712, primary type Permit) and send it with the quote.',
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
    requiresFollowUp: needsReset ? true : null,
  }
}

function approve(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
}

function multicallOf({ addressBook }: Pick<ServiceContext, 'addressBook'>, chainId: number) {
  const chain = addressBook.chains.find(({ id }) => id === chainId)
  if (!chain) throw new Error(`Invariant(detectAuthorization): no chain ${chainId}`)
  return chain.multicall3
}
