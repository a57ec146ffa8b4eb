import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_SOLVER, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type CausewayClient, createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { openBook } from '../../sdk/src/shield/book.ts'
import { depositAddresses } from '../../sdk/src/shield/depositAddress.ts'
import { type AlteringProxy, startAlteringProxy } from '../support/alteringProxy.ts'
import { keyOf } from '../support/ask.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { ATTACKER, type Attack, type AttackedWorld } from './hostile/attack.ts'
import { EARN_ATTACKS } from './hostile/earnAttacks.ts'
import {
  type Asked,
  FLOWS,
  type FlowName,
  isAgreedPermit,
  watchedWallets,
} from './hostile/flows.ts'
import { PERMIT_ATTACKS } from './hostile/permitAttacks.ts'
import { testThroughMcp } from './hostile/throughMcp.ts'
import { TRANSIT_ATTACKS } from './hostile/transitAttacks.ts'

/** A hostile server: real answers of a real API over a real world, altered on their way to the client. */

const ATTACKS = [...PERMIT_ATTACKS, ...TRANSIT_ATTACKS, ...EARN_ATTACKS]
const { vault, current } = vaultDeployment('Harbor Dollar', 1)
const other = vaultDeployment('Harbor Classic', 1)
const { USDC } = DEPLOYMENT.tokens

const PAID = { functionName: 'bulkWithdraw' }

let product: TestProduct
let proxy: AlteringProxy
let causeway: CausewayClient
let requestId: string
let world: AttackedWorld

beforeAll(async () => {
  product = await startTestProduct({ withVaults: true })
  proxy = await startAlteringProxy(product.url)
  causeway = createCausewayClient({
    url: proxy.url,
    apiKey: keyOf(product.url) ?? '',
    shield: product.shield,
    retry: { attempts: 1 },
  })
  world = await attackedWorld()
  requestId = await pendingRequest()
})
afterAll(async () => {
  await proxy?.stop()
  await product?.stop()
})

async function attackedWorld(): Promise<AttackedWorld> {
  const book = await openBook(product.shield)
  const place = { kind: 'depositAddress', chainId: 1, inputToken: USDC } as const
  const addressFor = (destination: `0x${string}`, vaultAddress: `0x${string}`) => {
    const [found] = depositAddresses(book, {
      ...place,
      vaultAddress,
      userDestinationAddress: destination,
    })
    return found ?? '0x'
  }
  return {
    attacker: ATTACKER,
    station: DEPLOYMENT.station,
    user: userAt(6).address,
    tokens: DEPLOYMENT.tokens,
    vault,
    depositor: current.depositor,
    queue: current.queue,
    otherVault: {
      vault: other.vault,
      queue: other.current.queue,
      depositor: other.current.depositor,
    },
    attackersDepositAddress: addressFor(ATTACKER, vault),
    depositAddressOfOtherVault: addressFor(userAt(6).address, other.vault),
  }
}

/** Shares for those who withdraw, and a request that waits: made by the same client, with its shield on. */
async function pendingRequest(): Promise<string> {
  const place = { chainId: 1, vaultAddress: vault }
  for (const user of [userAt(4), DEVNET_SOLVER])
    await causeway.earn.deposit({
      ...watchedWalletsOf(user.address === DEVNET_SOLVER.address ? 'withdraw at once' : 'withdraw'),
      ...place,
      depositAsset: USDC,
      depositAmount: parseUnits('500', 6),
    })
  const { request } = await causeway.earn.withdraw({
    ...watchedWalletsOf('withdraw'),
    ...place,
    wantAsset: USDC,
    shareAmount: parseUnits('20', 6),
  })
  return request?.id ?? ''
}

function watchedWalletsOf(flow: FlowName) {
  return watchedWallets(product.world, flow, { permits: [], transactions: 0 }, true)
}

/** The client, which forgets a limit. */
function without(limit: string): CausewayClient {
  const less = <Given extends object>(given: Given): Given => ({ ...given, [limit]: undefined })
  const { transit, earn } = causeway
  return {
    ...causeway,
    transit: { ...transit, send: (given) => transit.send(less(given)) },
    earn: { ...earn, depositFrom: (given) => earn.depositFrom(less(given)) },
  }
}

/** Runs a flow whose answers are altered. Returns how it ended, and what the wallet was asked. */
async function run(flow: FlowName, attack?: Pick<Attack, 'path' | 'alter'>) {
  const asked: Asked = { permits: [], transactions: 0 }
  const sentences: string[] = []
  let altered = 0
  proxy.alter =
    attack === undefined
      ? null
      : (path, answer) => {
          if (!path.endsWith(attack.path)) return answer
          altered += 1
          return attack.alter(answer, world)
        }
  const wallets = {
    ...watchedWallets(product.world, flow, asked),
    onChecked: ({ ok }: { ok: string }) => void sentences.push(ok),
  }
  const ended: unknown = await FLOWS[flow]({ causeway, wallets, requestId }).catch(
    (error: unknown) => error,
  )
  proxy.alter = null
  return { ended, asked, altered, sentences }
}

