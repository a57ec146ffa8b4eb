import { createPublicKey } from 'node:crypto'
import { type KmsKey, TRIES, TRY_MS } from './kmsKey.ts'

/** Statuses that may pass. Over REST the client reports those of HTTP, and knows only gRPC's 14 (UNAVAILABLE) by itself. */
const RETRY = {
  retryCodes: [14, 429, 500, 502, 503, 504],
  backoffSettings: {
    initialRetryDelayMillis: 100,
    retryDelayMultiplier: 2,
    maxRetryDelayMillis: 500,
    initialRpcTimeoutMillis: TRY_MS,
    rpcTimeoutMultiplier: 1,
    maxRpcTimeoutMillis: TRY_MS,
    maxRetries: TRIES - 1,
  },
}

/**
 * The key version of Google Cloud KMS with this resource name. The official client finds its credentials (ADC).
 * `endpoint` is null for Google's public one. Calls are REST, which passes proxies that gRPC does not.
 */
export async function gcpKmsKey(name: string, endpoint: string | null): Promise<KmsKey> {
  const { KeyManagementServiceClient } = await import('@google-cloud/kms')
  const client = new KeyManagementServiceClient({
    fallback: true,
    ...(endpoint ? connectionOf(new URL(endpoint)) : {}),
  })
  const options = { timeout: TRY_MS, retry: RETRY }
  return {
    name: `Google Cloud KMS key ${name}`,
    async readPublicKey() {
      const [{ pem }] = await client.getPublicKey({ name }, options)
      return createPublicKey(pem ?? '')
    },
    async signDigest(sha256) {
      const [{ signature }] = await client.asymmetricSign({ name, digest: { sha256 } }, options)
      return typeof signature === 'string'
        ? Buffer.from(signature, 'base64')
        : (signature ?? new Uint8Array())
    },
  }
}

function connectionOf({ protocol, hostname, port }: URL) {
  const isPlain = protocol === 'http:'
  return {
    apiEndpoint: hostname,
    port: Number(port) || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
  }
}
