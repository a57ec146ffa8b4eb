import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ACCOUNTANT_GENERATIONS } from '../../abis/accountant.ts'
import { DEPOSITOR_GENERATIONS } from '../../abis/depositor.ts'
import { TELLER_GENERATIONS } from '../../abis/teller.ts'
import { MAX_PROTOCOL_FEE_BPS } from '../../abis/transitStation.ts'
import { QUEUE_GENERATIONS } from '../../abis/withdrawQueue.ts'

const YIELD_TYPES = ['CORE', 'PRIME', 'TREASURY', 'TBILL', 'FRONTIER', 'LENDING'] as const

/** A checksummed or lower-case address in the file; always lower case once parsed. */
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'expected 0x and 40 hex characters')
  .transform((value) => value.toLowerCase() as `0x${string}`)

const amount = z.string().regex(/^\d+$/, 'expected a decimal string in base units')
const blockNumber = z.number().int().nonnegative()

const source = z.string().min(1).optional().describe('where these facts are from')

const station = z.strictObject({
  address,
  startBlock: blockNumber.describe('the first block whose logs are read: the deployment block'),
})

const feed = z.strictObject({
  chainId: z.number().int().positive(),
  address,
  maxAgeSeconds: z
    .number()
    .int()
    .positive()
    .describe('an answer older than this is none: the heartbeat of the feed, and some'),
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
  maxHeadAgeSeconds: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('from a node whose newest block is older than this, nothing is prepared'),
  multicall3: address,
  attestationName: z
    .string()
    .min(1)
    .optional()
    .describe('as the attestation provider names the chain; without it, by its id'),
  transitStation: station.optional(),
  transitFill: z
    .strictObject({
      gas: z.number().int().positive().describe('of filling one order on this chain'),
      nativeUsdFeed: feed.describe('USD per whole unit of what gas is paid in'),
    })
    .optional(),
  source,
})

const token = z.strictObject({
  chainId: z.number().int().positive(),
  address,
  name: z.string().min(1),
  symbol: z.string().min(1),
  decimals: z.number().int().min(0).max(255),
  tokenStandard: z.literal('ERC20').default('ERC20'),
  coinGeckoId: z.string().min(1).optional(),
  usdFeed: feed.optional().describe('USD per whole token'),
  source,
})

const transitRoute = z.strictObject({
  sourceChainId: z.number().int().positive(),
  destinationChainId: z.number().int().positive(),
  offerAsset: address,
  wantAsset: address,
  minOrderSize: amount.describe('floor, in base units of the offer asset'),
  maxOrderSize: amount.nullable().default(null),
  conversionRateHundredthsBps: z
    .number()
    .int()
    .min(0)
    .max(
      MAX_PROTOCOL_FEE_BPS * 100 - 1,
      'expected less than what a station takes as protocol fee in all',
    ),
  source,
})

const period = {
  fromBlock: blockNumber.describe('the first block whose logs are read: that of the deployment'),
  toBlock: z
    .union([blockNumber, z.literal('unknown')])
    .optional()
    .describe('the last block in which it was in use; absent for the one that is now'),
}
const versions = <Generation extends z.ZodType>(generation: Generation) =>
  z.array(z.strictObject({ address, generation, ...period }))

const seconds = z.number().int().nonnegative()

const vaultAsset = z.strictObject({
  address,
  withdrawalSlas: z
    .strictObject({
      expectedDelay: seconds,
      expiryBuffer: seconds,
      internalWithdrawalQueueDelaySLA: seconds,
      externalWithdrawalQueueDelaySLA: seconds,
      internalAccountantRateUpdateDelaySLA: seconds,
      externalAccountantRateUpdateSLA: seconds,
    })
    .describe('what the operator promises, in seconds'),
})

const deployment = z.strictObject({
  chainId: z.number().int().positive(),
  vault: z.strictObject({ address, startBlock: blockNumber }).describe('the share token'),
  manager: address.optional(),
  baseToken: address.describe("the accountant's base"),
  baseTokenStandIn: z
    .strictObject({
      symbol: z.string().min(1),
      decimals: z.number().int().min(0).max(77),
      coinGeckoId: z.string().min(1).optional(),
    })
    .optional()
    .describe('where the base is no token but a contract that stands for one'),
  tellers: versions(z.enum(TELLER_GENERATIONS)),
  accountants: versions(z.enum(ACCOUNTANT_GENERATIONS)),
  depositors: versions(z.enum(DEPOSITOR_GENERATIONS)),
  queues: versions(z.enum(QUEUE_GENERATIONS)),
  assets: z.array(vaultAsset),
  inDeprecation: z.boolean().default(false),
  source,
})

const vault = z.strictObject({
  name: z.string().min(1),
  yieldType: z.enum(YIELD_TYPES),
  deployments: z.array(deployment).min(1),
})

