import {
  execute,
  type GraphQLInputType,
  isEnumType,
  isListType,
  isNonNullType,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import type { AppContext } from '../../domain/appContext.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { TransitOrder, TransitOrderStep } from '../../domain/transit/orders/transitOrder.ts'
import { schema } from '../../schema/schema.ts'
import { seededRandom } from '../../test/support/seededRandom.ts'
import { fragmentOf } from '../rest/fragmentOf.ts'
import { routes } from '../rest/routes.ts'
import { compile, compiledOperation } from './compiledOperation.ts'

const ORDERS = 300
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const random = seededRandom(seed)
const amount = () => BigInt(random.integer(0, 2 ** 30)) ** BigInt(random.integer(1, 6))
const maybe = <Value>(value: Value) => (random.chance(0.3) ? null : value)

/** A token of some orders cannot be read. */
const context = {
  addressBook: { transitRoutes: [], chains: [], tokens: [] },
  tokens: {
    known: () => undefined,
    get: async (chainId: number, address: string) => {
      if (address.endsWith('0')) throw new ServiceError('RPC_UNAVAILABLE', 'no node answers')
      if (address.endsWith('1')) throw new Error('a fault')
      return {
        chainId,
        address,
        name: 'A "token"',
        symbol: 'T',
        decimals: 6,
        tokenStandard: 'ERC20',
      }
    },
  },
} as unknown as AppContext // Cast, because orders that were read need no other part of it.

function step(): TransitOrderStep {
  return {
    step: random.pick(['SUBMITTED', 'BRIDGED', 'RECEIVED', 'EXECUTED', 'PROCESSED', 'REMOVED']),
    chainId: random.pick([1, 4663]),
    transactionHash: random.hex(32),
    blockNumber: random.integer(0, 2 ** 30),
    timestamp: random.integer(0, 2 ** 30),
    amount: maybe(amount()),
    remaining: maybe(amount()),
    finalized: random.chance(0.5),
  }
}

function order(): TransitOrder {
  const timeline = Array.from({ length: random.integer(0, 6) }, step)
  const records = timeline.map((each) => ({
    ...each,
    logIndex: 3,
    amount: amount(),
    remaining: amount(),
  }))
  return {
    id: random.hex(32),
    sourceChainId: random.pick([1, 4663]),
    destinationChainId: random.pick([1, 4663]),
    offerAsset: random.hex(20),
    wantAsset: random.hex(20),
    offerAmount: maybe(amount()),
    amountDue: amount(),
    remainingAmountDue: amount(),
    user: maybe(random.hex(20)),
    transactionSender: maybe(random.hex(20)),
    receiver: random.hex(20),
    distributorCode: maybe(random.hex(32)),
    sourceTxHash: maybe(random.hex(32)),
    protocolFee: maybe(amount()),
    integratorFee: maybe(amount()),
    integratorFeeReceiver: maybe(random.hex(20)),
    deadline: maybe(random.integer(0, 2 ** 30)),
    messageGuid: maybe(random.hex(32)),
    receiveTime: random.integer(0, 2 ** 30),
    status: random.pick(['PENDING_BRIDGE', 'PROCESSING', 'PROCESSED', 'REMOVED']),
    createdAt: new Date(random.integer(0, 2 ** 30) * 1_000),
    updatedAt: new Date(random.integer(0, 2 ** 30) * 1_000),
    finalized: random.chance(0.5),
    executions: records,
    removals: records.slice(0, 1),
    timeline,
  }
}

test(`behavior: ${ORDERS} drawn orders, and their failures, are those that graphql-js gives, SEED=${seed}`, async () => {
  const text = `query ($id: Hash!) { order: transitOrder(id: $id) { ...TransitOrder again: status } } ${fragmentOf('TransitOrder')}`
  const document = parse(text)
  const run = compile(document)
  for (let drawn = 0; drawn < ORDERS; drawn += 1) {
    const root = { transitOrder: order() }
    const variables = { id: root.transitOrder.id }
    const contextValue = { ...context, lostChains: [] }
    const expected = await execute({
      schema,
      document,
      variableValues: variables,
      contextValue,
      rootValue: root,
    })
    const given = await run?.(root, contextValue, variables)
    for (const part of ['data', 'errors'] as const)
      expect(JSON.stringify(given?.[part])).toBe(JSON.stringify(expected[part]))
    expect(given?.errors?.map(({ originalError }) => originalError)).toEqual(
      expected.errors?.map(({ originalError }) => originalError),
    )
  }
})

/** A value of a type of argument, as a client sends it. */
function sent(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sent(type.ofType)
  if (isListType(type)) return [sent(type.ofType)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  const { name } = type
  if (name === 'Int' || name === 'UnixTime') return random.integer(1, 2 ** 30)
  if (name === 'Boolean') return random.chance(0.5)
  if (name === 'Amount') return String(amount())
  if (name === 'Hash') return random.hex(32)
  if (name === 'WithdrawalRequestId') return `1:${random.hex(20)}:7`
  return random.hex(20)
}

const lists = routes.filter(({ operationId }) => operationId.startsWith('list'))

test.each(lists.map((list) => [list.operationId, list] as const))(
  `behavior: %s is compiled, and its resolver gets the same arguments, given or not, SEED=${seed}`,
  async (_, { field: name, document: text }) => {
    const field = schema.getQueryType()?.getFields()[name]
    if (!field) throw new Error(`no field ${name}`)
    const { resolve } = field
    const seen: unknown[] = []
    field.resolve = (_root, args) => {
      seen.push(args)
      throw new Error('noted')
    }
    try {
      const document = parse(text)
      const run = compile(document)
      expect(run).not.toBeNull()
      for (let drawn = 0; drawn < 20; drawn += 1) {
        const given = field.args.flatMap(({ name: argument, type, defaultValue }) => {
          const isRequired = isNonNullType(type) && defaultValue === undefined
          if (!isRequired && random.chance(0.5)) return []
          return [[argument, isNonNullType(type) ? sent(type) : maybe(sent(type))]]
        })
        const variables = Object.fromEntries(given)
        await execute({ schema, document, variableValues: variables, rootValue: {} })
        await run?.({}, context, variables)
        const [expected, compiled] = seen.splice(0)
        expect(expected).toBeDefined()
        expect(compiled).toEqual(expected)
      }
    } finally {
      if (resolve) field.resolve = resolve
    }
  },
)

test('behavior: the document of REST for one order is compiled', () => {
  const document = routes.find(({ operationId }) => operationId === 'getTransitOrder')?.document
  expect(compile(parse(document ?? ''))).not.toBeNull()
})

test('behavior: what is asked for often, and nothing that graphql-jit may execute otherwise', () => {
  const often = parse('query ($id: Hash!) { transitOrder(id: $id) { id } }')
  const runs = Array.from({ length: 12 }, () => compiledOperation(often))
  expect(runs.map((run) => run !== null)).toEqual([...Array(9).fill(false), ...Array(3).fill(true)])
  for (const text of [
    'mutation { revokeApiKey(publicId: "1") { publicId } }',
    'subscription { transitOrder(id: "0x00") { id } }',
    'query a { chains { chainId } } query b { chains { chainId } }',
    '{ chains { ...C } again: chains { ...C } } fragment C on Chain { chainId }',
    'query ($pageSize: Int! = 5) { tokens(pageSize: $pageSize) { nextPageToken } }',
    '{ tokens { nextPageToken } }',
    '{ transitOrder(id: "0x00") { id } }',
    'query ($no: Boolean!) { chains { chainId @skip(if: $no) } }',
  ])
    expect(compile(parse(text)), text).toBeNull()
})
