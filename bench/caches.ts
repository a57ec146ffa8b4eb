import { execute, parse } from 'graphql'
import type { Address } from 'viem'
import { compile } from '../api/graphql/compiledOperation.ts'
import { operationCost } from '../api/graphql/operationCost.ts'
import { prepareOperation } from '../api/graphql/prepareOperation.ts'
import { fragmentOf } from '../api/rest/fragmentOf.ts'
import type { AppContext } from '../domain/appContext.ts'
import { checksummed } from '../domain/token/checksummed.ts'
import type { TransitOrder } from '../domain/transit/orders/transitOrder.ts'
import { schema } from '../schema/schema.ts'
import { seededRandom } from '../test/support/seededRandom.ts'
import { median } from './figure.ts'

/** Measures what the caches give that keep what cannot change, in CPU: `node bench/caches.ts`. */
const ROUNDS = 7
const random = seededRandom(1)
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Microseconds of CPU of a call: those of the median round. */
async function cpuOf(calls: number, call: (index: number) => unknown): Promise<number> {
  const rounds: number[] = []
  let index = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage()
    for (let n = 0; n < calls; n += 1) await call(index++)
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / calls)
  }
  return median(rounds)
}

function compare(name: string, kept: number, made: number) {
  print(`${name.padEnd(44)} kept ${kept.toFixed(1)} µs, made ${made.toFixed(1)} µs`)
}

const addresses = Array.from({ length: ROUNDS * 1_000 }, (): Address => random.hex(20))
const [address = '0x'] = addresses
compare(
  'checksums: an address',
  await cpuOf(10_000, () => checksummed(address)),
  await cpuOf(1_000, (index) => checksummed(addresses[index] ?? address)),
)

const text = `query ($id: Hash!) { transitOrder(id: $id) { ...TransitOrder } } ${fragmentOf('TransitOrder')}`
const variables = { id: random.hex(32) }
compare(
  'documents: parsed, checked and priced',
  await cpuOf(10_000, () => operationCost(prepareOperation(text), variables)),
  await cpuOf(100, (index) => operationCost(prepareOperation(`${text} # ${index}`), variables)),
)
const document = parse(text)
const token = { chainId: 1, name: 'A', symbol: 'A', decimals: 6, tokenStandard: 'ERC20' }
const contextValue = {
  lostChains: [],
  addressBook: { transitRoutes: [], chains: [], tokens: [] },
  tokens: { known: (_: number, of: Address) => ({ ...token, address: of }) },
} as unknown as AppContext // Cast, because an order that was read needs no other part of it.
const execution = { chainId: 1, transactionHash: random.hex(32), blockNumber: 1, logIndex: 1 }
const part = { ...execution, timestamp: 1, amount: 1n, remaining: 1n, finalized: true }
const transitOrder: TransitOrder = {
  id: random.hex(32),
  sourceChainId: 1,
  destinationChainId: 1,
  offerAsset: address,
  wantAsset: address,
  offerAmount: 1n,
  amountDue: 1n,
  remainingAmountDue: 0n,
  user: address,
  transactionSender: null,
  receiver: address,
  distributorCode: null,
  sourceTxHash: random.hex(32),
  protocolFee: 1n,
  integratorFee: 1n,
  integratorFeeReceiver: null,
  deadline: 1,
  messageGuid: null,
  receiveTime: 1,
  status: 'PROCESSED',
  createdAt: new Date(),
  updatedAt: new Date(),
  finalized: true,
  executions: [part],
  removals: [],
  timeline: [
    { ...part, step: 'SUBMITTED' },
    { ...part, step: 'EXECUTED' },
  ],
}
const rootValue = { transitOrder }
const run = compile(document)
compare(
  'documents: an order, compiled or executed',
  await cpuOf(1_000, () => run?.(rootValue, contextValue, variables)),
  await cpuOf(1_000, () =>
    execute({ schema, document, variableValues: variables, contextValue, rootValue }),
  ),
)