const addressBookSchema = z
  .strictObject({
    environment: z.enum(['PRODUCTION', 'STAGING', 'DEVELOPMENT']),
    chains: z.array(chain).min(1),
    tokens: z.array(token),
    transitRoutes: z.array(transitRoute),
    vaults: z.array(vault).default([]),
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

    const tokens = new Map(book.tokens.map((entry) => [`${entry.chainId}:${entry.address}`, entry]))
    if (tokens.size !== book.tokens.length) complain(['tokens'], 'a token appears twice')
    for (const [index, entry] of book.tokens.entries())
      if (!chains.has(entry.chainId)) complain(['tokens', index, 'chainId'], 'no such chain')

    const feeds = [
      ...book.chains.map((entry, index) => ({
        path: ['chains', index, 'transitFill', 'nativeUsdFeed', 'chainId'],
        feed: entry.transitFill?.nativeUsdFeed,
      })),
      ...book.tokens.map((entry, index) => ({
        path: ['tokens', index, 'usdFeed', 'chainId'],
        feed: entry.usdFeed,
      })),
    ]
    for (const entry of feeds)
      if (entry.feed && !chains.has(entry.feed.chainId)) complain(entry.path, 'no such chain')

    const routeKeys = new Set(book.transitRoutes.map(routeKey))
    if (routeKeys.size !== book.transitRoutes.length)
      complain(['transitRoutes'], 'a route appears twice')
    for (const [index, route] of book.transitRoutes.entries()) {
      const at = (field: string) => ['transitRoutes', index, field]
      for (const field of ['sourceChainId', 'destinationChainId'] as const)
        if (!chains.get(route[field])?.transitStation)
          complain(at(field), 'that chain has no transit station here')
      const offered = tokens.get(`${route.sourceChainId}:${route.offerAsset}`)
      const wanted = tokens.get(`${route.destinationChainId}:${route.wantAsset}`)
      if (!offered) complain(at('offerAsset'), 'not among the tokens of the source chain')
      else if (!offered.usdFeed)
        complain(at('offerAsset'), 'a token that is offered needs its usdFeed')
      if (!wanted) complain(at('wantAsset'), 'not among the tokens of the destination chain')
      if (chains.get(route.destinationChainId)?.transitFill === undefined)
        complain(at('destinationChainId'), 'a chain that is filled on needs its transitFill')
    }

    if (new Set(book.vaults.map(({ name }) => name)).size !== book.vaults.length)
      complain(['vaults'], 'a name appears twice')
    const listed = book.vaults.flatMap(({ deployments }, vaultIndex) =>
      deployments.map((entry, index) => ({
        entry,
        at: ['vaults', vaultIndex, 'deployments', index],
      })),
    )
    const places = listed.map(({ entry }) => `${entry.chainId}:${entry.vault.address}`)
    if (new Set(places).size !== places.length)
      complain(['vaults'], 'a vault appears twice on one chain')
    for (const { entry, at } of listed) {
      if (!chains.has(entry.chainId)) complain([...at, 'chainId'], 'no such chain')
      const isToken = (candidate: string) => tokens.has(`${entry.chainId}:${candidate}`)
      if (!isToken(entry.baseToken) && !entry.baseTokenStandIn)
        complain([...at, 'baseToken'], 'neither among the tokens of the chain nor a stand-in')
      for (const [index, asset] of entry.assets.entries())
        if (!isToken(asset.address))
          complain([...at, 'assets', index, 'address'], 'not among the tokens of the chain')
      if (new Set(entry.assets.map((asset) => asset.address)).size !== entry.assets.length)
        complain([...at, 'assets'], 'an asset appears twice')
      for (const kind of VAULT_CONTRACTS) {
        const wrong = misplacedVersion(entry[kind])
        if (wrong !== null) complain([...at, kind, wrong], 'expected one after the other in time')
      }
    }
  })

/** The contracts of a deployment that may be replaced during its life. */
export const VAULT_CONTRACTS = ['tellers', 'accountants', 'depositors', 'queues'] as const

/** The first that does not follow the one before it, or is over while it is the last in no known block. */
function misplacedVersion(
  entries: { fromBlock: number; toBlock?: number | 'unknown' | undefined }[],
): number | null {
  const found = entries.findIndex(({ fromBlock, toBlock }, index) => {
    const before = entries[index - 1]?.toBlock
    const isEarly = typeof before === 'number' && fromBlock <= before
    const isBackwards = typeof toBlock === 'number' && toBlock < fromBlock
    return isEarly || isBackwards || (toBlock === undefined && index < entries.length - 1)
  })
  return found === -1 ? null : found
}

/** The chains and the assets that a route, an order or a quote is between. */
export type RouteEnds = Pick<
  z.output<typeof transitRoute>,
  'sourceChainId' | 'destinationChainId' | 'offerAsset' | 'wantAsset'
>

/** What tells one Transit route from every other. */
export function routeKey(route: RouteEnds): string {
  const { sourceChainId, destinationChainId, offerAsset, wantAsset } = route
  return `${sourceChainId}:${offerAsset}>${destinationChainId}:${wantAsset}`
}

/** What one environment consists of: chains, contracts, tokens, routes. Format: docs/address-book.md. */
export type AddressBook = z.output<typeof addressBookSchema>
export type AddressBookFile = z.input<typeof addressBookSchema>
export type AddressBookChain = AddressBook['chains'][number]
export type AddressBookToken = AddressBook['tokens'][number]
export type TransitRoute = AddressBook['transitRoutes'][number]
export type PriceFeed = z.output<typeof feed>
export type AddressBookVault = AddressBook['vaults'][number]
export type AddressBookDeployment = AddressBookVault['deployments'][number]

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
