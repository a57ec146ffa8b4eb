import { describe, expect, test } from 'vitest'
import { type AddressBookFile, parseAddressBook } from './addressBook.ts'

type Deployment = NonNullable<AddressBookFile['vaults']>[number]['deployments'][number]

const [TOKEN, OTHER, VAULT] = [at('a1'), at('b2'), at('c3')]
const SLAS = {
  expectedDelay: 1,
  expiryBuffer: 2,
  internalWithdrawalQueueDelaySLA: 3,
  externalWithdrawalQueueDelaySLA: 4,
  internalAccountantRateUpdateDelaySLA: 5,
  externalAccountantRateUpdateSLA: 6,
}

describe('vaults of an address book', () => {
  test('default: versions that replaced others, and defaults', () => {
    const tellers = [
      { address: at('01'), generation: 'A' as const, fromBlock: 5, toBlock: 9 },
      { address: at('02'), generation: 'B' as const, fromBlock: 10 },
    ]
    const [vault] = parse([{ ...deployment, tellers }]).vaults
    expect(vault?.deployments[0]).toMatchObject({ tellers, inDeprecation: false })
  })

  test('behavior: an incomplete deployment is valid', () => {
    const retired = {
      address: at('01'),
      generation: 'A' as const,
      fromBlock: 0,
      toBlock: 'unknown' as const,
    }
    parse([{ ...deployment, tellers: [retired], depositors: [], queues: [], assets: [] }])
  })

  test('error: in PRODUCTION, a token of smart deposits without its minimum', () => {
    const smartDeposit = { factory: at('fa'), implementation: at('1a') }
    const chains = book.chains.map((chain) => ({ ...chain, smartDeposit }))
    const production = { ...book, chains, environment: 'PRODUCTION' as const }
    const vaults = [{ name: 'A', yieldType: 'CORE' as const, deployments: [deployment] }]
    const wrong = () => parseAddressBook({ ...production, vaults }, 'the test')
    expect(wrong).toThrow('tokens.0.smartDepositMinimum')
    expect(wrong).toThrow('chains.0.smartDeposit.ceilings')
  })

  test.each<[name: string, change: Partial<Deployment>, place: string]>([
    ['of no chain', { chainId: 9 }, 'vaults.0.deployments.0.chainId'],
    ['with a base that is no token', { baseToken: OTHER }, 'vaults.0.deployments.0.baseToken'],
    [
      'with an asset that is no token',
      { assets: [{ address: OTHER, withdrawalSlas: SLAS }] },
      'vaults.0.deployments.0.assets.0.address',
    ],
    [
      'with an asset twice',
      {
        assets: [
          { address: TOKEN, withdrawalSlas: SLAS },
          { address: TOKEN, withdrawalSlas: SLAS },
        ],
      },
      'vaults.0.deployments.0.assets',
    ],
    [
      'with a depositor of generation B whose cap has no unit',
      { depositors: [{ ...version(1), generation: 'B' }] },
      'vaults.0.deployments.0.depositors.0.capIn',
    ],
    [
      'with a newer depositor whose cap is in shares',
      { depositors: [{ ...version(1), generation: 'C', capIn: 'shares' }] },
      'vaults.0.deployments.0.depositors.0.capIn',
    ],
    [
      'with two that are in use',
      { queues: [version(1), version(7)] },
      'vaults.0.deployments.0.queues.0',
    ],
    [
      'with one that begins before the other ended',
      { queues: [{ ...version(1), toBlock: 7 }, version(7)] },
      'vaults.0.deployments.0.queues.1',
    ],
    [
      'with one that ends before it begins',
      { queues: [{ ...version(5), toBlock: 4 }] },
      'vaults.0.deployments.0.queues.0',
    ],
    [
      'with a generation that is none',
      { tellers: [{ ...version(1), generation: 'Z' as 'A' }] },
      'vaults.0.deployments.0.tellers.0.generation',
    ],
  ])('error: a deployment %s', (_, change, place) => {
    expect(() => parse([{ ...deployment, ...change }])).toThrow(place)
  })

  test('error: a vault twice on a chain, a name twice', () => {
    expect(() => parse([deployment, deployment])).toThrow('a vault appears twice on one chain')
    const vault = { name: 'A', yieldType: 'CORE' as const, deployments: [deployment] }
    const other = { ...deployment, vault: { address: at('d4'), startBlock: 0 } }
    expect(() =>
      parseAddressBook({ ...book, vaults: [vault, { ...vault, deployments: [other] }] }, 'x'),
    ).toThrow('a name appears twice')
  })

  test('behavior: a base that is no token needs its stand-in', () => {
    const baseTokenStandIn = { symbol: 'XAU', decimals: 18 }
    parse([{ ...deployment, baseToken: OTHER, baseTokenStandIn }])
  })
})

const deployment: Deployment = {
  chainId: 1,
  vault: { address: VAULT, startBlock: 0 },
  baseToken: TOKEN,
  tellers: [version(1)],
  accountants: [],
  depositors: [],
  queues: [],
  assets: [{ address: TOKEN, withdrawalSlas: SLAS }],
}

const book: AddressBookFile = {
  environment: 'DEVELOPMENT',
  chains: [{ id: 1, name: 'one', finalityDepth: 65, blockTimeSeconds: 12, multicall3: at('ca') }],
  tokens: [{ chainId: 1, address: TOKEN, name: 'T', symbol: 'T', decimals: 6 }],
  transitRoutes: [],
}

function parse(deployments: Deployment[]) {
  return parseAddressBook(
    { ...book, vaults: [{ name: 'A', yieldType: 'CORE', deployments }] },
    'the test',
  )
}

function version(fromBlock: number) {
  return { address: at('0f'), generation: 'A' as const, fromBlock }
}

function at(byte: string): `0x${string}` {
  return `0x${byte.repeat(20)}`
}
