import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  type Hex,
  type PublicClient,
  type ReadContractParameters,
  toHex,
} from 'viem'
import {
  type ContractCall,
  decodeAggregate3,
  encodeAggregate3,
  sizeInAggregate,
} from './aggregate3.ts'
import { functionCodec } from './functionCodec.ts'
import { isNodeAnswer } from './isNodeAnswer.ts'
import { unlessRefused } from './revert.ts'

/**
 * Batches contract reads: all reads that one turn of the event loop makes with a client are one
 * `eth_call`. `ChainClients.read` gives every caller a client of its own. viem's own batches take time
 * that grows with the square of their size, and create an error with a stack for every getter that a
 * contract lacks.
 */

type Getter = 'pure' | 'view'
type Getters<Of extends Abi> = ContractFunctionName<Of, Getter>
type Args<Of extends Abi, Name extends Getters<Of>> = ContractFunctionArgs<Of, Getter, Name>
type Call<
  Of extends Abi,
  Name extends Getters<Of>,
  Given extends Args<Of, Name>,
> = ContractFunctionParameters<Of, Getter, Name, Given>
type Value<
  Of extends Abi,
  Name extends Getters<Of>,
  Given extends Args<Of, Name>,
> = ContractFunctionReturnType<Of, Getter, Name, Given>

/**
 * A getter's current value; null if the contract reverts, lacks the getter, or returns data that does
 * not decode. Throws the node's error. A client whose chain has no Multicall3 makes a call of its own.
 */
export async function tryRead<
  const Of extends Abi,
  Name extends Getters<Of>,
  const Given extends Args<Of, Name>,
>(client: PublicClient, call: Call<Of, Name, Given>): Promise<Value<Of, Name, Given> | null> {
  const multicall3 = client.chain?.contracts?.multicall3?.address
  if (!multicall3) return readAlone<Of, Name, Given>(client, call)
  const { encode, decode } = functionCodec(call.abi, call.functionName)
  const data = encode((call.args ?? []) as readonly unknown[])
  const to = call.address.toLowerCase() as Address
  const answer = await gather(client, multicall3, { to, data })
  return answer === null ? null : (decode(answer) as Value<Of, Name, Given> | null)
}

/** Like `tryRead` for a getter that must exist: throws `RefusedRead` instead of returning null. */
export async function mustRead<
  const Of extends Abi,
  Name extends Getters<Of>,
  const Given extends Args<Of, Name>,
>(client: PublicClient, call: Call<Of, Name, Given>): Promise<Value<Of, Name, Given>> {
  const value = await tryRead<Of, Name, Given>(client, call)
  if (value === null) throw new RefusedRead(call.address, call.functionName)
  return value
}

async function readAlone<Of extends Abi, Name extends Getters<Of>, Given extends Args<Of, Name>>(
  client: PublicClient,
  call: Call<Of, Name, Given>,
) {
  // TypeScript sees that they are equal only once the types are known.
  const parameters = call as unknown as ReadContractParameters<Of, Name, Given>
  return unlessRefused(client.readContract<Of, Name, Given>(parameters))
}

/** A contract lacks a required getter. The api's client reports that the chain cannot be read. */
export class RefusedRead extends BaseError {
  constructor(address: Address, functionName: string) {
    super(`The contract ${address} does not answer ${functionName}`, { name: 'RefusedRead' })
  }
}

/** For the `catch` of a read: null instead of a `RefusedRead`. */
export function unlessRefusedRead(error: unknown): null {
  if (error instanceof RefusedRead) return null
  throw error
}

type Pending = ContractCall & {
  answer: Promise<Hex | null>
  resolve(data: Hex | null): void
  reject(error: unknown): void
}

/**
 * The same client in a batch of its own: a contract that burns its gas then spoils only its own caller's
 * reads.
 */
export function apart(client: PublicClient): PublicClient {
  return Object.create(client)
}

/** By client and then by call, so that the same call is made once per turn. */
const queues = new WeakMap<PublicClient, Map<string, Pending>>()

/** The result of a call, null if it reverts, batched with all other calls of this turn. */
function gather(client: PublicClient, multicall3: Address, call: ContractCall) {
  const queue = queues.get(client) ?? open(client, multicall3)
  const key = call.to + call.data
  const asked = queue.get(key)
  if (asked) return asked.answer
  const { promise: answer, resolve, reject } = Promise.withResolvers<Hex | null>()
  queue.set(key, { ...call, answer, resolve, reject })
  return answer
}

function open(client: PublicClient, multicall3: Address): Map<string, Pending> {
  const queue = new Map<string, Pending>()
  queues.set(client, queue)
  setImmediate(() => {
    queues.delete(client)
    for (const batch of batchesOf(queue.values())) void ask(client, multicall3, batch)
  })
  return queue
}

/**
 * Bytes of calldata in one `eth_call`: about 4,000 getters, or 130 deployments of vaults. Nodes accept
 * JSON of at least 2 MB (anvil), in which a byte has two digits, and 50 million gas, of which a getter
 * uses about 7,000.
 */
const BATCH_BYTES = 900_000

function batchesOf(calls: Iterable<Pending>): Pending[][] {
  const batches: Pending[][] = []
  let left = 0
  for (const call of calls) {
    const size = sizeInAggregate(call)
    if (size > left) {
      batches.push([])
      left = BATCH_BYTES
    }
    batches.at(-1)?.push(call)
    left -= size
  }
  return batches
}

/**
 * Gas limits, so that a contract that burns all its gas costs the node only milliseconds. A getter uses
 * about 7,000 gas, one that asks several contracts for a rate 100,000. Some nodes refuse more than `most`.
 */
const GAS = { each: 60_000, first: 1_000_000, most: 50_000_000 }

function gasFor(calls: number): Hex {
  return toHex(Math.min(GAS.first + calls * GAS.each, GAS.most))
}

/** After so many parts in a row, larger ones are tried again: only one of the contracts may have been the cause. */
const TAKEN_BEFORE_MORE = 4

/**
 * Asks for all, in as many parts as the node requires: it may refuse a call for its gas or its bytes, and a contract that burns
 * its gas may spoil what is asked beside it. If it refuses a single call, all that is left fails.
 */
async function ask(client: PublicClient, to: Address, batch: Pending[]): Promise<void> {
  let left = batch
  let most = batch.length
  let taken = 0
  while (left.length > 0) {
    const part = left.slice(0, most)
    try {
      const results = await aggregate(client, to, part)
      part.forEach(({ resolve }, index) => {
        resolve(results[index] ?? null)
      })
      left = left.slice(part.length)
      taken += 1
      if (taken % TAKEN_BEFORE_MORE === 0) most *= 2
    } catch (error) {
      if (part.length === 1 || !isNodeAnswer(error)) {
        for (const { reject } of left) reject(error)
        return
      }
      most = Math.ceil(part.length / 2)
      taken = 0
    }
  }
}

async function aggregate(client: PublicClient, to: Address, calls: Pending[]) {
  const request = { to, data: encodeAggregate3(calls), gas: gasFor(calls.length) }
  const answer = await client.request({ method: 'eth_call', params: [request, 'latest'] })
  return decodeAggregate3(answer, calls.length)
}
