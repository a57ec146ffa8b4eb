import fc from 'fast-check'
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { earnDeployments } from '../../domain/earn/vaults/deployments.ts'
import { registerSmartDepositAddress } from '../../domain/smartDeposit/registerSmartDepositAddress.ts'
import { customerHash } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { startTestApi } from '../support/api.ts'
import { arbitraryAddress, arbitraryCustomer } from '../support/arbitraryAddress.ts'
import { ask, testOrganization } from '../support/ask.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { newAddressesFrom } from '../support/newAddressesFrom.ts'
import { testPageLaws } from '../support/pageLaws.ts'
import { readerOf } from '../support/readerOf.ts'
import {
  factory,
  newKey,
  newOrganization,
  type RegistrationInput,
  smartDepositRegistrar,
} from '../support/smartDepositRegistrar.ts'
import { REFUSED_REGISTRATIONS } from './registrationCases.ts'

const { USDC, USDT } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const classic = vaultDeployment('Harbor Classic', 1)
const user = userAt(0).address

const input: RegistrationInput = {
  userDestinationAddress: user,
  vaultAddress: dollar.vault,
  inputToken: USDC,
  chainId: 1,
}

let earn: EarnWorld
let registrar: ReturnType<typeof smartDepositRegistrar>
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663, 11_155_111])
  registrar = smartDepositRegistrar(earn)
})
afterAll(() => earn?.stop())

