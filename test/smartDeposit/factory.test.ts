import fc from 'fast-check'
import {
  type Address,
  encodeFunctionData,
  parseAbi,
  parseEventLogs,
  parseUnits,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import type { World } from '../../devnet/world.ts'
import { customerHash, smartDepositAddress } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { startTestWorld } from '../support/anvils.ts'
import { arbitraryAddress, arbitraryCustomer } from '../support/arbitraryAddress.ts'
import {
  createFactory,
  type FactoryWorld,
  FORMS,
  keeper,
  keyOf,
  NATIVE,
  nextPayment,
  owner,
  recoveryWallet,
  termsOf,
} from './factoryWorld.ts'

const { USDC, USDT } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const AMOUNT = parseUnits('250', 6)
const user = userAt(3)

describe('the factory of smart deposit addresses', () => {
  let world: World
  let stop: () => Promise<void>
  let w: FactoryWorld

  beforeAll(async () => {
    const started = await startTestWorld([1], { withVaults: true })
    world = started.world
    stop = started.stop
    w = await createFactory(world)
    await w.write(owner, 'setRoute', [dollar.vault, dollar.current.depositor, FORMS.ATTESTED])
    await w.write(owner, 'setRoute', [classic.vault, classic.current.depositor, FORMS.PLAIN])
  })
  afterAll(() => stop?.())

  /** An address with this amount of a token. */
  async function funded(
    token: Address,
    amount: bigint,
    vault = dollar.vault,
    destination = user.address,
  ) {
    const key = keyOf({ vault, inputToken: token, destination })
    const account = await w.accountOf(key)
    await w.mint(token, account, amount)
    return { key, account }
  }

  describe('addresses', () => {
    test('behavior: the address of the factory equals the computed one', async () => {
      const address = arbitraryAddress
      const customer = fc.option(
        fc.record({ customerId: arbitraryCustomer, organizationId: fc.uuid() }),
        { nil: { customerId: null, organizationId: null } },
      )
      await fc.assert(
        fc.asyncProperty(
          address,
          address,
          address,
          customer,
          async (destination, vault, inputToken, customer) => {
            const key = { destination, vault, inputToken, customer: customerHash(customer) }
            const computed = smartDepositAddress(w.origin, {
              userDestinationAddress: destination,
              vaultAddress: vault,
              inputToken,
              chainId: 1,
              ...customer,
            })
            expect(await w.accountOf(key)).toBe(computed)
          },
        ),
        { numRuns: 40 },
      )
    })

    test('behavior: each part of the key makes another one', () => {
      const key = {
        userDestinationAddress: user.address,
        vaultAddress: dollar.vault,
        inputToken: USDC,
        chainId: 1,
        customerId: null,
        organizationId: null,
      }
      const keys = [
        key,
        { ...key, userDestinationAddress: userAt(4).address },
        { ...key, vaultAddress: classic.vault },
        { ...key, inputToken: USDT },
        { ...key, chainId: 8453 },
        { ...key, customerId: 'a', organizationId: 'one' },
        { ...key, customerId: 'A', organizationId: 'one' },
        { ...key, customerId: 'a', organizationId: 'two' },
      ]
      const addresses = new Set(keys.map((one) => smartDepositAddress(w.origin, one)))
      expect(addresses.size).toBe(keys.length)
    })
  })

  describe('forward', () => {
    test('default: to the unit, the shares to the destination, with the events', async () => {
      const { key, account } = await funded(USDC, AMOUNT)
      const before = await w.balance(dollar.vault, user.address)
      const payment = nextPayment()
      const { logs } = await w.write(keeper, 'forward', [key, payment, termsOf(AMOUNT)])
      const events = parseEventLogs({ abi: smartDepositFactoryAbi, logs })
      const shares = (await w.balance(dollar.vault, user.address)) - before
      expect(shares).toBeGreaterThan(0n)
      expect(events.map(({ eventName, args }) => [eventName, args])).toEqual([
        ['AccountCreated', { account, ...key }],
        ['Forwarded', { account, payment, amount: AMOUNT, shares }],
      ])
      expect(await w.balance(USDC, account)).toBe(0n)
      expect(await w.isSettled(payment)).toBe(true)
    })

    test('behavior: a second deposit to the same address, a part of what is there', async () => {
      const { key, account } = await funded(USDC, AMOUNT * 2n)
      await w.write(keeper, 'forward', [key, nextPayment(), termsOf(AMOUNT)])
      expect(await w.balance(USDC, account)).toBe(AMOUNT)
      await w.write(keeper, 'forward', [key, nextPayment(), termsOf(AMOUNT)])
      expect(await w.balance(USDC, account)).toBe(0n)
    })

    test('behavior: to a depositor of the old form, of a token that returns nothing', async () => {
      const { key, account } = await funded(USDT, AMOUNT, dollar.vault)
      await w.write(keeper, 'forward', [key, nextPayment(), termsOf(AMOUNT)])
      expect(await w.balance(USDT, account)).toBe(0n)
      const old = await funded(USDC, AMOUNT, classic.vault)
      await w.write(keeper, 'forward', [old.key, nextPayment(), termsOf(AMOUNT)])
      expect(await w.balance(classic.vault, user.address)).toBeGreaterThan(0n)
    })

    test('behavior: the address does not depend on the current depositor', async () => {
      const vault = await w.create('CrookedVault')
      const token = await w.create('TollToken')
      const { key, account } = await funded(token, AMOUNT, vault)
      expect(await w.revertOf(keeper, 'forward', [key, nextPayment(), termsOf(AMOUNT)])).toBe(
        'NoRoute',
      )
      await w.write(owner, 'setRoute', [vault, vault, FORMS.PLAIN])
      expect(await w.accountOf(key)).toBe(account)
      await w.write(owner, 'setRoute', [vault, vault, FORMS.NONE])
      expect(await w.revertOf(keeper, 'forward', [key, nextPayment(), termsOf(AMOUNT)])).toBe(
        'NoRoute',
      )
    })

    test('error: fewer shares than the minimum, or to another account, move nothing', async () => {
      const vault = await w.create('CrookedVault')
      const token = await w.create('TollToken')
      await w.write(owner, 'setRoute', [vault, vault, FORMS.PLAIN])
      const { key, account } = await funded(token, AMOUNT, vault)
      const turn = async (bps: bigint, instead: Address) => {
        const abi = parseAbi(['function turn(uint256, address)'])
        const call = { address: vault, abi, functionName: 'turn', args: [bps, instead] } as const
        const hash = await w.client.writeContract({ ...call, account: owner })
        await w.client.waitForTransactionReceipt({ hash })
      }
      const payment = nextPayment()
      const forward = (minimum: bigint) =>
        w.revertOf(keeper, 'forward', [key, payment, termsOf(AMOUNT, minimum)])
      await turn(9_999n, zeroAddress)
      expect(await forward(AMOUNT)).toBe('TooFewShares')
      expect(await forward((AMOUNT * 9_999n) / 10_000n)).toBe(null)
      await turn(10_000n, keeper.address)
      expect(await forward(0n)).toBe('TooFewShares')
      expect(await w.balance(token, account)).toBe(AMOUNT)
      expect(await w.isSettled(payment)).toBe(false)
    })

    test('error: more than is there', async () => {
      const { key } = await funded(USDC, AMOUNT, dollar.vault, userAt(5).address)
      const reverted = await w.revertOf(keeper, 'forward', [
        key,
        nextPayment(),
        termsOf(AMOUNT + 1n),
      ])
      expect(reverted).not.toBe(null)
    })
  })

  describe('refund and recover', () => {
    test('default: whatever token, to the destination, or to the recovery wallet', async () => {
      const { key, account } = await funded(USDC, AMOUNT, dollar.vault, userAt(6).address)
      await w.mint(USDT, account, AMOUNT)
      const before = await w.balance(USDC, userAt(6).address)
      const [one, other] = [nextPayment(), nextPayment()]
      const refunded = await w.write(keeper, 'refund', [key, one, USDC, AMOUNT])
      expect((await w.balance(USDC, userAt(6).address)) - before).toBe(AMOUNT)
      const recoveredBefore = await w.balance(USDT, recoveryWallet.address)
      const recovered = await w.write(keeper, 'recover', [key, other, USDT, AMOUNT])
      expect((await w.balance(USDT, recoveryWallet.address)) - recoveredBefore).toBe(AMOUNT)
      const logs = [...refunded.logs, ...recovered.logs]
      const events = parseEventLogs({ abi: smartDepositFactoryAbi, logs })
      expect(events.map(({ eventName, args }) => [eventName, args]).slice(1)).toEqual([
        ['Refunded', { account, payment: one, token: USDC, amount: AMOUNT }],
        ['Recovered', { account, payment: other, token: USDT, amount: AMOUNT }],
      ])
    })

    test("behavior: the chain's own coin that came before there was code, and none after", async () => {
      const key = keyOf({ vault: dollar.vault, inputToken: USDC, destination: userAt(8).address })
      const account = await w.accountOf(key)
      const pay = async () => {
        const hash = await w.client.sendTransaction({ account: user, to: account, value: 1_000n })
        return (await w.client.waitForTransactionReceipt({ hash })).status
      }
      expect(await pay()).toBe('success')
      const before = await w.client.getBalance({ address: userAt(8).address })
      await w.write(keeper, 'refund', [key, nextPayment(), NATIVE, 400n])
      expect((await w.client.getBalance({ address: userAt(8).address })) - before).toBe(400n)
      const recoveredBefore = await w.client.getBalance({ address: recoveryWallet.address })
      await w.write(keeper, 'recover', [key, nextPayment(), NATIVE, 600n])
      const recovered = await w.client.getBalance({ address: recoveryWallet.address })
      expect(recovered - recoveredBefore).toBe(600n)
      await expect(pay()).rejects.toThrow()
    })

    test('behavior: of a token that keeps a part', async () => {
      const token = await w.create('TollToken')
      const { key, account } = await funded(token, AMOUNT)
      await w.write(keeper, 'refund', [key, nextPayment(), token, AMOUNT])
      expect(await w.balance(token, user.address)).toBe((AMOUNT * 99n) / 100n)
      expect(await w.balance(token, account)).toBe(0n)
    })
  })

  describe('guards', () => {
    test('error: a payment is settled once, whichever way', async () => {
      const { key } = await funded(USDC, AMOUNT * 3n)
      const payment = nextPayment()
      await w.write(keeper, 'forward', [key, payment, termsOf(AMOUNT)])
      for (const [name, args] of [
        ['forward', [key, payment, termsOf(AMOUNT)]],
        ['refund', [key, payment, USDC, AMOUNT]],
        ['recover', [key, payment, USDC, AMOUNT]],
      ] as const)
        expect([name, await w.revertOf(keeper, name, args)]).toEqual([name, 'AlreadySettled'])
    })

    test('error: an account and its code obey the factory alone', async () => {
      const { key, account } = await funded(USDC, AMOUNT)
      await w.write(keeper, 'refund', [key, nextPayment(), USDC, 1n])
      const abi = parseAbi([
        'function refund(address token, uint256 amount)',
        'function recover(address token, uint256 amount)',
        'error OnlyFactory(address caller)',
      ])
      const depositAbi = parseAbi([
        'struct Attestation { string uuid; uint256 expiration; address attester; bytes signature; }',
        'struct DepositTerms { uint256 amount; uint256 minimumMint; bytes distributorCode; Attestation attestation; }',
        'function deposit(address depositor, uint8 form, DepositTerms wanted) returns (uint256)',
        'error OnlyFactory(address caller)',
      ])
      // Otherwise the caller would choose which depositor may take the funds.
      for (const caller of [keeper, owner, user])
        await expect(
          w.client.simulateContract({
            address: account,
            abi: depositAbi,
            functionName: 'deposit',
            account: caller,
            args: [dollar.current.depositor, FORMS.ATTESTED, termsOf(AMOUNT / 2n)],
          }),
        ).rejects.toThrow('OnlyFactory')
      for (const address of [account, w.origin.implementation])
        for (const functionName of ['refund', 'recover'] as const)
          for (const caller of [keeper, owner, user])
            await expect(
              w.client.simulateContract({
                address,
                abi,
                functionName,
                args: [USDC, 1n],
                account: caller,
              }),
            ).rejects.toThrow('OnlyFactory')
    })

    test('error: a depositor of another vault, an amount of nothing', async () => {
      const route = [dollar.vault, classic.current.depositor, FORMS.PLAIN]
      expect(await w.revertOf(owner, 'setRoute', route)).toBe('OtherVault')
      const { key } = await funded(USDC, AMOUNT)
      expect(await w.revertOf(keeper, 'refund', [key, nextPayment(), USDC, 0n])).toBe('ZeroAmount')
    })

    test('error: what a token calls while it is paid does not come in again', async () => {
      const token = await w.create('TollToken')
      await w.write(owner, 'setKeeper', [token, true])
      const { key } = await funded(token, AMOUNT)
      const data = encodeFunctionData({
        abi: smartDepositFactoryAbi,
        functionName: 'refund',
        args: [key, nextPayment(), token, 1n],
      })
      const abi = parseAbi([
        'function callWhilePaying(address target, bytes data)',
        'function answer() view returns (bytes)',
      ])
      const hash = await w.client.writeContract({
        account: owner,
        address: token,
        abi,
        functionName: 'callWhilePaying',
        args: [w.factory.address, data],
      })
      await w.client.waitForTransactionReceipt({ hash })
      await w.write(keeper, 'recover', [key, nextPayment(), token, AMOUNT / 2n])
      const answer = await w.client.readContract({ address: token, abi, functionName: 'answer' })
      // ReentrancyGuardReentrantCall()
      expect(answer).toBe('0x3ee5aeb5')
    })

    test('behavior: whatever keepers do, what was there is at one of the three places', async () => {
      const moves = fc.array(
        fc.record({
          way: fc.constantFrom('forward' as const, 'refund' as const, 'recover' as const),
          amount: fc.bigInt({ min: 1n, max: AMOUNT }),
        }),
        { minLength: 1, maxLength: 6 },
      )
      await fc.assert(
        fc.asyncProperty(moves, async (wanted) => {
          const vault = await w.create('CrookedVault')
          const token = await w.create('TollToken')
          await w.write(owner, 'setRoute', [vault, vault, FORMS.PLAIN])
          const { key, account } = await funded(token, AMOUNT, vault)
          let left = AMOUNT
          const at = { forward: 0n, refund: 0n, recover: 0n }
          const recoveredBefore = await w.balance(token, recoveryWallet.address)
          for (const { way, amount } of wanted) {
            const args = way === 'forward' ? [termsOf(amount)] : [token, amount]
            const call = [keeper, way, [key, nextPayment(), ...args]] as const
            if ((await w.revertOf(...call)) !== null) {
              expect(amount).toBeGreaterThan(left)
              continue
            }
            await w.write(...call)
            left -= amount
            at[way] += way === 'forward' ? amount : amount - amount / 100n
          }
          expect(await w.balance(token, account)).toBe(left)
          expect(await w.balance(vault, key.destination)).toBe(at.forward)
          expect(await w.balance(token, key.destination)).toBe(at.refund)
          expect((await w.balance(token, recoveryWallet.address)) - recoveredBefore).toBe(
            at.recover,
          )
        }),
        { numRuns: 8 },
      )
    })
  })
})
