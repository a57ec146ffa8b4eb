import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { FACTORY_GENERATIONS } from '../../abis/smartDeposit.ts'
import { MAX_PROTOCOL_FEE_BPS } from '../../abis/transitStation.ts'
import { stampFormat } from './bookStamp.ts'
import { CALLER_DIVISOR } from './capShares.ts'
import { checkSmartDeposits } from './checkSmartDeposits.ts'
import { addressField, blockNumberField, sourceField } from './fields.ts'
import { checkVaults, vaultFormat } from './vaultFormat.ts'

const amount = z.string().regex(/^\d+$/, 'expected a decimal string in base units')

const station = z.strictObject({
  address: addressField,
  startBlock: blockNumberField.describe(
    'the block in which it was created, from which its logs are read',
  ),
  maxMessageFee: amount
    .default('10000000000000000')
    .describe('wei: clients that check with a shield book send no more coins with an order'),
})

const feed = z.strictObject({
  chainId: z.number().int().positive(),
  address: addressField,
  maxAgeSeconds: z
    .number()
    .int()
    .positive()
    .describe('an older answer is an error: the heartbeat of the feed plus a margin'),
})

const keeperCeilings = z.strictObject({
  maxGas: z.number().int().positive().describe('the gas limit of one transaction'),
  maxFeePerGas: amount.describe('wei: while the base fee is higher, the keeper waits'),
  maxSpendPerHour: amount.describe('wei: once it is spent, the keeper waits'),
})

const factory = {
  generation: z
    .enum(FACTORY_GENERATIONS)
    .default('A')
    .describe('B: its addresses are the same on every chain'),
  factory: addressField,
  implementation: addressField.describe('the code behind its proxies; it enters the addresses'),
  startBlock: blockNumberField.default(0).describe('the block in which the factory was created'),
}

const explorerUrl = z
  .url({ protocol: /^https$/, error: 'expected an https URL' })
  .refine((url) => !url.endsWith('/'), 'expected no slash at the end: clients append /tx/<hash>')

const chain = z.strictObject({
  id: z.number().int().positive(),
  name: z.string().min(1),
  eid: z.number().int().positive().optional().describe('LayerZero endpoint id'),
  finalityDepth: z
    .number()
    .int()
    .positive()
    .describe('blocks below the head at which a block counts as final; at least that of Ponder'),
  blockTimeSeconds: z.number().positive(),
  explorerUrl: explorerUrl
    .optional()
    .describe('the block explorer that clients may link to: /tx/<hash>, /address/<address>'),
  maxHeadAgeSeconds: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("if a node's newest block is older, nothing is prepared"),
  multicall3: addressField,
  attestationName: z
    .string()
    .min(1)
    .optional()
    .describe("the attestation provider's name for the chain; without it, the id is used"),
  transitStation: station.optional(),
  transitFill: z
    .strictObject({
      gas: z.number().int().positive().describe('gas of one execution on this chain'),
      nativeUsdFeed: feed.describe('USD per whole unit of the native currency'),
    })
    .optional(),
  smartDeposit: z
    .strictObject({
      ...factory,
      otherFactories: z
        .array(z.strictObject(factory))
        .default([])
        .describe('factories that give no new addresses; those that they gave stay in use'),
      pendingDepth: z
        .number()
        .int()
        .nonnegative()
        .default(1)
        .describe('blocks below the head at which a payment is reported as pending'),
      ceilings: keeperCeilings.optional().describe("what the keeper's transactions may cost"),
    })
    .optional(),
  sanctionsOracle: addressField
    .optional()
    .describe('answers isSanctioned(address); without one only the tokens decide who is blocked'),
  sequencerUptimeFeed: addressField
    .optional()
    .describe("of a rollup: Chainlink's uptime feed of its sequencer, which its prices wait for"),
  source: sourceField,
})

const token = z.strictObject({
  chainId: z.number().int().positive(),
  address: addressField,
  name: z.string().min(1),
  symbol: z.string().min(1),
  decimals: z.number().int().min(0).max(255),
  tokenStandard: z.literal('ERC20').default('ERC20'),
  coinGeckoId: z.string().min(1).optional(),
  usdFeed: feed.optional().describe('USD per whole token'),
  smartDepositMinimum: amount
    .optional()
    .describe('base units: smaller payments to a smart deposit address are settled together'),
  usdBandBps: z
    .number()
    .int()
    .min(1)
    .max(9_999)
    .default(100)
    .describe('a token whose price is further than this from 1 USD is neither offered nor paid'),
  source: sourceField,
})

