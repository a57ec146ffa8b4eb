import fc from 'fast-check'
import {
  type Abi,
  type AbiEvent,
  decodeEventLog,
  type Hex,
  keccak256,
  pad,
  toEventSelector,
  toFunctionSelector,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { parseAddressBook } from '../domain/addressBook/addressBook.ts'
import { versionAt } from '../domain/addressBook/versionAt.ts'
import { contractLogs } from '../test/fixtures/contractLogs.ts'
import { lowerCased } from '../test/support/arbitraryCalldata.ts'
import { arbitraryEventArgs } from '../test/support/arbitraryEvent.ts'
import { encodeEvent } from '../test/support/encodeEvent.ts'
import { accountantAAbi, accountantAbi } from './accountant.ts'
import { attestationRegistryAbi } from './attestationRegistry.ts'
import { depositorAAbi, depositorAbi, depositorBAbi, depositorCAbi } from './depositor.ts'
import { feeModuleAbi } from './feeModule.ts'
import { kytStatusAbi, VAULT_ABIS } from './generations.ts'
import { tellerAAbi, tellerAbi } from './teller.ts'
import { freezeHookAbi, vaultAbi } from './vault.ts'
import { withdrawQueueAAbi, withdrawQueueAbi, withdrawQueueBAbi } from './withdrawQueue.ts'

/** The hashes of the deployed contracts' reference, written out, so that a changed ABI fails here. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const PAUSED = '0x9e87fac88ff661f02d44f95383c817fece4bce600a3dab7a54406878b965e752'
const UNPAUSED = '0xa45f47fdea8a1efdd9029a5691c7f759c32b7c698632b563573e155625d16933'
const VAULT = {
  Transfer: TRANSFER,
  Enter: '0xea00f88768a86184a6e515238a549c171769fe7460a011d6fd0bcd48ca078ea4',
  Exit: '0xe0c82280a1164680e0cf43be7db4c4c9f985423623ad7a544fb76c772bdc6043',
  NameAndSymbolUpdated: '0x7acc65b159c7ebf31f060cac25f338c43ac6194e00f31615f84cba9735446b4d',
  OwnershipTransferred: '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0',
}
const TELLER = {
  Deposit: '0xe96d7872363f475d18b2f5390caaa5eaa96b2d38e42c62afe4ac08ebd2b13c3a',
  BulkWithdraw: '0xdcc60b41ff1c604459e6aa4a7299817416b19fc586a392f111646e26597c4af9',
  DepositRefunded: '0xaf98ea774275cadfa3e477a7b52cba03e01197445a76bd5d0d561608708c3624',
  DepositAssetAdded: '0xe7d09de77b604c0a8826f4d40fd7c228fcd076c2a62bbf4b4b0bac19247f1eca',
  DepositAssetRemoved: '0x8696428e4c13abc112d247ddccc74df025bb073508f432f4cee176f7c553c3ee',
  WithdrawAssetAdded: '0xeab2a23a48747b4fa84bb406b6d0942e9e9eaba2d9f3e714ead79b42c6b47333',
  WithdrawAssetRemoved: '0x5318c33aaeb5aaa8414320e6781943f1e736f35b10e504beaa377b89cb5443b3',
  Paused: PAUSED,
  Unpaused: UNPAUSED,
}
const ACCOUNTANT = {
  Paused: PAUSED,
  Unpaused: UNPAUSED,
  ExchangeRateUpdated: '0xa95bc6aba40bbc4d95fc35f118c4cd8b53fc5d5b89ed264002af03503a7a9439',
  ManagementFeesAccrued: '0x1d656e4bbd9cbed4cab58cf194b411cebbacec0c770aba08543e71e35368a4dc',
  PerformanceFeesAccrued: '0x408c47db771ccef52ddc7aee8f50aa6a7e8535e3ab2c58dc355044aaa7b94e7a',
  RateProviderUpdated: '0x59f9adfe8cf4c9d4b77fb03aa2ae5f373632c97cb8caf6b61f0643d3d170a8fe',
  FeesClaimed: '0x9493e5bbe4e8e0ac67284469a2d677403d0378a85a59e341d3abc433d0d9a209',
}
const DEPOSITOR = {
  DepositWithDistributorCode: '0x62acaa29472461a6d20889688951197dc0feead2b176e81a29d66be8ed68aa0b',
  SupplyCapInBaseUpdated: '0xc454bdd95a1be05108fcf6ca654810202e353e35b470fcd20b3b953dd847dbaa',
  FeeModuleUpdated: '0xdc6078b22d92b13a4d7177ccc8cca890b6d7742736c79ce304006afc6ed7f26e',
  FeeRecipientUpdated: '0x7a7b5a0a132f9e0581eb8527f66eae9ee89c2a3e79d4ac7e41a1f1f4d48a7fc2',
  KytStatusUpdated: '0xac8ac1468485a9f86fe2bc1cd887b0dc157deec702a83962db05c507d648d497',
  PredicateRegistryUpdated: '0x5a9113e22196a56f3ce3c77271fa4f29435f72c4cca0128acdc79e45112a1c10',
  PredicatePolicyIDUpdated: '0x22c658286008a7684f36a2ca38b26e9292d39f14d062e215667f5f92552c69a9',
}
const QUEUE = {
  Transfer: TRANSFER,
  OrderSubmitted: '0x678c5d711cd50d1e8d10e58ecc810056772340a77c89b5618a2c21d294228685',
  OrderMarkedForRefund: '0x6b555d5f91c0f97b72addc900a97c1f9f663fef0c8450500b350a9a09a6f00b9',
  OrderProcessed: '0x9645fff02c1a21f89880d1a5e8e2e240c72cee5346eb68d289070e657a806f40',
  OrderRefunded: '0x94e6f5fdca7e24de759676bb48c1b94056947b60831eab4977f61b6143833d8e',
  OrderRefundFailed: '0x1fa76babbad2ba573d561c9017d18fd66b3ba849d67af4c0d51c91c335c4602e',
  FeesExceededOrderAmount: '0xd0ee68e1d7853e08fd239c5ca7475201090f2f96490250a9b3f0e7e39bf8ee7f',
  OrdersProcessedInRange: '0x08d71f3a50428e05e8ce567ffaa2e94d259c8b18ff974d099d4bad73f76db9b1',
  MinimumOrderSizeUpdated: '0x2971b092ba0cd7997ad2694285d32f7523814544f7a68d9bc96e80bd6a4d70b0',
  FeeModuleUpdated: '0xa3a8e48942b15213fa28c722aef8b99593c062ff1f93509a345aceb372944d0d',
  FeeRecipientUpdated: '0xaaebcf1bfa00580e41d966056b48521fa9f202645c86d4ddf28113e617c1b1d3',
  RecoveryAddressUpdated: '0x184a649b6ce5186087e0a99b53f247181d516649f7d60e3de2b537271250b395',
  TellerUpdated: '0x4c73de592822d40d0e6baecfc3d1b97fc1528e917aee86be615e3bc170ba8d23',
}
const REGISTRY = {
  StatementValidated: '0x7d5d9825391f073ecd232b52f9df7f1f60f9bc1e761c61a8829c4937fba4abbe',
  AttesterRegistered: '0x8b3ff16f824212d78debb3eb01b0e0b0f6febbefc472368e0383ecdaea1e5117',
  AttesterDeregistered: '0x090c0b7de9ef5d562109c2bb87e1e207488352808778c212782932131f8487bc',
  PolicySet: '0xa01fa6fc1fcdc37ac1661b58d8c584faa78a58a34eee64b16b2ac7f6dd6dfddd',
}
const DEPOSITED_BEFORE_D = '0x4b9c2fa7f8bf26111561311bc7dbc30d7621557a65d1a5cb9ee624399fe8251e'
const QUEUE_OF_5 = {
  ...without(QUEUE, ['OrderRefundFailed', 'FeesExceededOrderAmount', 'RecoveryAddressUpdated']),
  OrderSubmitted: '0x87d38a541f46a1c332045cbf5bb94cd4d06ae1a0d6003015b1e4f7c62e002307',
  OrderRefunded: '0xf4b594bd3c280c4fb50b320f4771eed69fdc3bd82a4be889f9b602173ff5e4a5',
}

const EVENTS: [contract: string, abi: Abi, topics: Record<string, string>][] = [
  ['vault', vaultAbi, VAULT],
  [
    'freeze hook',
    freezeHookAbi,
    { FreezeListUpdated: '0xdcf4abee3c4b4ad65412b28867563ff6aaf67257ddf138798e573b46d90ec853' },
  ],
  [
    'fee modules',
    feeModuleAbi,
    { FeeDataUpdated: '0x5abc02942c6ee21ff38f94f0ceb04cfbf8d9cb6eacc5d2c89d0fa0c09969a153' },
  ],
  ['registry', attestationRegistryAbi, REGISTRY],
  ['teller B', tellerAbi, TELLER],
  [
    'teller A',
    tellerAAbi,
    {
      ...without(
        TELLER,
        Object.keys(TELLER).filter((name) => name.includes('Asset')),
      ),
      AssetAdded: '0x0e3c58ebfb2e7465fbb1c32e6b4f40c3c4f5ca77e8218a386aff8617831260d7',
      AssetRemoved: '0x37803e2125c48ee96c38ddf04e826daf335b0e1603579040fd275aba6d06b6fc',
    },
  ],
  ['accountant B', accountantAbi, ACCOUNTANT],
  [
    'accountant A',
    accountantAAbi,
    without(ACCOUNTANT, ['ManagementFeesAccrued', 'PerformanceFeesAccrued']),
  ],
  ['depositor D', depositorAbi, DEPOSITOR],
  ['depositor C', depositorCAbi, { ...DEPOSITOR, DepositWithDistributorCode: DEPOSITED_BEFORE_D }],
  [
    'depositor B',
    depositorBAbi,
    {
      ...DEPOSITOR,
      DepositWithDistributorCode: DEPOSITED_BEFORE_D,
      SupplyCapUpdated: '0x4e44c8be34d12f1b7f56b13b4bbe97e64ca37a91916f86c73412da80c21748e2',
    },
  ],
  [
    'depositor A',
    depositorAAbi,
    {
      DepositWithDistributorCode: DEPOSITED_BEFORE_D,
      DepositWithCommunityCode:
        '0x2f2735fcb47b4346bfc36d5d86ad05ac37a21072f880f0f05b768cbdfb525f9a',
    },
  ],
  ['queue C', withdrawQueueAbi, QUEUE],
  [
    'queue B',
    withdrawQueueBAbi,
    {
      ...QUEUE_OF_5,
      OrderProcessed: '0xea23d85cbd771f9cfb0c40310ae951e209597fa5ffb1cd8024e8842b8d078ef9',
    },
  ],
  [
    'queue A',
    withdrawQueueAAbi,
    {
      ...QUEUE_OF_5,
      OrderProcessed: '0xfacab4b25a0cf122e65f2d91ea5422402c46f3b0e50ad9d0a5587be064d34aaa',
    },
  ],
]

const ORDERS = {
  submitOrder: '0x13bd894c',
  submitOrderAndProcessAll: '0x4b46b550',
  cancelOrder: '0x514fcac7',
}
const SELECTORS: [contract: string, abi: Abi, selectors: Record<string, string>][] = [
  ['queue A', withdrawQueueAAbi, ORDERS],
  ['queue B', withdrawQueueBAbi, ORDERS],
  ['queue C', withdrawQueueAbi, ORDERS],
  ['depositor A', depositorAAbi, { deposit: '0xd97e6ec0', depositWithPermit: '0x45eb5449' }],
  ['depositor B', depositorBAbi, { deposit: '0x2d7174c8', supplyCap: '0x8f770ad0' }],
  ['depositor C', depositorCAbi, { deposit: '0x2d7174c8', supplyCapInBase: '0xa39a91b8' }],
  [
    'depositor D',
    depositorAbi,
    {
      deposit: '0x2d7174c8',
      depositWithPermit: '0x6dbc73ff',
      depositNative: '0x28ccb7bf',
      supplyCapInBase: '0xa39a91b8',
    },
  ],
  ['teller A', tellerAAbi, { isSupported: '0x4f129c53', bulkWithdraw: '0x3e64ce99' }],
  ['teller B', tellerAbi, { bulkWithdraw: '0x3e64ce99' }],
]

describe('hashes', () => {
  test.each(EVENTS)('default: the events of the %s', (_, abi, topics) => {
    const ours = eventsOf(abi).map((event) => [event.name, toEventSelector(event)])
    expect(Object.fromEntries(ours)).toEqual(topics)
  })

  test.each(SELECTORS)('default: the functions of the %s', (_, abi, selectors) => {
    const ours = abi.flatMap((item) =>
      item.type === 'function' && item.name in selectors
        ? [[item.name, toFunctionSelector(item)]]
        : [],
    )
    expect(Object.fromEntries(ours)).toEqual(selectors)
  })
})

/** By the recording's names. The older two are recorded as logs only, not decoded. */
const RECORDED: Record<string, Abi> = {
  BoringVault: vaultAbi,
  AccountantWithRateProviders: accountantAbi,
  TellerWithMultiAssetSupport: tellerAbi,
  DistributorCodeDepositor: depositorAbi,
  WithdrawQueue: withdrawQueueAbi,
  'DistributorCodeDepositor (generation A)': depositorAAbi,
  'WithdrawQueue (generation A or B)': withdrawQueueAAbi,
}
/** The selectors and topics that no ABI here has: owner, authority, allowances and hook of a contract. */
const BESIDE = [
  '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0',
  '0xa3396fd7f6e0a21b50e5089d2da70d5ac0a3bbbd1f617a93f134b76389980198',
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  '0x9c88a37b',
]

describe('the recording of the deployed contracts', () => {
  const logs = contractLogs.logs.filter(
    ({ contract, topics: [topic = ''] }) =>
      contract in RECORDED && !BESIDE.some((start) => topic.startsWith(start)),
  )

  test('default: every log decodes to what was recorded', () => {
    const known = logs.filter(({ event }) => event !== null)
    expect(known.length).toBeGreaterThan(200)
    for (const { contract, event, args, topics, data } of known) {
      const decoded = decodeEventLog({
        abi: RECORDED[contract] ?? [],
        topics: asTopics(topics),
        data,
      })
      const texts = JSON.parse(
        JSON.stringify(decoded.args ?? {}, (_, part) =>
          typeof part === 'bigint' ? String(part) : part,
        ),
      )
      expect([decoded.eventName, texts]).toEqual([event, args])
    }
  })

  test('behavior: logs of the older generation decode with its ABIs only', () => {
    const older = logs.filter(({ event }) => event === null)
    const names = older.map(({ contract, topics, data }) => {
      const log = { topics: asTopics(topics), data }
      const newer = [...depositorAbi, ...withdrawQueueAbi]
      expect(() => decodeEventLog({ abi: newer, ...log })).toThrow()
      return decodeEventLog({ abi: RECORDED[contract] ?? [], ...log }).eventName
    })
    expect(new Set(names)).toEqual(
      new Set(['DepositWithDistributorCode', 'OrderSubmitted', 'OrderProcessed', 'OrderRefunded']),
    )
  })
})

describe('a vault whose contracts were replaced', () => {
  const [deployment] =
    parseAddressBook(bookWithVersions(), 'a book with versions').vaults[0]?.deployments ?? []
  const kinds = ['tellers', 'accountants', 'depositors', 'queues'] as const
  const cases = kinds.flatMap((kind) =>
    Object.entries<Abi>(VAULT_ABIS[kind]).flatMap(([generation, abi]) =>
      eventsOf(abi).map((event) => ({ kind, generation, name: event.name, event })),
    ),
  )

  test.each(cases)('behavior: $name of $kind $generation', ({ kind, generation, event }) => {
    const versions: { generation: string; fromBlock: number }[] = deployment?.[kind] ?? []
    const index = versions.findIndex((version) => version.generation === generation)
    const blocks = {
      min: versions[index]?.fromBlock ?? 0,
      max: (versions[index + 1]?.fromBlock ?? 10 ** 9) - 1,
    }
    fc.assert(
      fc.property(arbitraryEventArgs(event), fc.integer(blocks), (args, block) => {
        const { topics, data } = encodeEvent(event, args)
        const found = versionAt(versions, block)?.generation ?? ''
        expect(found).toBe(generation)
        const abis: Record<string, Abi> = VAULT_ABIS[kind]
        const decoded = decodeEventLog({ abi: abis[found] ?? [], topics: asTopics(topics), data })
        expect(decoded.eventName).toBe(event.name)
        expect(lowerCased(decoded.args ?? {})).toEqual(lowerCased(asLogged(event, args)))
      }),
      { numRuns: 25 },
    )
  })
})

describe('kytStatusAbi', () => {
  const topic = '0xac8ac1468485a9f86fe2bc1cd887b0dc157deec702a83962db05c507d648d497'
  const asset = `0x${'ab'.repeat(20)}` as const

  test.each([true, false])('behavior: %s, in a topic and in the data', (enabled) => {
    const word = pad(enabled ? '0x01' : '0x00')
    const layouts: [topics: Hex[], data: Hex][] = [
      [[topic, pad(asset), word], '0x'],
      [[topic, pad(asset)], word],
    ]
    for (const [topics, data] of layouts) {
      const log = { topics: asTopics(topics), data }
      const { args } = decodeEventLog({ abi: kytStatusAbi(topics), ...log })
      expect(lowerCased(args)).toEqual({ depositasset: asset, enabled })
    }
  })

  test('error: the one layout is not read as the other', () => {
    const indexed = { topics: asTopics([topic, pad(asset), pad('0x01')]), data: '0x' } as const
    const inData = { topics: asTopics([topic, pad(asset)]), data: pad('0x01') }
    expect(() => decodeEventLog({ abi: kytStatusAbi(inData.topics), ...indexed })).toThrow()
    expect(() => decodeEventLog({ abi: kytStatusAbi(indexed.topics), ...inData })).toThrow()
  })
})

function eventsOf(abi: Abi): AbiEvent[] {
  return abi.flatMap((item) => (item.type === 'event' ? [item] : []))
}

function asTopics(topics: readonly Hex[]): [Hex, ...Hex[]] {
  const [first = '0x', ...others] = topics
  return [first, ...others]
}

function without(topics: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(topics).filter(([name]) => !names.includes(name)))
}

