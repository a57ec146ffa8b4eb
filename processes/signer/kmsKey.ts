import type { KeyObject } from 'node:crypto'

/** A secp256k1 key that never leaves a key management service. Both calls end with `signal`. */
export type KmsKey = {
  /** The service and the key, for messages. Contains no credential. */
  name: string
  readPublicKey(signal: AbortSignal): Promise<KeyObject>
  /** The signature of a digest of 32 bytes, in DER. */
  signDigest(digest: Uint8Array, signal: AbortSignal): Promise<Uint8Array>
}

/** Each try of a call, in milliseconds, and how many there are. The signature of a quote has a user who waits. */
export const TRY_MS = 1_500
export const TRIES = 3
