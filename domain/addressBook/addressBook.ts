import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** A checksummed or lower-case address in the file; always lower case once parsed. */
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'expected 0x and 40 hex characters')
  .transform((value) => value.toLowerCase() as `0x${string}`)

const amount = z.string().regex(/^\d+$/, 'expected a decimal string in base units')
const blockNumber = z.number().int().nonnegative()

const station = z.strictObject({
  address,
  startBlock: blockNumber.describe('the first block whose logs are read: the deployment block'),
})

const chain = z.strictObject({
  id: z.number().int().positive(),
  name: z.string().min(1),
  eid: z.number().int().positive().optional().describe('LayerZero endpoint id'),
  finalityDepth: z
    .number()
    .int()
    .positive()
    .describe('blocks below the head from which a block counts as final; at least that of Ponder'),
  blockTimeSeconds: z.number().positive(),
  multicall3: address,
  transitStation: station.optional(),
})

const token = z.strictObject({
  chainId: z.number().int().positive(),
  address,
  name: z.string().min(1),
  symbol: z.string().min(1),
  decimals: z.number().int().min(0).max(255),
  tokenStandard: z.literal('ERC20').default('ERC20'),
  coinGeckoId: z.string().min(1).optional(),
})

const transitRoute = z.strictObject({
  sourceChainId: z.number().int().positive(),
  destinationChainId: z.number().int().positive(),
  offerAsset: address,
  wantAsset: address,
  minOrderSize: amount.describe('floor, in base units of the offer asset'),
  maxOrderSize: amount.nullable().default(null),
  conversionRateHundredthsBps: z.number().int().min(0).max(1_000_000),
})

const addressBookSchema = z
  .strictObject({
    environment: z.enum(['PRODUCTION', 'STAGING', 'DEVELOPMENT']),
    chains: z.array(chain).min(1),
    tokens: z.array(token),
    transitRoutes: z.array(transitRoute),
  })
  .superRefine((book, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const chains = new Map(book.chains.map((entry) => [entry.id, entry]))
    if (chains.size !== book.chains.length) complain(['chains'], 'a chain id appears twice')
    const eids = book.chains.flatMap(({ eid }) => eid ?? [])
    if (new Set(eids).size !== eids.length) complain(['chains'], 'an endpoint id appears twice')
    for (const [index, entry] of book.chains.entries())
      if (entry.transitStation && entry.eid === undefined)
        complain(['chains', index, 'eid'], 'a chain with a station needs its endpoint id')

    const tokenKeys = new Set(book.tokens.map((entry) => `${entry.chainId}:${entry.address}`))
    if (tokenKeys.size !== book.tokens.length) complain(['tokens'], 'a token appears twice')
    for (const [index, entry] of book.tokens.entries())
      if (!chains.has(entry.chainId)) complain(['tokens', index, 'chainId'], 'no such chain')

    for (const [index, route] of book.transitRoutes.entries()) {
      const at = (field: string) => ['transitRoutes', index, field]
      for (const field of ['sourceChainId', 'destinationChainId'] as const)
        if (!chains.get(route[field])?.transitStation)
          complain(at(field), 'that chain has no transit station here')
      if (!tokenKeys.has(`${route.sourceChainId}:${route.offerAsset}`))
        complain(at('offerAsset'), 'not among the tokens of the source chain')
      if (!tokenKeys.has(`${route.destinationChainId}:${route.wantAsset}`))
        complain(at('wantAsset'), 'not among the tokens of the destination chain')
    }
  })

/** What one environment consists of: chains, contracts, tokens, routes. Format: docs/address-book.md. */
export type AddressBook = z.output<typeof addressBookSchema>
export type AddressBookFile = z.input<typeof addressBookSchema>
export type AddressBookChain = AddressBook['chains'][number]

/** Names the file and every wrong place in it, one per line. */
export class AddressBookError extends Error {
  override name = 'AddressBookError'
}

/** Parses an address book from its JSON value. Throws `AddressBookError`. */
export function parseAddressBook(value: unknown, source: string): AddressBook {
  const result = addressBookSchema.safeParse(value)
  if (result.success) return result.data
  const lines = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || '(root)'}: ${issue.message}`,
  )
  throw new AddressBookError(`The address book ${source} is not valid:\n${lines.join('\n')}`)
}

/** Reads an address book file. Throws `AddressBookError` when it is missing, not JSON, or not valid. */
export async function loadAddressBook(path: string): Promise<AddressBook> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new AddressBookError(`The address book ${path} cannot be read`, { cause })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AddressBookError(`The address book ${path} is not JSON`, { cause })
  }
  return parseAddressBook(value, path)
}
