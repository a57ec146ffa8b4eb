import { type Address, BaseError, type HttpTransport, http, RpcRequestError } from 'viem'
import { observe } from '../observation/observe.ts'
import { type JsonRpcRequest, judgeResult } from './judgeResult.ts'

type ChainHttpOptions = {
  chainId: number
  url: string
  timeoutMs: number
  /** Where every node of that chain has code, once it is in sync. */
  multicall3?: Address | undefined
}

/**
 * HTTP to a node that answers only after it has shown the right chain id, and again after a failure:
 * behind a URL there may be another chain's node one day, with other tokens at the same addresses.
 * What is no answer to the question is an error, so that another node is asked.
 */
export function chainHttp(options: ChainHttpOptions): HttpTransport {
  const { chainId, url, timeoutMs } = options
  // Out here, because a fallback makes its transports anew for every request.
  let verified: Promise<void> | undefined

  function refuseOtherChain(answered: unknown) {
    if (Number(answered) !== chainId)
      throw new Error(`expected a node of chain ${chainId}, this one says ${Number(answered)}`)
  }

  return (config) => {
    const transport = http(url, { timeout: timeoutMs, retryCount: 0 })(config)

    async function verify() {
      refuseOtherChain(await timed({ method: 'eth_chainId' }))
    }

    async function timed(call: JsonRpcRequest) {
      const start = performance.now()
      const tell = (outcome: 'ok' | 'error' | 'failed') =>
        observe({ kind: 'rpc', chainId, outcome, seconds: (performance.now() - start) / 1_000 })
      try {
        const result = await transport.request(call as never)
        tell('ok')
        return result
      } catch (error) {
        tell(error instanceof RpcRequestError ? 'error' : 'failed')
        throw error
      }
    }

    return {
      ...transport,
      request: (async (call: JsonRpcRequest) => {
        try {
          verified ??= verify()
          await verified
          const result = await timed(call)
          if (!isAnswer(call, result, options.multicall3))
            throw new Error(`what it says to ${call.method} is no answer`)
          if (call.method === 'eth_chainId') refuseOtherChain(result)
          return result
        } catch (error) {
          // A node that answers with an error is the one it was.
          if (!(error instanceof RpcRequestError)) verified = undefined
          throw withoutUrl(error, url)
        }
      }) as typeof transport.request,
    }
  }
}

function isAnswer(call: JsonRpcRequest, result: unknown, multicall3: Address | undefined): boolean {
  if (judgeResult(call, result) === 'garbage') return false
  const [to] = Array.isArray(call.params) ? [call.params[0]?.to] : []
  const isBatch = call.method === 'eth_call' && multicall3 !== undefined && to === multicall3
  return !isBatch || result !== '0x'
}

const SHORTEST_KEY = 8

/** viem writes the URL, whose path may be a key, into its errors, and those are logged: the host stays. */
function withoutUrl(error: unknown, url: string): unknown {
  const { host, pathname, search, searchParams } = new URL(url)
  // Nodes also say a key alone: "invalid api key …".
  const keys = [...pathname.split('/'), ...searchParams.values()].filter(
    (part) => part.length >= SHORTEST_KEY,
  )
  const secrets = [`${pathname}${search}`, pathname, ...keys].filter((part) => part.length > 1)
  const clean = (text: string) => {
    const shown = text.replaceAll(url, host)
    return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '/…'), shown)
  }
  for (let part: unknown = error; isRecord(part); part = part.cause) {
    for (const name of Object.getOwnPropertyNames(part)) {
      const text = part[name]
      if (typeof text === 'string') part[name] = name === 'url' ? host : clean(text)
    }
    if (part instanceof BaseError) part.metaMessages = part.metaMessages?.map(clean)
  }
  return error
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
