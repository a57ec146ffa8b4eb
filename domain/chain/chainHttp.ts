import { type HttpTransport, http } from 'viem'

/**
 * HTTP to a node that answers only after it has shown the right chain id, and again after a failure:
 * behind a URL there may be another chain's node one day, with other tokens at the same addresses.
 */
export function chainHttp(chainId: number, url: string, timeoutMs: number): HttpTransport {
  return (config) => {
    const transport = http(url, { timeout: timeoutMs, retryCount: 0 })(config)
    let verified: Promise<void> | undefined

    async function verify() {
      const answered = Number(await transport.request({ method: 'eth_chainId' }))
      if (answered !== chainId)
        throw new Error(`expected a node of chain ${chainId}, this one says ${answered}`)
    }

    return {
      ...transport,
      async request(call) {
        try {
          verified ??= verify()
          await verified
          return await transport.request(call)
        } catch (error) {
          verified = undefined
          throw error
        }
      },
    }
  }
}
