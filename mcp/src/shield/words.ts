import { ShieldError, type SignedPermit } from '@causeway/sdk/shield'
import { type Address, type Hex, isAddressEqual } from 'viem'

/** The arguments of a tool: what the user asked for. The API names their schema, so their types are checked here too. */
export type Words = Readonly<Record<string, unknown>>

export function addressOf(words: Words, name: string): Address {
  return optionalAddress(words, name) ?? missing(name)
}

export function optionalAddress(words: Words, name: string): Address | undefined {
  return optional(words, name, /^0x[0-9a-fA-F]{40}$/) as Address | undefined // By its pattern.
}

export function optionalHex(words: Words, name: string): Hex | undefined {
  return optional(words, name, /^0x[0-9a-fA-F]*$/) as Hex | undefined // By its pattern.
}

export function optionalText(words: Words, name: string): string | undefined {
  return optional(words, name, /./)
}

export function amountOf(words: Words, name: string): bigint {
  return optionalAmount(words, name) ?? missing(name)
}

export function optionalAmount(words: Words, name: string): bigint | undefined {
  const text = optional(words, name, /^\d{1,78}$/)
  return text === undefined ? undefined : BigInt(text)
}

export function chainOf(words: Words, name = 'chainId'): number {
  return Number(amountOf(words, name))
}

export type Source = { chainId: number; asset: Address }

/** The token with which the user pays, if it is another than the vault takes. */
export function sourceOf(
  words: Words,
  { chainId, depositAsset }: { chainId: number; depositAsset: Address },
): Source | null {
  const asset = optionalAddress(words, 'sourceAsset')
  if (asset === undefined) return null
  const source = { chainId: chainOf(words, 'sourceChainId'), asset }
  const isDirect = source.chainId === chainId && isAddressEqual(asset, depositAsset)
  return isDirect ? null : source
}

/** The permit that the user has signed, which the call has to contain. */
export function permitOf(words: Words): SignedPermit | undefined {
  const permitSignature = optionalHex(words, 'permitSignature')
  const permitDeadline = optionalAmount(words, 'permitDeadline')
  if (permitSignature === undefined || permitDeadline === undefined) return undefined
  return { permitSignature, permitDeadline }
}

/** The user's limit of an amount that otherwise only the API names. Throws `LIMIT_NEEDED`. */
export function limitOf(words: Words, name: string): bigint {
  const limit = optionalAmount(words, name)
  if (limit !== undefined) return limit
  throw new ShieldError('LIMIT_NEEDED', `give ${name}: else the server names the amount`)
}

/** An amount that the API names, of at most the user's limit. */
export function limitedAmount(amount: unknown, words: Words, name: string): bigint {
  const limit = limitOf(words, name)
  const named = BigInt(String(amount))
  if (named <= limit) return named
  throw new ShieldError('WRONG_AMOUNT', `${named} would be paid, ${name} is ${limit}`)
}

function optional(words: Words, name: string, pattern: RegExp): string | undefined {
  const given = words[name]
  if (given === undefined || given === null) return undefined
  const text = String(given)
  if (pattern.test(text)) return text
  throw new Error(`${name}: expected another value than ${JSON.stringify(given)}`)
}

function missing(name: string): never {
  throw new Error(`${name}: expected a value`)
}
