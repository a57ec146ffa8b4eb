import type { Address } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import { signingKeepers } from '../../worker/smartDeposit/signingKeepers.ts'
import { listCollections, setAsideSmall } from '../../worker/smartDeposit/smallPayments.ts'
import { dollar, type KeeperWorld, kinds, settle, USDC } from './keeperWorld.ts'

type Kept = { w: KeeperWorld; keeper: Keeper }

/** Payments that are worth less than their transaction. */
export function testSmallPayments(
  kept: () => Kept,
  register: (customerId: string) => Promise<Address>,
) {
  describe('small payments', () => {
    let w: KeeperWorld
    let keeper: Keeper
    beforeAll(() => {
      ;({ w, keeper } = kept())
    })

    /** Less than half of the minimum, which is 0.01. */
    const SMALL = 4_000n
    const endsOf = (events: { body: Record<string, unknown> }[]) =>
      events.flatMap(({ body }) => body.remediation ?? [])

    test('behavior: below the minimum they cost nothing, and are tried only once the address has collected it', async () => {
      const address = await register('small')
      const before = await w.balance(dollar.vault, userAt(6).address)
      for (const _ of [1, 2]) await w.pay(USDC, address, SMALL)
      await settle(keeper, 2)
      await w.hurry()
      await settle(keeper, 2)
      expect(await w.sentFor(address)).toHaveLength(0)
      const waiting = await w.events(address)
      expect(kinds(waiting)).toEqual(['pending', 'pending', 'failed', 'failed'])
      expect(endsOf(waiting)).toEqual(['retained', 'retained'])
      expect(waiting.at(-1)?.body.error).toMatch('below the token')

      await w.pay(USDC, address, SMALL)
      await settle(keeper, 4)
      expect(await w.sentFor(address)).toHaveLength(1)
      expect(await w.balance(USDC, address)).toBe(0n)
      const confirmed = (await w.events(address)).filter(({ type }) => type.endsWith('confirmed'))
      expect(confirmed.map(({ body }) => body.received_amount)).toEqual(Array(3).fill('4000'))
      expect(new Set(confirmed.map(({ body }) => body.forward_tx_hash)).size).toBe(1)
      expect(new Set(confirmed.map(({ body }) => body.deposit_id)).size).toBe(3)
      const minted = (await w.balance(dollar.vault, userAt(6).address)) - before
      const parts = confirmed.map(({ body }) => BigInt(String(body.minted_amount)))
      const rest = minted - parts.reduce((sum, part) => sum + part, 0n)
      expect(parts.every((part) => part > 0n)).toBe(true)
      expect(rest >= 0n && rest < 3n).toBe(true)
    })

    test('behavior: a hundred tiny payments do not keep others from being settled together', async () => {
      const collections = async () => {
        const [one] = signingKeepers(keeper)
        return one ? listCollections(one, { most: 16, without: [] }) : null
      }
      const address = await register('littered')
      await w.pay(USDC, address, 1n)
      await settle(keeper, 2)
      await w.context.sql`
        insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, token, address, payment_id, attempt,
          received_amount, payment_tx_hash, payment_log_position, payment_block_number,
          payment_block_hash, status, is_small)
        select '0x' || encode(sha256(('d' || n)::bytea), 'hex'), chain_id, address_chain_id, token, address,
          '0x' || encode(sha256(('r' || n)::bytea), 'hex'), 2, 1, payment_tx_hash, 1000 + n,
          payment_block_number, payment_block_hash, 'retrying', true
        from app.smart_deposit, generate_series(1, 100) n
        where address = ${address} and status = 'retrying'`
      expect(await collections()).toEqual([])
      const { accounts } = keeper
      keeper.accounts = []
      for (const _ of [1, 2, 3]) await w.pay(USDC, address, SMALL)
      await settle(keeper, 1)
      keeper.accounts = accounts
      await setAsideSmall(keeper)
      const [found] = (await collections()) ?? []
      expect(found?.members.slice(0, 4).map(({ receivedAmount }) => receivedAmount)).toEqual([
        SMALL,
        SMALL,
        SMALL,
        1n,
      ])
      expect(found?.members).toHaveLength(100)
      await w.context.sql`update app.smart_deposit set is_final = true where address = ${address}`
    })
  })
}
