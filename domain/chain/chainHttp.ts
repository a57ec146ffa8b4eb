import { type Address, BaseError, type HttpTransport, http } from 'viem'
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
      refuseOtherChain(await transport.request({ method: 'eth_chainId' }))
    }

    return {
      ...transport,
      request: (async (call: JsonRpcRequest) => {
        try {
          verified ??= verify()
          await verified
          const result = await transport.request(call as never)
          if (!isAnswer(call, result, options.multicall3))
            throw new Error(`what it says to ${call.method} is no answer`)
          if (call.method === 'eth_chainId') refuseOtherChain(result)
          return result
        } catch (error) {
          verified = undefined
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

/** viem writes the URL, whose path may be a key, into its errors, and those are logged: the host stays. */
function withoutUrl(error: unknown, url: string): unknown {
  const { host, pathname, search } = new URL(url)
  const secrets = [`${pathname}${search}`, pathname].filter((part) => part.length > 1)
  const clean = (text: string) => {
    const shown = text.replaceAll(url, host)
    return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '/…'), shown)
  }
  for (let part = error; part instanceof Error; part = part.cause) {
    part.message = clean(part.message)
    if (part.stack) part.stack = clean(part.stack)
    if (!(part instanceof BaseError)) continue
    part.details = clean(part.details)
    part.shortMessage = clean(part.shortMessage)
    part.metaMessages = part.metaMessages?.map(clean)
    if ('url' in part) part.url = host
  }
  return error
}