describe('unaltered', () => {
  test.each(Object.keys(FLOWS) as FlowName[])('default: %s is not refused', async (flow) => {
    const { ended, asked, sentences } = await run(flow)
    if (flow === 'register') return expect(ended).toMatch(/^0x[0-9a-f]{40}$/i)
    expect(String(ended)).toContain('The wallet was asked to sign the transaction')
    expect(asked.transactions).toBe(1)
    expect(sentences.length).toBe(asked.permits.length + 1)
    for (const permit of asked.permits) expect(isAgreedPermit(flow, permit)).toBe(true)
  })

  test('default: the sentences', async () => {
    const { sentences } = await run('transit')
    const user = userAt(0).address
    expect(sentences[0]).toBe('Let the transit station take 2,500 USDC on Ethereum.')
    expect(sentences[1]).toMatch(
      new RegExp(
        `^Pay 2,500 USDC on Ethereum, and up to 0\\.\\d+ native coins for the message\\. ${user} gets at least 2,49\\d\\.\\d+ USDG on Robinhood Chain\\.$`,
        'i',
      ),
    )
    expect((await run('withdraw')).sentences).toEqual([
      'Let the queue of Harbor Dollar take 20 shares of Harbor Dollar on Ethereum.',
      expect.stringMatching(
        /^Ask Harbor Dollar on Ethereum to pay 0x\w+ in USDC for 20 shares\. After a refund, 0x\w+ gets the shares back\.$/,
      ),
    ])
    expect(current.queue).toBeDefined()
  })
})

describe('without a limit of the user', () => {
  test.each([
    ['transit by what is wanted', 'maxOfferAmount'],
    ['deposit from', 'minimumAmountOut'],
    ['deposit from for shares', 'minimumAmountOut'],
    ['deposit from for shares', 'maxDepositAmount'],
  ] as const)('error: %s without %s, before anything is signed', async (flow, limit) => {
    const asked: Asked = { permits: [], transactions: 0 }
    const wallets = watchedWallets(product.world, flow, asked)
    const ended = FLOWS[flow]({ causeway: without(limit), wallets, requestId })
    await expect(ended).rejects.toMatchObject({ name: 'ShieldError', reason: 'LIMIT_NEEDED' })
    expect(asked).toEqual({ permits: [], transactions: 0 })
  })
})

describe('after a withdrawal is mined', () => {
  const nonsense: [string, unknown][] = [
    ['no list', { withdrawalRequests: 'none' }],
    ['rows that are none', { withdrawalRequests: [null], pageInfo: {} }],
  ]

  test.each(nonsense)('behavior: an answer with %s is no failed withdrawal', async (_, answer) => {
    proxy.alter = (path, given) => {
      // A queued withdrawal that the server calls paid.
      if (path.endsWith('/earn/withdraw'))
        Object.assign((given as { transaction: object }).transaction, PAID)
      return path.endsWith('/earn/withdrawalRequests') ? answer : given
    }
    const ended = causeway.earn
      .withdraw({
        ...watchedWalletsOf('withdraw'),
        chainId: 1,
        vaultAddress: vault,
        wantAsset: USDC,
        shareAmount: parseUnits('20', 6),
        requestTimeoutMs: 3_000,
      })
      .finally(() => {
        proxy.alter = null
      })
    const { receipt, ...sent } = await ended
    expect(receipt.status).toBe('success')
    expect(sent).toMatchObject({ paidAtOnce: false, request: null })
  })
})

test('error: a gas limit that is too low fails on the node of the user, and is not signed', async () => {
  const { ended, asked } = await run('deposit', {
    path: '/earn/deposit',
    alter: (answer) => ({ ...answer, preview: { ...answer.preview, gasLimit: '30000' } }),
  })
  expect(ended).toMatchObject({ reason: 'SIMULATION_FAILED' })
  expect(asked.transactions).toBe(0)
})

describe('altered', () => {
  test('default: there are at least 60 attacks, and two of each reason', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(60)
    const counts = Map.groupBy(ATTACKS, ({ reason }) => reason)
    for (const [reason, attacks] of counts)
      expect([reason, attacks.length > 1]).toEqual([reason, true])
  })

  test.each(ATTACKS)('error: $name is refused with $reason', async (attack) => {
    const { ended, asked, altered } = await run(attack.flow, attack)
    expect(altered).toBeGreaterThan(0)
    expect(asked.transactions).toBe(0)
    for (const permit of asked.permits) expect(isAgreedPermit(attack.flow, permit)).toBe(true)
    expect(ended).toMatchObject({ name: 'ShieldError', reason: attack.reason })
  })
})

testThroughMcp(() => ({ product, proxy, causeway, requestId, world }), ATTACKS)