describe('POST /v2/earn/smartDepositAddresses', () => {
  test('default: the address that the factory computes, checksummed, and what it accepts', async () => {
    const { answer } = await registrar.post({ ...input, customerId: 'customer_1' })
    expect(answer).toEqual({
      smartDepositAddress: getAddress(answer.smartDepositAddress),
      accepts: expect.arrayContaining([
        expect.objectContaining({ asset: getAddress(USDC), via: 'DIRECT' }),
      ]),
    })
    expect(answer.smartDepositAddress).toBe(await registrar.accountOf(input, 'customer_1'))
  })

  test('error: a caller that may only read gets a known address, and registers none', async () => {
    const { id: organizationId } = await testOrganization(earn.api.administrator.sql)
    const caller = readerOf(organizationId, ['smart-deposits'])
    const params = {
      userDestinationAddress: user.toLowerCase() as Address,
      vaultAddress: dollar.vault.toLowerCase() as Address,
      inputToken: USDC.toLowerCase() as Address,
      chainId: 1,
      customerId: 'of_a_viewer',
    }
    const scope = {
      requestId: 'test',
      clientAddress: '127.0.0.1',
      freshness: new Map(),
      degraded: new Set<number>(),
      lostChains: [],
    }
    const register = (changes: Caller['changes']) =>
      registerSmartDepositAddress(
        { ...earn.api.context, ...scope, caller: { ...caller, changes } },
        params,
      )
    await expect(register([])).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' })
    const made = await register(['smart-deposits'])
    expect(await register([])).toEqual(made)
  })

  test('behavior: rules 1 to 3, whatever the user and the customer: one address for the same, another for each customer', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryAddress,
        arbitraryCustomer,
        arbitraryCustomer,
        async (destination, a, b) => {
          fc.pre(a !== b)
          const bare = { ...input, userDestinationAddress: destination }
          const [plain, ofA, ofB, again] = await Promise.all([
            registrar.addressFor(bare),
            registrar.addressFor({ ...bare, customerId: a }),
            registrar.addressFor({ ...bare, customerId: b }),
            registrar.addressFor({ ...bare, customerId: a }),
          ])
          expect(again).toBe(ofA)
          expect(new Set([plain, ofA, ofB]).size).toBe(3)
          expect([plain, ofA]).toEqual([
            await registrar.accountOf(bare),
            await registrar.accountOf(bare, a),
          ])
        },
      ),
      { numRuns: 15 },
    )
  })

  test('behavior: neither the case nor the order of inputs matters', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryAddress,
        fc.shuffledSubarray(Object.keys(input) as (keyof RegistrationInput)[], { minLength: 4 }),
        fc.constantFrom('lower', 'upper', 'checksum'),
        async (destination, order, spelling) => {
          const whole: RegistrationInput = { ...input, userDestinationAddress: destination }
          const spelt = (value: unknown) => {
            if (typeof value !== 'string') return value
            if (spelling === 'lower') return value.toLowerCase()
            return spelling === 'upper' ? `0x${value.slice(2).toUpperCase()}` : value
          }
          const other = Object.fromEntries(order.map((name) => [name, spelt(whole[name])]))
          expect(await registrar.addressFor(other)).toBe(await registrar.addressFor(whole))
        },
      ),
      { numRuns: 15 },
    )
  })

  test('behavior: rule 4, whatever the customer is that is no id', async () => {
    const bad = fc.oneof(
      fc.string({ minLength: 1 }).filter((text) => !/^[a-zA-Z0-9_-]{1,256}$/.test(text)),
      fc.constantFrom('', 'a'.repeat(257), 'a\n', 'é', 1, true, null, ['a'], {}),
    )
    await fc.assert(
      fc.asyncProperty(bad, async (customerId) => {
        const refusal = [400, 'INVALID_FIELD', 'customerId']
        expect(await registrar.refusalOf({ ...input, customerId })).toEqual(refusal)
      }),
      { numRuns: 25 },
    )
  })

  test('behavior: the longest customer id has an address too', async () => {
    const id = 'x'.repeat(256)
    expect(await registrar.addressFor({ ...input, customerId: id })).toBe(
      await registrar.accountOf(input, id),
    )
  })

  test.each(REFUSED_REGISTRATIONS)('error: %s', async (_, change, refusal) => {
    expect(await registrar.refusalOf({ ...input, ...change })).toEqual(refusal)
  })

  test('error: another smart deposit address as user', async () => {
    const destination = await registrar.addressFor({ ...input, customerId: 'first' })
    const second = { ...input, userDestinationAddress: destination }
    expect(await registrar.refusalOf(second)).toEqual([
      400,
      'RECEIVER_CANNOT_USE',
      'userDestinationAddress',
    ])
  })

  test('error: nothing, and what is no object', async () => {
    const missing = ['chainId', 'inputToken', 'userDestinationAddress', 'vaultAddress']
    expect(await registrar.refusalOf({})).toEqual([400, 'INVALID_FIELD', ...missing])
    for (const body of [[], null, 'x', 1])
      expect(await registrar.refusalOf(body)).toEqual([400, 'INVALID_FIELD', 'body'])
  })

  test('error: a token that the vault takes no more; existing addresses stay', async () => {
    const body = { ...input, vaultAddress: classic.vault, inputToken: USDT }
    const before = await registrar.addressFor(body)
    const api = await startTestApi({ world: closedTo(USDT) })
    try {
      const key = await newKey(api, 'Later')
      const { answer } = await registrar.post(body, { key, at: api.url })
      expect(answer.error?.details.at(-1)?.reason).toBe('ASSET_NOT_DEPOSITABLE')
    } finally {
      await api.stop()
    }
    expect(await registrar.addressFor(body)).toBe(before)
  })

  test('behavior: a newer factory in the book: what was given out stays, for every organization', async () => {
    const body = { ...input, customerId: 'of the old factory'.replaceAll(' ', '-') }
    const shared = { ...input, userDestinationAddress: userAt(8).address }
    const before = await registrar.addressFor(body)
    const sharedBefore = await registrar.addressFor(shared)
    const { addressBook } = earn.api.context
    const [chain] = addressBook.chains
    if (!chain?.smartDeposit) throw new Error('the world has smart deposits')
    const old = chain.smartDeposit
    // A process reads its address book once, so this stands for the next start.
    chain.smartDeposit = { ...old, factory: `0x${'fa'.repeat(20)}` }
    try {
      expect(await registrar.addressFor(body)).toBe(before)
      expect(await registrar.registered('customerId = "of-the-old-factory"')).toEqual([before])
      const key = await newKey(earn.api, 'Late')
      expect(await registrar.addressFor(shared, { key })).toBe(sharedBefore)
      const other = await registrar.addressFor({ ...body, customerId: 'of-the-new-factory' })
      expect(other).not.toBe(await registrar.accountOf(input, 'of-the-new-factory'))
    } finally {
      chain.smartDeposit = old
    }
  })

  test('behavior: a book whose newer factory is of generation B: new addresses are the same on every chain', async () => {
    const { addressBook } = earn.api.context
    const [chain] = addressBook.chains
    const newer = chain?.smartDeposit
    const [old] = newer?.otherFactories ?? []
    if (!chain || !old || !newer) throw new Error('the world has both factories')
    newAddressesFrom(addressBook, 'A')
    const before = await registrar.addressFor({ ...input, customerId: 'of-generation-A' })
    newAddressesFrom(addressBook, 'B')
    try {
      const customerId = 'of-generation-B'
      const given = await registrar.addressFor({ ...input, customerId })
      const { id: organizationId } = await testOrganization(earn.api.administrator.sql)
      for (const chainId of [1, 4663, 11_155_111])
        expect(
          await worldClient(earn.world, chainId).readContract({
            address: newer.factory,
            abi: smartDepositFactoryBAbi,
            functionName: 'accountOf',
            args: [
              {
                destination: user,
                vault: dollar.vault,
                inputToken: USDC,
                chainId: 1n,
                customer: customerHash({ customerId, organizationId }),
              },
            ],
          }),
        ).toBe(given)
      expect(await registrar.addressFor({ ...input, customerId: 'of-generation-A' })).toBe(before)
      // A contract may be somebody else on another chain. An account with a delegation is not.
      const client = worldClient(earn.world, 1)
      const [contract, delegated] = [`0x${'c0de'.repeat(10)}`, `0x${'de1e'.repeat(10)}`] as const
      await client.setCode({ address: contract, bytecode: '0x6001' })
      await client.setCode({ address: delegated, bytecode: `0xef0100${'12'.repeat(20)}` })
      const ofContract = { ...input, userDestinationAddress: contract }
      expect(await registrar.addressFor(ofContract)).toBe(
        await registrar.formerAccountOf(ofContract),
      )
      const ofDelegated = { ...input, userDestinationAddress: delegated }
      expect(await registrar.addressFor(ofDelegated)).toBe(await registrar.accountOf(ofDelegated))
      chain.smartDeposit = { ...newer, otherFactories: [] }
      const other = { ...ofContract, customerId: 'of-a-contract' }
      const refusal = [400, 'INVALID_FIELD', 'userDestinationAddress']
      expect(await registrar.refusalOf(other)).toEqual(refusal)
      const rows = await earn.api.administrator.sql`
        select generation, factory from app.smart_deposit_address
        where address = any(${[before, given].map((one) => one.toLowerCase())}::text[])
        order by generation`
      expect([...rows]).toEqual([
        { generation: 'A', factory: old.factory },
        { generation: 'B', factory: newer.factory },
      ])
    } finally {
      chain.smartDeposit = newer
    }
  })

  test('error: a chain without a factory', async () => {
    const chain = earn.api.context.addressBook.chains.find(({ id }) => id === 11_155_111)
    const kept = chain?.smartDeposit
    if (!chain || !kept) throw new Error('the chain has a factory')
    delete chain.smartDeposit
    expect(await registrar.refusalOf({ ...input, chainId: 11_155_111 })).toEqual([
      400,
      'INVALID_FIELD',
      'chainId',
    ])
    chain.smartDeposit = kept
  })

  test('behavior: an address of a vault that was deprecated later stays valid', async () => {
    const before = await registrar.addressFor(input)
    const live = earnDeployments(earn.api.context.addressBook).find(
      ({ vault, chainId }) => chainId === 1 && vault === dollar.vault.toLowerCase(),
    )
    if (!live) throw new Error('the vault is served')
    live.inDeprecation = true
    try {
      expect(await registrar.addressFor(input)).toBe(before)
      const { answer } = await registrar.post(input, { key: await newKey(earn.api, 'Too late') })
      expect(answer.error?.details.at(-1)?.reason).toBe('VAULT_DEPRECATED')
    } finally {
      live.inDeprecation = false
    }
  })

  test("behavior: a customer is its organization's own: no other gets its address, whoever asks first", async () => {
    const body = { ...input, customerId: 'wanted-by-two' }
    const [thief, owner] = [
      await newOrganization(earn.api, 'Thief'),
      await newOrganization(earn.api, 'Owner'),
    ]
    for (const { key, organizationId } of [thief, owner]) {
      const address = await registrar.addressFor(body, { key })
      expect(address).toBe(await registrar.accountOf(input, body.customerId, organizationId))
      expect(await registrar.registered('', key)).toEqual([address])
      const { body: listed } = await registrar.list({}, key)
      expect(listed.smartDepositAddresses).toMatchObject([{ organizationId }])
    }
  })

  test('behavior: without a customer, organizations that ask at once get one address, each its own registration', async () => {
    const body = { ...input, userDestinationAddress: userAt(7).address }
    const names = ['one', 'two', 'three', 'four']
    const keys = await Promise.all(names.map((name) => newKey(earn.api, `At once ${name}`)))
    const addresses = await Promise.all(
      [...keys, ...keys].map((key) => registrar.addressFor(body, { key })),
    )
    expect(new Set(addresses).size).toBe(1)
    for (const key of keys)
      expect(await registrar.registered('', key)).toEqual(addresses.slice(0, 1))
  })

  test('behavior: over GraphQL too, by POST alone', async () => {
    const query = `mutation { registerSmartDepositAddress(userDestinationAddress: "${user}",
      vaultAddress: "${dollar.vault}", inputToken: "${USDC}", chainId: 1, customerId: "graphql")
      { smartDepositAddress } }`
    const sent = await ask(`${earn.api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const smartDepositAddress = await registrar.accountOf(input, 'graphql')
    expect(await sent.json()).toMatchObject({
      data: { registerSmartDepositAddress: { smartDepositAddress } },
    })
    for (const path of ['/graphql', '/graphql/stream']) {
      const asked = query.replace('graphql', 'by-get')
      const response = await ask(`${earn.api.url}${path}?query=${encodeURIComponent(asked)}`, {
        headers: { 'apollo-require-preflight': '1' },
      })
      expect(response.status).toBe(400)
    }
    expect(await registrar.registered('customerId = "by-get"')).toEqual([])
    expect(await registrar.registered('customerId = "graphql"')).toEqual([smartDepositAddress])
  })
})

/** The world's address book, with another asset closed for deposits. */
function closedTo(token: Address) {
  const addressBook = structuredClone(earn.world.addressBook)
  for (const { deployments } of addressBook.vaults)
    for (const deployment of deployments)
      deployment.assets = deployment.assets.filter(({ address }) => address !== token.toLowerCase())
  return { ...earn.world, addressBook }
}

describe('GET /v2/earn/smartDepositAddresses', () => {
  test("default: the inputs of each address, of the caller's organization only", async () => {
    const key = await newKey(earn.api, 'Lister')
    expect(await registrar.registered('', key)).toEqual([])
    const address = await registrar.addressFor({ ...input, customerId: 'lister' }, { key })
    const bare = await registrar.addressFor(input, { key })
    const { body } = await registrar.list({}, key)
    expect(body.smartDepositAddresses).toMatchObject([
      { smartDepositAddress: bare },
      { ...input, smartDepositAddress: address, customerId: 'lister', factoryAddress: factory },
    ])
    for (const name of ['customerId', 'organizationId'])
      expect(body.smartDepositAddresses[0]).not.toHaveProperty(name)
  })

  test('behavior: every filter key', async () => {
    const key = await newKey(earn.api, 'Filterer')
    const other = userAt(1).address
    const mine = await registrar.addressFor({ ...input, customerId: 'mine' }, { key })
    const body = { ...input, userDestinationAddress: other, vaultAddress: classic.vault }
    const theirs = await registrar.addressFor({ ...body, inputToken: USDT }, { key })
    for (const [filter, expected] of [
      [`smartDepositAddress = ${mine.toLowerCase()}`, [mine]],
      [`userAddress = ${other}`, [theirs]],
      [`vaultAddress = ${dollar.vault}`, [mine]],
      [`inputToken = ${USDT}`, [theirs]],
      ['customerId = mine', [mine]],
      ['customerId != mine', [theirs]],
      ['chainId = 1', [theirs, mine]],
      ['chainId = 1 AND (customerId = mine OR customerId = x)', [mine]],
      ['chainId = 8453', []],
    ] as const)
      expect([filter, await registrar.registered(filter, key)]).toEqual([filter, expected])
  })

  describe('pages', () => {
    let key: string
    let otherKey: string
    let rows: { at: number; address: Address }[] = []
    /** Registers an address at this millisecond; several share one. */
    const add = async (at: number) => {
      const address = await registrar.addressFor(
        { ...input, customerId: `page-${rows.length}` },
        { key },
      )
      await earn.api.context.sql`
        update app.smart_deposit_registration r set created_at = ${new Date(at)}
        from app.organization o
        where o.id = r.organization_id and o.name = 'Pager' and address = ${address.toLowerCase()}`
      rows = [...rows, { at, address }]
    }
    const newestFirst = () =>
      [...rows]
        .sort((a, b) => b.at - a.at || (a.address.toLowerCase() < b.address.toLowerCase() ? 1 : -1))
        .map(({ address }) => address)
    const START = 1_700_000_000_000
    beforeAll(async () => {
      key = await newKey(earn.api, 'Pager')
      otherKey = await newKey(earn.api, 'Other pager')
      for (const customerId of ['a', 'b'])
        await registrar.addressFor({ ...input, customerId }, { key: otherKey })
      for (let index = 0; index < 16; index += 1) await add(START + (index >> 1))
    })

    const fetcher =
      (filter: string, of = () => key) =>
      async (page: { pageSize: number; pageToken?: string }) => {
        const query = { filter, pageSize: String(page.pageSize) }
        const token = page.pageToken === undefined ? {} : { pageToken: page.pageToken }
        const { status, body } = await registrar.list({ ...query, ...token }, of())
        return {
          status,
          reason: body.error?.details.at(-1)?.reason ?? null,
          keys: (body.smartDepositAddresses ?? []).map((one) => one.smartDepositAddress),
          nextPageToken: body.nextPageToken ?? null,
        }
      }

    testPageLaws(() => ({
      fetch: fetcher('chainId = 1'),
      matching: newestFirst,
      insert: async () => {
        for (const at of [START - rows.length, START + 3, START + rows.length]) await add(at)
      },
      others: {
        filter: fetcher('chainId != 2'),
        organization: fetcher('chainId = 1', () => otherKey),
      },
    }))
  })
})
