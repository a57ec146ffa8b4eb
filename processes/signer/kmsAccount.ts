import type { KeyObject } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import {
  type Address,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseSignature,
  recoverAddress,
  serializeSignature,
  serializeTransaction,
} from 'viem'
import { publicKeyToAddress, toAccount } from 'viem/accounts'
import { SignerUnavailableError } from '../../domain/error/signerUnavailableError.ts'
import type { KmsKey } from './kmsKey.ts'

/** How long a caller waits, all tries together. A late answer is dropped. */
const ANSWERS_WITHIN_MS = 4_000
/** Signatures that may be open at once. Further ones are refused at once, so that none pile up behind a slow service. */
export const MOST_OPEN = 50

/**
 * The account of a key in a key management service. Reads the public key once. Its methods throw
 * `SignerUnavailableError`, as does this. Signatures have a low s, and v 27 or 28.
 */
export async function kmsAccount(
  key: KmsKey,
  answersWithinMs = ANSWERS_WITHIN_MS,
): Promise<LocalAccount> {
  const answerOf = <Result>(call: (signal: AbortSignal) => Promise<Result>) =>
    answerWithin(answersWithinMs, key, call)
  const address = addressOf(await answerOf((signal) => key.readPublicKey(signal)), key)
  let open = 0

  async function sign({ hash }: { hash: Hex }): Promise<Hex> {
    if (open >= MOST_OPEN)
      throw new SignerUnavailableError(
        `The ${key.name} has ${MOST_OPEN} signatures open already, and takes no more`,
      )
    open += 1
    try {
      const der = await answerOf((signal) => key.signDigest(hexToBytes(hash), signal))
      return await toSignature(der, { hash, address, key })
    } finally {
      open -= 1
    }
  }

  return toAccount({
    address,
    sign,
    signMessage: ({ message }) => sign({ hash: hashMessage(message) }),
    signTypedData: (typedData) => sign({ hash: hashTypedData(typedData) }),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const hash = keccak256(await serializer(transaction))
      return serializer(transaction, parseSignature(await sign({ hash })))
    },
  })
}

function addressOf(publicKey: KeyObject, { name }: KmsKey): Address {
  const curve = publicKey.asymmetricKeyDetails?.namedCurve
  if (curve !== 'secp256k1')
    throw new SignerUnavailableError(
      `The ${name} is no secp256k1 key: it is ${curve ?? publicKey.asymmetricKeyType}`,
    )
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([
    Buffer.of(4),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ])
  return publicKeyToAddress(`0x${point.toString('hex')}`)
}

/** A client may retry, wait for credentials or hang, so the time is limited here as well. */
async function answerWithin<Result>(
  ms: number,
  { name }: KmsKey,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(ms)
  const late = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => late.reject(new Error(`no answer within ${ms} ms`)))
  try {
    return await Promise.race([call(signal), late.promise])
  } catch (error) {
    throw new SignerUnavailableError(`The ${name} cannot be used: ${describe(error)}`, {
      cause: error,
    })
  }
}

/** The clients' errors name what was refused, as in `AccessDeniedException: …`. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`
}

type Signed = { hash: Hex; address: Address; key: KmsKey }

/** The service returns r and s only, and either of the two values of s. Stations and nodes accept the low one alone. */
async function toSignature(der: Uint8Array, { hash, address, key }: Signed): Promise<Hex> {
  const { r, s } = parseDer(der, key)
  const parts = { r: numberToHex(r, { size: 32 }), s: numberToHex(s, { size: 32 }) }
  for (const yParity of [0, 1]) {
    const signature = serializeSignature({ ...parts, yParity })
    const signer = await recoverAddress({ hash, signature }).catch(() => null)
    if (signer === address) return signature
  }
  throw new SignerUnavailableError(
    `The ${key.name} signed with another key than that of ${address}`,
  )
}

function parseDer(der: Uint8Array, { name }: KmsKey) {
  try {
    return secp256k1.Signature.fromDER(der).normalizeS()
  } catch (error) {
    throw new SignerUnavailableError(`The ${name} returned no signature in DER`, { cause: error })
  }
}
