import { join } from 'node:path'
import { type Address, getAddress, getContractAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Finding } from '../../domain/verification/finding.ts'
import { verifyAddressBook } from '../../domain/verification/verifyAddressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { at, contradiction } from '../support/findings.ts'
import { newAddressesFrom } from '../support/newAddressesFrom.ts'

const NOWHERE = getAddress(`0x${'e1'.repeat(20)}`)
const { vaultDeployer: owner } = DEVNET_ACTORS

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld([1], { withVaults: true })
  // The places below are those of a book whose first factory is of generation A.
  newAddressesFrom(started.addressBook, 'A')
})
afterAll(() => started.stop())

type Chain = AddressBookFile['chains'][number]
type Case = [name: string, change: (chain: Chain) => void, expected: Finding[]]

describe('verifyAddressBook, of smart deposits', () => {
  test('default: the local world has no contradiction', async () => {
    expect(await verify(() => {})).toEqual([])
  })

  test.each<Case>([
    [
      'a factory that is not there',
      (chain) => Object.assign(chain.smartDeposit ?? {}, { factory: NOWHERE }),
      [contradiction('chains.0.smartDeposit.factory', 'no code at', NOWHERE)],
    ],
    [
      'what is no factory',
      (chain) => Object.assign(chain.smartDeposit ?? {}, { factory: DEPLOYMENT.tokens.USDC }),
      [
        contradiction('chains.0.smartDeposit.implementation', 'does not answer'),
        ...['hETH', 'hPRIME', 'hUSD', 'hOLD'].map(() =>
          contradiction('chains.0.smartDeposit.factory', 'routeOf', 'does not answer'),
        ),
      ],
    ],
    [
      'another implementation',
      (chain) => Object.assign(chain.smartDeposit ?? {}, { implementation: NOWHERE }),
      [contradiction('chains.0.smartDeposit.implementation', NOWHERE, 'implementation() of')],
    ],
    [
      'another factory that is not there',
      (chain) => Object.assign(chain.smartDeposit?.otherFactories?.[0] ?? {}, { factory: NOWHERE }),
      [contradiction('chains.0.smartDeposit.otherFactories.0.factory', 'no code at', NOWHERE)],
    ],
    [
      'a factory of the wrong generation',
      (chain) => Object.assign(chain.smartDeposit?.otherFactories?.[0] ?? {}, { generation: 'A' }),
      [
        contradiction(
          'chains.0.smartDeposit.otherFactories.0.factory',
          'accountOf(…)',
          'does not answer',
        ),
      ],
    ],
    [
      'another station than the promised one, and another endpoint id than the known one',
      (chain) => {
        Object.assign(chain.transitStation ?? {}, { address: DEPLOYMENT.vault })
        Object.assign(chain, { eid: 30_102 })
      },
      expect.arrayContaining([
        contradiction(
          'chains.0.smartDeposit.otherFactories.0.implementation',
          'station()',
          DEPLOYMENT.station,
        ),
        contradiction(
          'chains.0.smartDeposit.otherFactories.0.factory',
          '30102',
          'endpointOf(1)',
          '30101',
        ),
      ]),
    ],
    [
      'an oracle that is not there',
      (chain) => Object.assign(chain, { sanctionsOracle: NOWHERE }),
      [contradiction('chains.0.sanctionsOracle', 'no code at', NOWHERE)],
    ],
    [
      'what is no oracle',
      (chain) => Object.assign(chain, { sanctionsOracle: DEPLOYMENT.tokens.USDC }),
      [contradiction('chains.0.sanctionsOracle', 'isSanctioned() of', 'does not answer')],
    ],
  ])('error: %s', async (_, change, expected) => {
    expect(await verify(change)).toEqual(expected)
  })

  test('error: a vault whose deposits go nowhere, another called in the wrong form, an oracle that lists everybody', async () => {
    const client = worldClient(started.world, 1)
    const snapshot = await client.snapshot()
    const { smartDeposit, sanctionsOracle } = at(started.addressBook.chains, 0)
    const factory = smartDeposit?.factory as Address
    const set = async (name: string, form: number) => {
      const { vault, depositors } = deploymentOf(name)
      const args = [vault.address as Address, at(depositors, -1).address as Address, form] as const
      const call = { address: factory, abi: smartDepositFactoryAbi, account: owner } as const
      await client.writeContract({ ...call, functionName: 'setRoute', args })
    }
    await set('Harbor Dollar', 0)
    await set('Harbor Classic', 2)
    await client.writeContract({
      account: owner,
      address: sanctionsOracle as Address,
      abi: oracleAbi,
      functionName: 'addToSanctionsList',
      args: [[`0x${'00'.repeat(20)}`]],
    })
    const place = 'chains.0.smartDeposit.factory'
    expect(await verify(() => {})).toEqual(
      expect.arrayContaining([
        contradiction(place, 'in form 2', 'Harbor Dollar', 'in form 0'),
        contradiction(place, 'in form 1', 'Harbor Classic', 'in form 2'),
        contradiction('chains.0.sanctionsOracle', 'the zero address is sanctioned'),
      ]),
    )
    expect(await verify(() => {})).toHaveLength(3)
    await client.revert({ id: snapshot })
  })
})

