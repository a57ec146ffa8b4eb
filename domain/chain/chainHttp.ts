import { BaseError, type HttpTransport, http } from 'viem'

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
          throw withoutUrl(error, url)
        }
      },
    }
  }
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
