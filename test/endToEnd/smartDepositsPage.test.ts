import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VAULT_CHAINS } from '../../devnet/vaults/deployment.ts'
import { ONE_ADDRESS } from '../../devnet/vaults/writeOneAddress.ts'
import { customerHash, smartDepositAddress } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { ask } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { pastedCalls } from '../support/pastedCalls.ts'
import { testVaultCharts } from './vaultChartPage.ts'

const PAGE = join(import.meta.dirname, '../../docs/smart-deposits.md')

let earn: EarnWorld
let text: string
beforeAll(async () => {
  earn = await startEarnWorld([1])
  text = await readFile(PAGE, 'utf8')
})
afterAll(() => earn?.stop())

describe('docs/smart-deposits.md', () => {
  test('behavior: its calls answer as they are pasted', async () => {
    const [, path = '', body = ''] =
      /curl -s http:\/\/127\.0\.0\.1:4000(\S+) .+\\\s+-d '([^']+)'/.exec(text) ?? []
    const response = await ask(`${earn.api.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const answer = (await response.json()) as object
    const shown = /```json\n(.+?)\n```/s.exec(text)?.[1] ?? ''
    // The local organization's id is part of the address, so each installation has another one.
    expect(Object.keys(answer)).toEqual(Object.keys(JSON.parse(shown)))

    const { paths } = await pastedCalls('smart-deposits.md')
    expect(paths).toHaveLength(3)
    const bodies = await Promise.all(
      paths.map(async (pasted) => {
        const asked = await getJson(`${earn.api.url}${pasted}`)
        expect([pasted, asked.status]).toEqual([pasted, 200])
        expect(undescribed(asked.url, asked.status, asked.body)).toEqual([])
        return asked.body
      }),
    )
    expect(bodies[0]).toMatchObject({ smartDepositAddresses: [{ ...JSON.parse(body), ...answer }] })
  })

  test('behavior: its test vectors are what the formulas give, and the local world', () => {
    const row = (name: string) =>
      new RegExp(`^\\| ${name} \\| \`(\\S+)\` \\|$`, 'm').exec(text)?.[1] ?? 'not there'
    const newer = {
      address: row('factory') as Address,
      implementation: row('implementation') as Address,
      generation: 'B' as const,
    }
    const first = {
      address: row('factory of generation A') as Address,
      implementation: row('implementation of generation A') as Address,
      generation: 'A' as const,
    }
    const inputs = {
      userDestinationAddress: row('destination') as Address,
      vaultAddress: row('vault') as Address,
      inputToken: row('inputToken') as Address,
      chainId: Number(row('chainId')),
    }
    const former = VAULT_CHAINS.find(({ chainId }) => chainId === 1)?.smartDeposit
    for (const [shown, ofWorld] of [
      [newer, ONE_ADDRESS],
      [first, former],
    ] as const)
      expect(shown).toMatchObject({
        address: ofWorld?.factory,
        implementation: ofWorld?.implementation,
      })
    const organizationId = row('organization')
    const customerId = 'customer_1'
    expect(customerHash({ customerId, organizationId })).toBe(row('customer of `customer_1`'))
    const addressOf = (origin: typeof newer | typeof first, customerId: string | null) =>
      smartDepositAddress(origin, { ...inputs, customerId, organizationId })
    expect(addressOf(newer, null)).toBe(row('address without a customer'))
    expect(addressOf(newer, customerId)).toBe(row('address of `customer_1`'))
    expect(addressOf(first, null)).toBe(row('address of generation A without a customer'))
    expect(addressOf(first, customerId)).toBe(row('address of generation A of `customer_1`'))
  })
})

testVaultCharts(() => earn)
