import { type Address, type LocalAccount, parseUnits, toFunctionSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { startTestWorld } from '../support/anvils.ts'
import { revertChains } from '../support/revertChains.ts'
import { DAY_SECONDS, timelockOf } from './factoryOwner.ts'
import {
  createFactory,
  type FactoryWorld,
  FORMS,
  guardian,
  keeper,
  keyOf,
  nextPayment,
  owner,
  recoveryWallet,
  termsOf,
} from './factoryWorld.ts'

const { USDC } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const AMOUNT = parseUnits('250', 6)
const ROUTE = [dollar.vault, dollar.current.depositor, FORMS.ATTESTED]
const user = userAt(3)
const key = keyOf({ vault: dollar.vault, inputToken: USDC, destination: user.address })

let w: FactoryWorld
let stop: () => Promise<void>
beforeAll(async () => {
  const started = await startTestWorld([1], { withVaults: true })
  stop = started.stop
  w = await createFactory(started.world)
  await w.write(owner, 'setRoute', ROUTE)
  await w.mint(USDC, await w.accountOf(key), AMOUNT * 10n)
})
afterAll(() => stop?.())
revertChains(() => [w.client])

const settlements = () =>
  [
    ['forward', [key, nextPayment(), termsOf(AMOUNT)]],
    ['refund', [key, nextPayment(), USDC, AMOUNT]],
    ['recover', [key, nextPayment(), USDC, AMOUNT]],
  ] as const

/** The errors of the three ways to settle; null for those that succeed. */
const errorsOf = (account: LocalAccount) =>
  Promise.all(settlements().map(([name, args]) => w.revertOf(account, name, args)))

/** Calls are simulated at the time of the newest block. */
async function pass(seconds: number) {
  await w.client.increaseTime({ seconds })
  await w.client.mine({ blocks: 1 })
}

describe('the guardian', () => {
  test('default: pauses forwards and recoveries at once; refunds go on; what is paused goes on later', async () => {
    expect(await errorsOf(keeper)).toEqual([null, null, null])
    await w.write(guardian, 'pause', [])
    expect(await errorsOf(keeper)).toEqual(['EnforcedPause', null, 'EnforcedPause'])
    expect(await errorsOf(owner)).toEqual(['EnforcedPause', null, 'EnforcedPause'])
    const before = await w.balance(USDC, user.address)
    await w.write(keeper, 'refund', [key, nextPayment(), USDC, AMOUNT])
    expect((await w.balance(USDC, user.address)) - before).toBe(AMOUNT)
    await w.write(guardian, 'unpause', [])
    expect(await errorsOf(keeper)).toEqual([null, null, null])
  })

  test('behavior: dismisses a keeper and stops a vault at once', async () => {
    await w.write(guardian, 'stopRoute', [dollar.vault])
    expect(await errorsOf(keeper)).toEqual(['NoRoute', null, null])
    await w.write(guardian, 'dismissKeeper', [keeper.address])
    expect(await errorsOf(keeper)).toEqual(['NotKeeper', 'NotKeeper', 'NotKeeper'])
  })

  test('error: names no keeper, no depositor and no guardian, and settles nothing', async () => {
    for (const [name, args] of [
      ['setKeeper', [guardian.address, true]],
      ['setRoute', ROUTE],
      ['setGuardian', [user.address]],
      ['transferOwnership', [guardian.address]],
    ] as const)
      expect([name, await w.revertOf(guardian, name, args)]).toEqual([
        name,
        'OwnableUnauthorizedAccount',
      ])
    expect(await errorsOf(guardian)).toEqual(['NotKeeper', 'NotKeeper', 'NotKeeper'])
  })

  test('error: nobody else may stop anything, and a former guardian neither', async () => {
    const stops = [
      ['pause', []],
      ['stopRoute', [dollar.vault]],
      ['dismissKeeper', [keeper.address]],
    ] as const
    for (const [name, args] of stops) {
      for (const account of [keeper, user])
        expect([name, await w.revertOf(account, name, args)]).toEqual([name, 'NotGuardian'])
      for (const account of [guardian, owner])
        expect([name, await w.revertOf(account, name, args)]).toEqual([name, null])
    }
    await w.write(guardian, 'pause', [])
    expect(await w.revertOf(keeper, 'unpause', [])).toBe('NotGuardian')
    await w.write(owner, 'setGuardian', [zeroAddress])
    expect(await w.revertOf(guardian, 'unpause', [])).toBe('NotGuardian')
    expect(await w.revertOf(owner, 'unpause', [])).toBe(null)
  })
})

describe('the owner', () => {
  test('default: changes only once the new one has accepted, and never to nobody', async () => {
    await w.write(owner, 'transferOwnership', [user.address])
    expect(await w.revertOf(owner, 'setRoute', ROUTE)).toBe(null)
    expect(await w.revertOf(user, 'setRoute', ROUTE)).toBe('OwnableUnauthorizedAccount')
    expect(await w.revertOf(keeper, 'acceptOwnership', [])).toBe('OwnableUnauthorizedAccount')
    await w.write(user, 'acceptOwnership', [])
    expect(await w.revertOf(user, 'setRoute', ROUTE)).toBe(null)
    expect(await w.revertOf(owner, 'setRoute', ROUTE)).toBe('OwnableUnauthorizedAccount')
    expect(await w.revertOf(user, 'renounceOwnership', [])).toBe('OwnerNeeded')
  })

  test('error: only keepers and the owner settle; a keeper changes no setting', async () => {
    const calls = [
      ['forward', [key, nextPayment(), termsOf(AMOUNT)]],
      ['refund', [key, nextPayment(), USDC, AMOUNT]],
      ['recover', [key, nextPayment(), USDC, AMOUNT]],
    ] as const
    for (const [name, args] of calls) {
      expect([name, await w.revertOf(user, name, args)]).toEqual([name, 'NotKeeper'])
      expect([name, await w.revertOf(owner, name, args)]).toEqual([name, null])
    }
    const settings = [
      ['setRoute', [dollar.vault, dollar.current.depositor, FORMS.ATTESTED]],
      ['setKeeper', [user.address, true]],
    ] as const
    for (const [name, args] of settings)
      expect([name, await w.revertOf(keeper, name, args)]).toEqual([
        name,
        'OwnableUnauthorizedAccount',
      ])
  })

  test('error: a keeper that was dismissed', async () => {
    await w.write(owner, 'setKeeper', [userAt(2).address, true])
    const refund = () => w.revertOf(userAt(2), 'refund', [key, nextPayment(), USDC, AMOUNT])
    expect(await refund()).toBe(null)
    await w.write(owner, 'setKeeper', [userAt(2).address, false])
    expect(await refund()).toBe('NotKeeper')
  })

  test('error: a factory without a recovery wallet, or without an owner', async () => {
    const { abi = [], bytecode = '0x' } = w.artifacts.SmartDepositFactory ?? {}
    const statusOf = async (args: Address[]) => {
      const code = { abi, bytecode, args }
      const hash = await w.client.deployContract({ account: owner, ...code, gas: 5_000_000n })
      return (await w.client.waitForTransactionReceipt({ hash })).status
    }
    expect(await statusOf([owner.address, zeroAddress, recoveryWallet.address])).toBe('success')
    expect(await statusOf([owner.address, owner.address, zeroAddress])).toBe('reverted')
    expect(await statusOf([zeroAddress, owner.address, recoveryWallet.address])).toBe('reverted')
  })
})

describe('a factory behind its timelock', () => {
  const operator = userAt(5)
  const newKeeper = [user.address, true] as const

  async function behindTimelock() {
    const args = [BigInt(DAY_SECONDS), operator.address, guardian.address]
    const timelock: Address = await w.create('SmartDepositTimelock', args)
    await w.write(owner, 'transferOwnership', [timelock])
    const calls = timelockOf(w, timelock, w.factory.address)
    await calls.schedule(operator, 'acceptOwnership', [])
    await pass(DAY_SECONDS)
    await calls.execute(operator, 'acceptOwnership', [])
    return calls
  }

  test('default: keepers and depositors change a day after they were proposed, not before', async () => {
    const timelock = await behindTimelock()
    for (const account of [owner, operator, guardian])
      expect(await w.revertOf(account, 'setKeeper', newKeeper)).toBe('OwnableUnauthorizedAccount')
    await timelock.schedule(operator, 'setKeeper', newKeeper)
    await timelock.schedule(operator, 'setRoute', [dollar.vault, zeroAddress, FORMS.NONE])
    const early = timelock.execute(operator, 'setKeeper', newKeeper)
    await expect(early).rejects.toThrow('TimelockUnexpectedOperationState')
    await pass(DAY_SECONDS - 600)
    const stillEarly = timelock.execute(operator, 'setKeeper', newKeeper)
    await expect(stillEarly).rejects.toThrow('TimelockUnexpectedOperationState')
    await pass(600)
    await timelock.execute(operator, 'setKeeper', newKeeper)
    await timelock.execute(operator, 'setRoute', [dollar.vault, zeroAddress, FORMS.NONE])
    expect(await errorsOf(user)).toEqual(['NoRoute', null, null])
  })

  test('behavior: the guardian cancels a proposal, and still stops everything at once', async () => {
    const timelock = await behindTimelock()
    await timelock.schedule(operator, 'setKeeper', newKeeper)
    const stranger = timelock.cancel(user, 'setKeeper', newKeeper)
    await expect(stranger).rejects.toThrow('AccessControlUnauthorizedAccount')
    await timelock.cancel(guardian, 'setKeeper', newKeeper)
    await pass(DAY_SECONDS)
    const cancelled = timelock.execute(operator, 'setKeeper', newKeeper)
    await expect(cancelled).rejects.toThrow('TimelockUnexpectedOperationState')
    await w.write(guardian, 'dismissKeeper', [keeper.address])
    expect(await errorsOf(keeper)).toEqual(['NotKeeper', 'NotKeeper', 'NotKeeper'])
  })

  test('error: only its operator proposes; a delay below a day is none', async () => {
    const timelock = await behindTimelock()
    for (const account of [guardian, owner, user])
      await expect(timelock.schedule(account, 'setKeeper', newKeeper)).rejects.toThrow(
        'AccessControlUnauthorizedAccount',
      )
    const short = w.create('SmartDepositTimelock', [
      BigInt(DAY_SECONDS - 1),
      operator.address,
      guardian.address,
    ])
    await expect(short).rejects.toThrow(toFunctionSelector('function DelayTooShort(uint256)'))
  })
})
