import { parse, validate } from 'graphql'
import type { Address } from 'viem'
import { compile } from '../api/graphql/compiledOperation.ts'
import { operationCost } from '../api/graphql/operationCost.ts'
import { prepareOperation } from '../api/graphql/prepareOperation.ts'
import { fragmentOf } from '../api/rest/fragmentOf.ts'
import { checksummed } from '../domain/token/checksummed.ts'
import { schema } from '../schema/schema.ts'
import { seededRandom } from '../test/support/seededRandom.ts'
import { median } from './figure.ts'

/** Measures what the caches give that keep what cannot change, in CPU: `node bench/caches.ts`. */
const ROUNDS = 7
const random = seededRandom(1)
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Microseconds of CPU of a call: those of the median round. */
function cpuOf(calls: number, call: (index: number) => unknown): number {
  let index = 0
  return median(
    Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage()
      for (let n = 0; n < calls; n += 1) call(index++)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / calls
    }),
  )
}

function compare(name: string, kept: number, made: number) {
  print(`${name.padEnd(44)} kept ${kept.toFixed(1)} µs, made ${made.toFixed(1)} µs`)
}

const addresses = Array.from({ length: ROUNDS * 1_000 }, (): Address => random.hex(20))
const [address = '0x'] = addresses
compare(
  'checksums: an address',
  cpuOf(10_000, () => checksummed(address)),
  cpuOf(1_000, (index) => checksummed(addresses[index] ?? address)),
)

const text = `query ($id: Hash!) { transitOrder(id: $id) { ...TransitOrder } } ${fragmentOf('TransitOrder')}`
const variables = { id: random.hex(32) }
compare(
  'documents: parsed, checked and priced',
  cpuOf(10_000, () => operationCost(prepareOperation(text), variables)),
  cpuOf(100, (index) => operationCost(prepareOperation(`${text} # ${index}`), variables)),
)
const document = parse(text)
print(`${'documents: its parts'.padEnd(44)} parse ${cpuOf(200, () => parse(text)).toFixed(1)} µs, \
validate ${cpuOf(100, () => validate(schema, document)).toFixed(1)} µs, \
compile ${cpuOf(10, () => compile(parse(text))).toFixed(1)} µs`)