/** A log has indexed text and bytes only as their hash. */
function asLogged({ inputs }: AbiEvent, args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    inputs.map(({ name = '', type, indexed }) => {
      const value = args[name]
      if (!indexed || (type !== 'bytes' && type !== 'string')) return [name, value]
      return [name, keccak256(type === 'bytes' ? (value as Hex) : toHex(String(value)))]
    }),
  )
}

/** Every generation of every contract, one after the other. The end blocks of generation B are not known. */
function bookWithVersions() {
  const token = `0x${'11'.repeat(20)}`
  const versions = (generations: string[]) =>
    generations.map((generation, index) => ({
      address: `0x${String(index + 1).repeat(40)}`,
      generation,
      fromBlock: (index + 1) * 1_000,
      ...(index < generations.length - 1
        ? { toBlock: generation === 'B' ? 'unknown' : (index + 2) * 1_000 - 1 }
        : {}),
    }))
  const deployment = {
    chainId: 1,
    vault: { address: `0x${'22'.repeat(20)}`, startBlock: 1 },
    baseToken: token,
    tellers: versions(['A', 'B']),
    accountants: versions(['A', 'B']),
    depositors: versions(['A', 'B', 'C', 'D']).map((version) =>
      version.generation === 'B' ? { ...version, capIn: 'shares' } : version,
    ),
    queues: versions(['A', 'B', 'C']),
    assets: [],
  }
  return {
    environment: 'DEVELOPMENT',
    chains: [{ id: 1, name: 'One', finalityDepth: 65, blockTimeSeconds: 12, multicall3: token }],
    tokens: [{ chainId: 1, address: token, name: 'T', symbol: 'T', decimals: 6 }],
    transitRoutes: [],
    vaults: [{ name: 'V', yieldType: 'CORE', deployments: [deployment] }],
  }
}
