import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { keyOf } from '../support/ask.ts'
import type { TestProduct } from '../support/product.ts'
import type { StrangersProject } from '../support/strangersProject.ts'

const root = join(import.meta.dirname, '../..')

/** Takes away what React Native and browsers of three years do not have. */
const OLD_PLATFORM = `
void [fetch, Response, Headers]
const lacking = [
  [AbortSignal, 'any timeout'],
  [AbortSignal.prototype, 'throwIfAborted reason'],
  [Response.prototype, 'body'],
  [URLSearchParams.prototype, 'size'],
  [Array.prototype, 'toSorted toReversed toSpliced with at findLast findLastIndex'],
  [Array, 'fromAsync'],
  [String.prototype, 'at'],
  [Object, 'groupBy hasOwn'],
  [Map, 'groupBy'],
  [Promise, 'withResolvers'],
  [globalThis, 'TextDecoder TextDecoderStream TextEncoderStream structuredClone'],
]
for (const [owner, names] of lacking)
  for (const name of names.split(' ')) if (!delete owner[name]) throw new Error(name)
`
const FLOWS = `
import './oldPlatform.js'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { createCausewayClient } from '@causeway/sdk'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { CAUSEWAY_URL: url, CAUSEWAY_API_KEY: apiKey, RPC_URL, PRIVATE_KEY, USDC, USDG, VAULT } = process.env
const { SHIELD_BOOK, SHIELD_SIGNER, SHIELD_ENVIRONMENT: environment } = process.env
const account = privateKeyToAccount(PRIVATE_KEY)
const transport = http(RPC_URL)
const wallets = {
  walletClient: createWalletClient({ account, transport }),
  publicClient: createPublicClient({ transport, pollingInterval: 50 }),
}
const operations = new Set()
const shield = { book: JSON.parse(readFileSync(SHIELD_BOOK, 'utf8')), signers: [SHIELD_SIGNER], environment }
const causeway = createCausewayClient({ url, apiKey, shield, onRequest: ({ operation }) => operations.add(operation) })
const quote = await causeway.transit.quote({
  userAddress: account.address,
  offerAsset: USDC,
  offerAmount: 2_000_000_000n,
  sourceChainId: 1,
  wantAsset: USDG,
  destinationChainId: 4663,
})
const order = await causeway.transit.send({ ...wallets, quote })
const steps = []
for await (const { step } of causeway.transit.follow(order.id)) {
  steps.push(step)
  if (step === 'BRIDGED') break
}
const place = { ...wallets, chainId: 1, vaultAddress: VAULT }
const deposit = await causeway.earn.deposit({ ...place, depositAsset: USDC, depositAmount: 50_000_000n })
const { request } = await causeway.earn.withdraw({ ...place, wantAsset: USDC, shareAmount: 20_000_000n })
const ended = new AbortController()
setTimeout(() => ended.abort(), 100)
const unknown = '0x' + '77'.repeat(32)
const aborted = await causeway.transit.wait(unknown, { signal: ended.signal }).catch(({ name }) => name)
const once = createCausewayClient({ url, apiKey, retry: { attempts: 1 } })
const late = await once.core.ready({}, { timeoutMs: 0 }).catch(({ reason }) => reason)
const lacks = ({ reason, metadata }) => [reason, metadata.missing]
delete globalThis.crypto
const withoutCrypto = await once.webhooks.create({ url: 'https://x.example', eventTypes: ['ping'] }).catch(lacks)
delete globalThis.fetch
const withoutFetch = await once.core.ready().catch(lacks)
const viem = createRequire(import.meta.url)('viem/package.json').version
const deposited = deposit.receipt.status
const requested = request.status
const printed = { viem, steps, deposited, requested, aborted, late, withoutCrypto, withoutFetch, operations: [...operations] }
// A timer of this viem would keep the process for minutes.
process.stdout.write(JSON.stringify(printed), () => process.exit())
`

/** The packed SDK where much of a new platform is missing, with the oldest viem that it allows, against a whole product. */
export function testSdkRuntimes(product: () => TestProduct, project: () => StrangersProject) {
  describe('an old platform', () => {
    test('default: flows run with long polls, without newer globals; what is needed is named', async () => {
      const folder = join(project().folder, 'old')
      const packages = join(folder, 'node_modules')
      await mkdir(join(packages, '@causeway'), { recursive: true })
      const sdk = join(project().folder, 'node_modules/@causeway/sdk')
      await cp(sdk, join(packages, '@causeway/sdk'), { recursive: true })
      await symlink(join(root, 'test/oldest-peers/node_modules/viem'), join(packages, 'viem'))
      await project().write('old/oldPlatform.js', OLD_PLATFORM)
      await project().write('old/flows.js', FLOWS)
      const printed = await project().run('old/flows.js', {
        CAUSEWAY_URL: product().url,
        CAUSEWAY_API_KEY: keyOf(product().url) ?? '',
        RPC_URL: product().world.rpcUrls[1] ?? '',
        PRIVATE_KEY: devnetUserKeys()[2]?.privateKey ?? '',
        USDC: DEPLOYMENT.tokens.USDC,
        USDG: DEPLOYMENT.tokens.USDG,
        VAULT: vaultDeployment('Harbor Dollar', 1).vault,
        SHIELD_BOOK: product().shieldBookFile,
        SHIELD_SIGNER: product().shield.signers[0] ?? '',
        SHIELD_ENVIRONMENT: product().shield.environment ?? '',
      })
      const { operations, ...rest } = JSON.parse(printed)
      expect(rest).toEqual({
        viem: '2.10.0',
        steps: ['SUBMITTED', 'BRIDGED'],
        deposited: 'success',
        requested: 'PENDING',
        aborted: 'AbortError',
        late: 'TIMED_OUT',
        withoutCrypto: ['PLATFORM_LACKS', 'crypto'],
        withoutFetch: ['PLATFORM_LACKS', 'fetch'],
      })
      expect(operations).toContain('getTransitOrder')
      expect(operations).not.toContain('streamGraphql')
    })
  })
}
