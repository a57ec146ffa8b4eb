import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { promisify } from 'node:util'
import { type Hex, hashMessage, keccak256, numberToHex, parseSignature, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SignerUnavailableError } from '../../domain/error/signerUnavailableError.ts'
import { loadKeepers, loadQuoteSigner } from '../../processes/configuration/loadSigner.ts'
import { awsKmsKey } from '../../processes/signer/awsKmsKey.ts'
import { gcpKmsKey } from '../../processes/signer/gcpKmsKey.ts'
import { kmsAccount, MOST_OPEN } from '../../processes/signer/kmsAccount.ts'
import { AWS_KEY, GCP_KEY, type KmsServer, SERVICES, startKmsServer } from '../support/kmsServer.ts'

const KEY = generatePrivateKey()
const local = privateKeyToAccount(KEY)
const HALF_ORDER = 0x7fffffff_ffffffff_ffffffff_ffffffff_5d576e73_57a4501d_dfe92f46_681b20a0n

let server: KmsServer
beforeAll(async () => {
  server = await startKmsServer(KEY)
  // The official clients read them from the environment of their process.
  for (const [name, value] of Object.entries(server.variables)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

async function load(name: string, address: string = local.address) {
  const account = await loadQuoteSigner({
    ...server.variables,
    QUOTE_SIGNER: name,
    QUOTE_SIGNER_ADDRESS: address,
  })
  if (!account?.sign) throw new Error('there is a signer')
  return { ...account, sign: account.sign }
}

describe.each(SERVICES)('%s', (name) => {
  test('default: signs what the local key signs, although half of the answers have a high s', async () => {
    const account = await load(name)
    const before = { ...server.signed }
    expect(account.address).toBe(local.address)
    for (let number = 0; number < 20; number += 1) {
      const hash = keccak256(numberToHex(number))
      const signature = await account.sign({ hash })
      expect(signature).toBe(await local.sign({ hash }))
      const { s, v } = parseSignature(signature)
      expect(BigInt(s)).toBeLessThanOrEqual(HALF_ORDER)
      expect([27n, 28n]).toContain(v)
    }
    expect(server.signed.high - before.high).toBe(10)
    const message = 'a message'
    expect(await account.signMessage({ message })).toBe(
      await local.sign({ hash: hashMessage(message) }),
    )
    const typed = {
      domain: { name: 'Causeway', chainId: 1 },
      types: { Sum: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Sum',
      message: { amount: 7n },
    } as const
    expect(await account.signTypedData(typed)).toBe(await local.signTypedData(typed))
    const call = {
      chainId: 1,
      to: local.address,
      nonce: 3,
      gas: 21_000n,
      value: 1n,
      data: toHex(1),
    }
    const dynamic = {
      ...call,
      type: 'eip1559',
      maxFeePerGas: 9n,
      maxPriorityFeePerGas: 1n,
    } as const
    const legacy = { ...call, type: 'legacy', gasPrice: 9n } as const
    expect(await account.signTransaction(dynamic)).toBe(await local.signTransaction(dynamic))
    expect(await account.signTransaction(legacy)).toBe(await local.signTransaction(legacy))
  })

  test('behavior: an error that passes is tried again', async () => {
    const account = await load(name)
    const hash: Hex = keccak256('0x01')
    server.fall('busy', 1)
    expect(await account.sign({ hash })).toBe(await local.sign({ hash }))
    server.fall('busy', 10)
    await expect(account.sign({ hash })).rejects.toThrow(SignerUnavailableError)
    server.fall('well')
  })

  test('error: a signature of another key is not used', async () => {
    const account = await load(name)
    server.fall('stranger')
    await expect(account.sign({ hash: keccak256('0x') })).rejects.toThrow('signed with another key')
    server.fall('well')
  })

  test('error: a service that does not answer is not waited for, and no more wait than may', async () => {
    const key = name.startsWith('aws')
      ? await awsKmsKey(AWS_KEY)
      : await gcpKmsKey(GCP_KEY, server.variables.GCP_KMS_ENDPOINT ?? '')
    const account = await kmsAccount(key, 700)
    const sign = (hash: Hex) => account.signTransaction({ type: 'legacy', data: hash })
    server.fall('silent')
    const startedAt = Date.now()
    const waits: number[] = []
    const outcomes = await Promise.all(
      Array.from({ length: MOST_OPEN + 10 }, () =>
        sign('0x').catch((error: Error) => {
          waits.push(Date.now() - startedAt)
          return error
        }),
      ),
    )
    server.fall('well')
    const messages = outcomes.map(String)
    expect(outcomes.every((one) => one instanceof SignerUnavailableError)).toBe(true)
    expect(messages.filter((text) => text.includes('takes no more'))).toHaveLength(10)
    expect(waits.filter((ms) => ms < 600)).toHaveLength(10)
    expect(Math.max(...waits)).toBeLessThan(2_000)
    expect(await sign('0x02')).toBe(await local.signTransaction({ type: 'legacy', data: '0x02' }))
  })

  test('error: the key has another address than the configured one', async () => {
    const other = privateKeyToAddress(generatePrivateKey())
    await expect(load(name, other)).rejects.toThrow(
      `QUOTE_SIGNER_ADDRESS: the key that is set has address ${local.address}, not ${other}.`,
    )
  })
})

test('error: a client that hangs, as one whose credentials do not come, is not waited for', async () => {
  const key = {
    name: 'key',
    readPublicKey: async () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey,
    signDigest: () => new Promise<never>(() => {}),
  }
  const account = await kmsAccount(key, 50)
  await expect(account.signMessage({ message: '' })).rejects.toThrow('no answer within 50 ms')
})

test('error: a key of another curve', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = {
    name: 'key',
    readPublicKey: async () => publicKey,
    signDigest: async () => Buffer.of(),
  }
  await expect(kmsAccount(key)).rejects.toThrow('The key is no secp256k1 key: it is prime256v1')
})

describe('loadKeepers', () => {
  const refusal = (variables: Record<string, string>) =>
    loadKeepers({ ...server.variables, ...variables }).then(
      () => 'none',
      ({ message }: Error) => message,
    )

  test('default: none, one, or several in their order', async () => {
    const loaded = async (variables: Record<string, string>) =>
      (await loadKeepers({ ...server.variables, ...variables })).map(({ address }) => address)
    const OTHER = generatePrivateKey()
    const other = privateKeyToAddress(OTHER)
    expect(await loaded({})).toEqual([])
    expect(await loaded({ SMART_DEPOSIT_KEEPER_PRIVATE_KEY: KEY })).toEqual([local.address])
    const SMART_DEPOSIT_KEEPER_PRIVATE_KEY = `${OTHER}, ${KEY}`
    const SMART_DEPOSIT_KEEPER_ADDRESS = `${other},${local.address}`
    expect(
      await loaded({ SMART_DEPOSIT_KEEPER_PRIVATE_KEY, SMART_DEPOSIT_KEEPER_ADDRESS }),
    ).toEqual([other, local.address])
    expect(
      await refusal({
        SMART_DEPOSIT_KEEPER_PRIVATE_KEY,
        SMART_DEPOSIT_KEEPER_ADDRESS: `${local.address},${other}`,
      }),
    ).toMatch(
      `SMART_DEPOSIT_KEEPER_ADDRESS: the key that is set has address ${other}, not ${local.address}.`,
    )
    expect(
      await refusal({ SMART_DEPOSIT_KEEPER_PRIVATE_KEY, SMART_DEPOSIT_KEEPER_ADDRESS: other }),
    ).toMatch('SMART_DEPOSIT_KEEPER_ADDRESS: the number of addresses is 1, that of keys 2.')
    expect(await refusal({ SMART_DEPOSIT_KEEPER_PRIVATE_KEY: `${KEY},${KEY}` })).toMatch(
      `SMART_DEPOSIT_KEEPER_PRIVATE_KEY: two keys have the address ${local.address}.`,
    )
    expect(await refusal({ SMART_DEPOSIT_KEEPER_PRIVATE_KEY: `${KEY},0x1` })).toMatch(
      'SMART_DEPOSIT_KEEPER_PRIVATE_KEY: expected a private key',
    )
  })

  test('error: what is missing, given twice or unknown', async () => {
    const SMART_DEPOSIT_KEEPER = `aws-kms:${AWS_KEY}`
    const SMART_DEPOSIT_KEEPER_ADDRESS = local.address
    expect(await refusal({ SMART_DEPOSIT_KEEPER })).toMatch(
      /SMART_DEPOSIT_KEEPER_ADDRESS: is not set, but SMART_DEPOSIT_KEEPER is\./,
    )
    expect(await refusal({ SMART_DEPOSIT_KEEPER_ADDRESS })).toMatch(
      /SMART_DEPOSIT_KEEPER_ADDRESS: is set, but no key is\./,
    )
    expect(
      await refusal({
        SMART_DEPOSIT_KEEPER,
        SMART_DEPOSIT_KEEPER_ADDRESS,
        SMART_DEPOSIT_KEEPER_PRIVATE_KEY: KEY,
      }),
    ).toMatch(/SMART_DEPOSIT_KEEPER: is set, and so is SMART_DEPOSIT_KEEPER_PRIVATE_KEY\./)
    expect(
      await refusal({ SMART_DEPOSIT_KEEPER: 'azure:1', SMART_DEPOSIT_KEEPER_ADDRESS }),
    ).toMatch(/SMART_DEPOSIT_KEEPER: expected aws-kms:/)
  })

  test('error: the service does not know the key; the reason is shown', async () => {
    const SMART_DEPOSIT_KEEPER_ADDRESS = local.address
    expect(
      await refusal({
        SMART_DEPOSIT_KEEPER: `aws-kms:${AWS_KEY.replace(/1$/, '2')}`,
        SMART_DEPOSIT_KEEPER_ADDRESS,
      }),
    ).toMatch(/SMART_DEPOSIT_KEEPER: The AWS KMS key .* cannot be used: NotFoundException: Key/)
    expect(
      await refusal({
        SMART_DEPOSIT_KEEPER: `gcp-kms:${GCP_KEY.replace('keyRings/r', 'keyRings/other')}`,
        SMART_DEPOSIT_KEEPER_ADDRESS,
      }),
    ).toMatch(/SMART_DEPOSIT_KEEPER: The Google Cloud KMS key .* cannot be used: .* is not found/)
  })
})

test('behavior: a process loads the client of its own service alone', async () => {
  const loaded = async (variables: Record<string, string>) => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = new Set()
      registerHooks({ load(url, context, next) {
        const name = /node_modules\\/(@aws-sdk|@google-cloud|google-gax|@smithy)\\//.exec(url)?.[1]
        if (name) loaded.add(name)
        return next(url, context)
      } })
      const { loadQuoteSigner } = await import('./processes/configuration/loadSigner.ts')
      await loadQuoteSigner(process.env)
      console.log([...loaded].sort().join())
      process.exit()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      { env: { PATH: process.env.PATH, ...variables } },
    )
    return stdout.trim()
  }
  expect(await loaded({ QUOTE_SIGNER_PRIVATE_KEY: KEY })).toBe('')
  expect(
    await loaded({
      ...server.variables,
      QUOTE_SIGNER: `aws-kms:${AWS_KEY}`,
      QUOTE_SIGNER_ADDRESS: local.address,
    }),
  ).toBe('@aws-sdk,@smithy')
})
