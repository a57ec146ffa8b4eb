import { createPublicKey } from 'node:crypto'
import { type KmsKey, TRIES, TRY_MS } from './kmsKey.ts'

/**
 * The key of AWS KMS with this id, ARN or alias. Region and credentials come from where the official client looks
 * for them; an ARN names its region itself. The client is loaded here, because most processes need none.
 */
export async function awsKmsKey(keyId: string): Promise<KmsKey> {
  const { GetPublicKeyCommand, KMSClient, SignCommand } = await import('@aws-sdk/client-kms')
  const region = /^arn:[^:]*:kms:([^:]+):/.exec(keyId)?.[1]
  const client = new KMSClient({
    ...(region ? { region } : {}),
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: TRY_MS,
      requestTimeout: TRY_MS,
      throwOnRequestTimeout: true,
    },
  })
  return {
    name: `AWS KMS key ${keyId}`,
    async readPublicKey(abortSignal) {
      const command = new GetPublicKeyCommand({ KeyId: keyId })
      const { PublicKey = new Uint8Array() } = await client.send(command, { abortSignal })
      return createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
    },
    async signDigest(digest, abortSignal) {
      const command = new SignCommand({
        KeyId: keyId,
        Message: digest,
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      })
      const { Signature = new Uint8Array() } = await client.send(command, { abortSignal })
      return Signature
    },
  }
}
