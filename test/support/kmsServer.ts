import { createPublicKey, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { Hex } from 'viem'

export const AWS_KEY = 'arn:aws:kms:eu-west-1:111122223333:key/5e4a2c1b-0000-4000-8000-000000000001'
export const GCP_KEY = 'projects/p/locations/global/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1'
/** The names by which the configuration refers to the two. */
export const SERVICES = [`aws-kms:${AWS_KEY}`, `gcp-kms:${GCP_KEY}`] as const

/** `well`; `busy`: refuses with an error that may be tried again; `silent`: never answers; `stranger`: signs with another key. */
type Fault = 'well' | 'busy' | 'silent' | 'stranger'

export type KmsServer = {
  /** The variables with which a process reaches it, besides the name of the key. */
  variables: Record<string, string>
  /** The next requests, or all if no number is given. */
  fall(fault: Fault, times?: number): void
  /** The number of signatures, and of those with a high s. */
  signed: { all: number; high: number }
  /** The number of requests for a public key. */
  looked(): number
  stop(): Promise<void>
}

const ORDER = secp256k1.CURVE.n
const ACCESS_KEY = 'AKIACAUSEWAYTEST'

/**
 * A server that speaks the protocols of AWS KMS (JSON 1.1) and of Google Cloud KMS (REST), with one secp256k1 key. It
 * checks who calls. Every second signature has a high s, as those of the real services may.
 */
export async function startKmsServer(privateKey: Hex): Promise<KmsServer> {
  const key = Buffer.from(privateKey.slice(2), 'hex')
  const stranger = secp256k1.utils.randomPrivateKey()
  const publicKey = publicKeyOf(key)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const folder = mkdtempSync(join(tmpdir(), 'causeway-kms-'))
  const signed = { all: 0, high: 0 }
  const fault: { name: Fault; times: number } = { name: 'well', times: 0 }
  let looked = 0

  function sign(digest: Uint8Array, isStranger: boolean): string {
    const low = secp256k1.sign(digest, isStranger ? stranger : key, { lowS: true })
    const isHigh = signed.all % 2 === 1
    signed.all += 1
    if (isHigh) signed.high += 1
    const signature = isHigh ? new secp256k1.Signature(low.r, ORDER - low.s) : low
    return Buffer.from(signature.toDERRawBytes()).toString('base64')
  }

  function takeFault(): Fault {
    if (fault.times <= 0) return 'well'
    fault.times -= 1
    return fault.name
  }

  const ofService = (request: IncomingMessage, body: string) =>
    request.headers['x-amz-target']
      ? answerAws(request, body, { publicKey, sign, takeFault })
      : answerGcp(request, body, { publicKey, sign, takeFault, caller: rsa.publicKey })
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const asked = `${request.headers['x-amz-target'] ?? ''}${request.url}`
    if (/TrentService\.GetPublicKey\b|\/publicKey/.test(asked)) looked += 1
    const { status, json } = ofService(request, body)
    if (status === 0) return
    // A service in the same region is that far away.
    await sleep(5)
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = join(folder, 'credentials.json')
  writeFileSync(
    credentials,
    JSON.stringify({
      type: 'service_account',
      project_id: 'p',
      private_key_id: '1',
      private_key: rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }),
      client_email: 'causeway@p.iam.gserviceaccount.com',
      client_id: '1',
      token_uri: `${url}/token`,
    }),
  )
  return {
    variables: {
      AWS_ENDPOINT_URL_KMS: url,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: 'causeway-test',
      GCP_KMS_ENDPOINT: url,
      GOOGLE_APPLICATION_CREDENTIALS: credentials,
    },
    fall(name, times = Number.POSITIVE_INFINITY) {
      Object.assign(fault, { name, times })
    },
    signed,
    looked: () => looked,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

type Parts = {
  publicKey: KeyObject
  sign(digest: Uint8Array, isStranger: boolean): string
  takeFault(): Fault
}
/** Status 0: no answer. */
type Answer = { status: number; json?: object }

function answerAws({ headers }: IncomingMessage, body: string, parts: Parts): Answer {
  const refuse = (type: string, message: string) => ({
    status: 400,
    json: { __type: type, message },
  })
  if (!headers.authorization?.includes(`Credential=${ACCESS_KEY}/`))
    return refuse('UnrecognizedClientException', 'The security token is invalid')
  if (!headers.authorization.includes('/eu-west-1/kms/aws4_request'))
    return refuse('InvalidSignatureException', 'The region is wrong')
  const { KeyId, Message, MessageType, SigningAlgorithm } = JSON.parse(body)
  if (KeyId !== AWS_KEY) return refuse('NotFoundException', `Key '${KeyId}' does not exist`)
  const fault = parts.takeFault()
  if (fault === 'silent') return { status: 0 }
  if (fault === 'busy') return refuse('ThrottlingException', 'Rate exceeded')
  if (headers['x-amz-target'] === 'TrentService.GetPublicKey')
    return {
      status: 200,
      json: {
        KeyId,
        PublicKey: parts.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        KeySpec: 'ECC_SECG_P256K1',
        KeyUsage: 'SIGN_VERIFY',
      },
    }
  if (MessageType !== 'DIGEST' || SigningAlgorithm !== 'ECDSA_SHA_256')
    return refuse('ValidationException', 'only digests are signed here')
  const Signature = parts.sign(Buffer.from(Message, 'base64'), fault === 'stranger')
  return { status: 200, json: { KeyId, Signature, SigningAlgorithm } }
}

function answerGcp(
  { headers, url = '', method }: IncomingMessage,
  body: string,
  parts: Parts & { caller: KeyObject },
): Answer {
  const refuse = (code: number, status: string, message: string) => ({
    status: code,
    json: { error: { code, status, message } },
  })
  if (!isSignedToken(headers.authorization, parts.caller))
    return refuse(401, 'UNAUTHENTICATED', 'The token is not valid')
  const { pathname } = new URL(url, 'http://localhost')
  if (!pathname.startsWith(`/v1/${GCP_KEY}`))
    return refuse(404, 'NOT_FOUND', `${pathname} is not found`)
  const fault = parts.takeFault()
  if (fault === 'silent') return { status: 0 }
  if (fault === 'busy') return refuse(503, 'UNAVAILABLE', 'The service is busy')
  if (method === 'GET' && pathname.endsWith('/publicKey'))
    return {
      status: 200,
      json: {
        pem: parts.publicKey.export({ format: 'pem', type: 'spki' }),
        algorithm: 'EC_SIGN_SECP256K1_SHA256',
        name: GCP_KEY,
      },
    }
  const { digest } = JSON.parse(body)
  const signature = parts.sign(Buffer.from(digest.sha256, 'base64'), fault === 'stranger')
  return { status: 200, json: { name: GCP_KEY, signature } }
}

/** Whether the bearer token is a JWT (RS256) of the service account. */
function isSignedToken(header: string | undefined, caller: KeyObject): boolean {
  const [head = '', claims = '', signature = ''] = header?.replace('Bearer ', '').split('.') ?? []
  const verifier = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  return verifier.verify(caller, signature, 'base64url')
}

function publicKeyOf(privateKey: Uint8Array): KeyObject {
  const point = Buffer.from(secp256k1.getPublicKey(privateKey, false))
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  return createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' })
}