test('error: in PRODUCTION, a factory without a timelock of a day; a paused one is a note', async () => {
  const client = worldClient(started.world, 1)
  const snapshot = await client.snapshot()
  const factory = started.addressBook.chains[0]?.smartDeposit?.factory as Address
  const call = { address: factory, abi: smartDepositFactoryAbi, account: owner } as const
  await client.writeContract({ ...call, functionName: 'pause' })
  const place = 'chains.0.smartDeposit.factory'
  const paused = { kind: 'note', place, message: 'the factory of chain 1 is paused' }
  expect(await verify(() => {})).toEqual([paused])
  const book = parseAddressBook(structuredClone(started.addressBook), 'test')
  const chains = [{ chainId: 1, rpcUrls: [started.world.rpcUrls[1] ?? ''] }]
  const found = await verifyAddressBook({ ...book, environment: 'PRODUCTION' }, chains)
  expect(found).toEqual([
    paused,
    contradiction(place, owner.address, 'is no timelock; expected 86400 s'),
    // A user must be able to leave before a change takes effect: a day more than the withdrawal delay of an hour.
    contradiction(
      'chains.0.smartDeposit.otherFactories.0.factory',
      DEVNET_ACTORS.factoryOwner.address,
      'is no timelock; expected 90000 s',
    ),
  ])
  await client.revert({ id: snapshot })
})

test('error: a factory whose accounts pay a lower fee than quotes can have', async () => {
  const client = worldClient(started.world, 1)
  const { SmartDepositFactoryB } = await compileContracts(
    join(import.meta.dirname, '../../contracts'),
  )
  if (!SmartDepositFactoryB) throw new Error('the factory was not compiled')
  const promises = {
    recoveryWallet: NOWHERE,
    station: DEPLOYMENT.station,
    withdrawalDelay: 3_600n,
    maxTransitFeeBps: 49n,
  }
  const hash = await client.deployContract({
    ...SmartDepositFactoryB,
    account: owner,
    args: [owner.address, owner.address, promises],
  })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  const factory = contractAddress as Address
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  const found = await verify(({ smartDeposit }) =>
    Object.assign(smartDeposit?.otherFactories?.[0] ?? {}, { factory, implementation }),
  )
  const place = 'chains.0.smartDeposit.otherFactories.0.implementation'
  expect(found.filter((one) => one.place === place)).toEqual([
    contradiction(place, 'up to 50 bps', 'maxTransitFeeBps()', 'is 49'),
  ])
})

const oracleAbi = parseAbi(['function addToSanctionsList(address[] accounts)'])

function deploymentOf(name: string) {
  const vault = started.addressBook.vaults?.find((one) => one.name === name)
  return at(vault?.deployments, 0)
}

function verify(change: (chain: Chain) => void): Promise<Finding[]> {
  const book = structuredClone(started.addressBook)
  change(at(book.chains, 0))
  const endpoints = [{ chainId: 1, rpcUrls: [started.world.rpcUrls[1] ?? ''] }]
  return verifyAddressBook(parseAddressBook(book, 'test'), endpoints)
}
