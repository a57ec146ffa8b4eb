import { getAddress, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Keeper } from '../../worker/smartDeposit/keeper.ts'
import {
  dollar,
  FINALITY,
  type KeeperWorld,
  lower,
  settle,
  startKeeperWorld,
  USDC,
  userAt,
} from './keeperWorld.ts'

const AMOUNT = parseUnits('250', 6)

describe('the keeper of smart deposits', () => {
  let w: KeeperWorld
  let keeper: Keeper
  let organizationId: string

  beforeAll(async () => {
    w = await startKeeperWorld()
    organizationId = await w.organization('one')
    keeper = await w.takeOver()
    await settle(keeper, 1)
  }, 60_000)
  afterAll(() => w?.stop())

  test('default: pending, confirmed and finalized, every field, shares to the unit', async () => {
    const user = userAt(3)
    const address = await w.register({ user, organizationIds: [organizationId], customerId: 'c-1' })
    const before = await w.balance(dollar.vault, user.address)
    const paid = await w.pay(USDC, address, AMOUNT)
    await settle(keeper)
    const shares = (await w.balance(dollar.vault, user.address)) - before
    expect(shares).toBeGreaterThan(0n)
    await w.mine(FINALITY)
    await settle(keeper, 1)
    const told = await w.told(address)
    const [deposit] = await w.deposits(address)
    const settled = await w.client.getTransactionReceipt({
      hash: deposit?.settle_tx_hash as `0x${string}`,
    })
    const common = {
      version: 'v2',
      deposit_id: deposit?.deposit_id,
      customer_id: 'c-1',
      chain_id: '1',
      chain_name: 'Ethereum',
      organization_id: organizationId,
      smart_deposit_address: getAddress(address),
      user_destination_address: user.address,
      distributor_code_depositor_address: getAddress(dollar.current.depositor),
      vault_address: getAddress(dollar.vault),
      input_token_symbol: 'USDC',
      input_token_address: getAddress(USDC),
      input_token_decimals: 6,
      received_amount: String(AMOUNT),
      receipt_tx_hash: paid.transactionHash,
      receipt_tx_block_hash: paid.blockHash,
    }
    const forwarded = {
      minted_amount: String(shares),
      forward_tx_hash: settled.transactionHash,
      forward_tx_block_hash: settled.blockHash,
    }
    const stamp = { id: expect.any(String), timestamp: expect.any(String) }
    const type = (kind: string) => `smart_deposit.deposit.${kind}`
    expect(told.map(({ body }) => body)).toEqual([
      { ...stamp, ...common, type: type('pending'), sequence: 1 },
      { ...stamp, ...common, ...forwarded, type: type('confirmed'), sequence: 2 },
      { ...stamp, ...common, ...forwarded, type: type('finalized'), sequence: 3 },
    ])
    expect(deposit).toMatchObject({ status: 'finalized', is_final: true, attempt: 1 })
    expect(lower(settled.from)).toBe(lower(keeper.account?.address ?? '0x'))
  })
})