const routeFields = z.strictObject({
  sourceChainId: z.number().int().positive(),
  destinationChainId: z.number().int().positive(),
  offerAsset: addressField,
  wantAsset: addressField,
  minOrderSize: amount.describe('the least order, in base units of the offer asset'),
  maxOrderSize: amount.nullable().default(null),
  hourlyCap: amount
    .nullish()
    .describe('the most that may be quoted and submitted in an hour; by default 20 largest orders'),
  conversionRateHundredthsBps: z
    .number()
    .int()
    .min(0)
    .max(
      MAX_PROTOCOL_FEE_BPS * 100 - 1,
      'expected less than what a station takes as protocol fee in all',
    ),
  source: sourceField,
})

const DEFAULT_CAP_ORDERS = 20n

const transitRoute = routeFields.transform(({ hourlyCap, ...route }) => {
  const { maxOrderSize } = route
  const byOrders = maxOrderSize === null ? null : String(DEFAULT_CAP_ORDERS * BigInt(maxOrderSize))
  return { ...route, hourlyCap: hourlyCap ?? byOrders }
})

const addressBookSchema = z
  .strictObject({
    environment: z.enum(['PRODUCTION', 'STAGING', 'DEVELOPMENT']),
    chains: z.array(chain).min(1),
    tokens: z.array(token),
    transitRoutes: z.array(transitRoute),
    vaults: z.array(vaultFormat).default([]),
    verified: stampFormat.optional(),
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
    if (book.environment === 'PRODUCTION') checkSmartDeposits(book, complain)

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
      else if (!wanted.usdFeed) complain(at('wantAsset'), 'a token that is paid needs its usdFeed')
      if (book.environment === 'PRODUCTION' && route.maxOrderSize === null)
        complain(at('maxOrderSize'), 'a route in PRODUCTION needs its largest order')
      if (BigInt(route.hourlyCap ?? 0) < CALLER_DIVISOR * BigInt(route.maxOrderSize ?? 0))
        complain(
          at('hourlyCap'),
          `expected at least ${CALLER_DIVISOR} times maxOrderSize: one caller may hold that part of it`,
        )
      if (chains.get(route.destinationChainId)?.transitFill === undefined)
        complain(at('destinationChainId'), 'a chain with executions needs its transitFill')
    }

    checkVaults(book, complain)
  })

/** The source and the destination chain and asset of a route, an order or a quote. */
export type RouteEnds = Pick<
  z.output<typeof transitRoute>,
  'sourceChainId' | 'destinationChainId' | 'offerAsset' | 'wantAsset'
>

/** The fields that identify a Transit route. */
export function routeKey(route: RouteEnds): string {
  const { sourceChainId, destinationChainId, offerAsset, wantAsset } = route
  return `${sourceChainId}:${offerAsset}>${destinationChainId}:${wantAsset}`
}

/** The contents of one environment: chains, contracts, tokens, routes. Format: docs/address-book.md. */
export type AddressBook = z.output<typeof addressBookSchema>
export type AddressBookFile = z.input<typeof addressBookSchema>
export type AddressBookChain = AddressBook['chains'][number]
export type AddressBookToken = AddressBook['tokens'][number]
export type TransitRoute = AddressBook['transitRoutes'][number]
export type PriceFeed = z.output<typeof feed>
export type KeeperCeilings = z.output<typeof keeperCeilings>
export type AddressBookVault = AddressBook['vaults'][number]
export type AddressBookDeployment = AddressBookVault['deployments'][number]

/** Its message names the file and every wrong place in it, one per line; `problems` are those lines. */
export class AddressBookError extends Error {
  override name = 'AddressBookError'
  readonly problems: string[]

  constructor(source: string, problems: string[], options?: ErrorOptions) {
    const list = problems.map((problem) => `  ${problem}`).join('\n')
    super(`The address book ${source} cannot be used:\n${list}`, options)
    this.problems = problems
  }
}

/** Parses an address book from its JSON value. Throws `AddressBookError`. */
export function parseAddressBook(value: unknown, source: string): AddressBook {
  const result = addressBookSchema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`,
  )
  throw new AddressBookError(source, problems)
}

/** Reads an address book file. Throws `AddressBookError` when it is missing, not JSON, or not valid. */
export async function loadAddressBook(path: string): Promise<AddressBook> {
  return parseAddressBook(await readBookValue(path), path)
}

/** The JSON value of a file. Throws `AddressBookError` when it is missing or not JSON. */
export async function readBookValue(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new AddressBookError(path, [`cannot be read (${cause.code})`], { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AddressBookError(path, [`is not JSON (${oneLine(cause)})`], { cause })
  }
}

/** The parser's message, which may quote several lines of the file. */
function oneLine(cause: unknown): string {
  return String(cause instanceof Error ? cause.message : cause).replaceAll(/\s+/g, ' ')
}
