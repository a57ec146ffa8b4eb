import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The version of the stored form. */
const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a secret with AES-256-GCM and the 32 bytes of `SECRETS_KEY`. It is bound to its owner's name, so
 * that a copy in another row cannot be decrypted.
 */
export function sealSecret(secret: string, name: string, secretsKey: Uint8Array): Uint8Array {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secretsKey, iv).setAAD(Buffer.from(name))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), text])
}

/** Decrypts a secret. Throws if it was sealed with another key or name, or has been changed. */
export function openSecret(sealed: Uint8Array, name: string, secretsKey: Uint8Array): string {
  const bytes = Buffer.from(sealed)
  if (bytes[0] !== VERSION) throw new Error('Invariant(sealedSecret): unknown version')
  const iv = bytes.subarray(1, 1 + IV_BYTES)
  const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', secretsKey, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(name))
    .setAuthTag(tag)
  const text = bytes.subarray(1 + IV_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
}
