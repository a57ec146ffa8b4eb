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
import { unlessRefused } from './revert.ts'

/**
 * Reads of contracts for who makes many at once: all that one turn of the event loop asks of a client is
 * one `eth_call`, and `ChainClients.read` gives every caller a client of its own. viem's own batches take time that grows with the square of their size, and an error
 * with a stack for every getter that a contract lacks.
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
 * What a getter says now, or null where the contract refuses, lacks it or says what does not decode.
 * Throws what the node fails with. A client whose chain names no Multicall3 asks for it alone.
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

/** As `tryRead` of a getter that there has to be: throws `RefusedRead` where that is null. */
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
  // The same to TypeScript only once the types are known.
  const parameters = call as unknown as ReadContractParameters<Of, Name, Given>
  return unlessRefused(client.readContract<Of, Name, Given>(parameters))
}

/** A contract does not say what it has to; for the client of the api its chain cannot be read. */
export class RefusedRead extends BaseError {
  constructor(address: Address, functionName: string) {
    super(`The contract ${address} does not answer ${functionName}`, { name: 'RefusedRead' })
  }
}

type Pending = ContractCall & {
  answer: Promise<Hex | null>
  resolve(data: Hex | null): void
  reject(error: unknown): void
}

/**
 * The same client for one who asks: what others ask in the same turn goes out in calls of its own, so that
 * a contract that burns its gas spoils only the answer that is about it.
 */
export function apart(client: PublicClient): PublicClient {
  return Object.create(client)
}

/** By client and then by what is asked: nobody asks twice in one turn. */
const queues = new WeakMap<PublicClient, Map<string, Pending>>()

/** What a call returns, null for a revert, asked together with all else of this turn. */
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
 * Bytes of calldata in one `eth_call`: some 4000 getters, or 130 deployments of vaults. Nodes take JSON of
 * 2 MB (anvil) or more, which has two digits for a byte, and 50 million gas, of which a getter has about
 * 7000.
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
 * So that a contract that burns all it gets costs the node milliseconds: a getter has some 7,000 gas, one
 * that asks several contracts for a rate 100,000. More than the last nodes refuse.
 */
const GAS = { each: 60_000, first: 1_000_000, most: 50_000_000 }

function gasFor(calls: number): Hex {
  return toHex(Math.min(GAS.first + calls * GAS.each, GAS.most))
}

async function ask(client: PublicClient, to: Address, batch: Pending[]): Promise<void> {
  try {
    const request = { to, data: encodeAggregate3(batch), gas: gasFor(batch.length) }
    const answer = await client.request({ method: 'eth_call', params: [request, 'latest'] })
    const results = decodeAggregate3(answer, batch.length)
    batch.forEach(({ resolve }, index) => {
      resolve(results[index] ?? null)
    })
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
