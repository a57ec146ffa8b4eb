import { type Hex, toFunctionSelector } from 'viem'

/** A node, read by plain JSON-RPC. */
export type OracleRpc = {
  /** Throws the node's error. */
  ask(method: string, params: unknown[]): Promise<unknown>
  /**
   * The 32-byte words that a view function of static arguments and results returned at a block; null
   * if it reverted or there is no contract. Cached, because a past result does not change.
   */
  call(
    at: { block: number; to: string },
    signature: string,
    args?: Word[],
  ): Promise<bigint[] | null>
}

type Word = bigint | string

type Question = {
  method: string
  params: unknown[]
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

type Answer = { id: number; result?: unknown; error?: { code: number; message: string } }

/** Bodies stay small, and the node answers the first while the next is sent. */
const BATCH = 200
const REVERTED = 3

/** All requests of the same turn are sent together. */
export function createOracleRpc(url: string): OracleRpc {
  let waiting: Question[] = []
  const called = new Map<string, Promise<bigint[] | null>>()

  function ask(method: string, params: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(send)
      waiting.push({ method, params, resolve, reject })
    })
  }

  function send() {
    const questions = waiting
    waiting = []
    for (let first = 0; first < questions.length; first += BATCH) {
      const batch = questions.slice(first, first + BATCH)
      post(url, batch).catch((error) => {
        for (const { reject } of batch) reject(error)
      })
    }
  }

  async function callOnce(block: number, to: string, data: Hex): Promise<bigint[] | null> {
    const result = await ask('eth_call', [{ to, data }, hexOf(block)]).catch((error) => {
      if (error instanceof RpcError && error.code === REVERTED) return '0x'
      throw error
    })
    return result === '0x' ? null : wordsOf(String(result))
  }

  return {
    ask,
    call({ block, to }, signature, args = []) {
      const data: Hex = `${toFunctionSelector(signature)}${args.map(encode).join('')}`
      const key = `${block} ${to} ${data}`
      const calling = called.get(key) ?? callOnce(block, to, data)
      called.set(key, calling)
      return calling
    },
  }
}

class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  constructor({ code, message }: { code: number; message: string }) {
    super(message)
    this.code = code
  }
}

async function post(url: string, questions: Question[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      questions.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })),
    ),
  })
  const answers = (await response.json()) as Answer[]
  for (const { id, result, error } of answers) {
    const question = questions[id]
    if (error) question?.reject(new RpcError(error))
    else question?.resolve(result)
  }
}

function encode(argument: Word): string {
  return BigInt(argument).toString(16).padStart(64, '0')
}

export function hexOf(block: number): Hex {
  return `0x${block.toString(16)}`
}

/** The 32-byte words of returned or logged data. */
export function wordsOf(data: string): bigint[] {
  return (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** The lower-case address in a word. */
export function addressIn(word: bigint | undefined): string {
  if (word === undefined) throw new Error('Invariant(addressIn): there is no such word')
  return `0x${word.toString(16).padStart(40, '0')}`
}
