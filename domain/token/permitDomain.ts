import { type Address, domainSeparator, type PublicClient, type TypedDataDomain } from 'viem'
import { permitTokenAbi } from '../../abis/permitToken.ts'
import { tryRead } from '../chain/gatheredReads.ts'
import { checksummed } from './checksummed.ts'

type TokenPlace = { chainId: number; tokenAddress: Address }

const PERMIT_TYPEHASH = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'

/** A token's answers about permits of `owner`; null for functions that it lacks. */
export type PermitReading = Awaited<ReturnType<typeof readPermit>>

export async function readPermit(client: PublicClient, tokenAddress: Address, owner: Address) {
  const token = { address: tokenAddress, abi: permitTokenAbi } as const
  const [nonce, separator, typehash, described, name, version] = await Promise.all([
    tryRead(client, { ...token, functionName: 'nonces', args: [owner] }),
    tryRead(client, { ...token, functionName: 'DOMAIN_SEPARATOR' }),
    tryRead(client, { ...token, functionName: 'PERMIT_TYPEHASH' }),
    tryRead(client, { ...token, functionName: 'eip712Domain' }),
    tryRead(client, { ...token, functionName: 'name' }),
    tryRead(client, { ...token, functionName: 'version' }),
  ])
  return { nonce, separator, typehash, described, name, version }
}

/** The EIP-712 domain of the token's EIP-2612 permits; null if it takes none that this service can prepare. */
export function permitDomain(place: TokenPlace, reading: PermitReading): TypedDataDomain | null {
  const { nonce, separator, typehash } = reading
  if (nonce === null || separator === null) return null
  if (typehash !== null && typehash !== PERMIT_TYPEHASH) return null
  const isIts = (domain: TypedDataDomain) => domainSeparator({ domain }) === separator
  return domainsOf(place, reading).find(isIts) ?? null
}

/**
 * The possible EIP-712 domains of the token, likeliest first: the one that it reports, else by name and
 * version.
 */
function domainsOf(
  { chainId, tokenAddress }: TokenPlace,
  { described, name, version }: PermitReading,
): TypedDataDomain[] {
  const here = { chainId, verifyingContract: checksummed(tokenAddress) }
  const versions = version === null ? ['1', '2'] : [version, '1', '2']
  const named =
    name === null
      ? []
      : [...versions.map((one) => ({ name, version: one, ...here })), { name, ...here }]
  return described ? [describedDomain(described), ...named] : named
}

/** EIP-5267: the bits of `fields` show which parts the domain has. */
function describedDomain(described: NonNullable<PermitReading['described']>): TypedDataDomain {
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
