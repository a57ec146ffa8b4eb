import { type Address, erc20Abi, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf, testOrganization } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { newAddressesFrom } from '../support/newAddressesFrom.ts'
import { sdkWallets } from '../support/sdkWallets.ts'

const CHAINS = [1, 4663]
const { USDC, USDG } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 1)
const [user, payer] = [userAt(4), userAt(0)]
const AMOUNT = 5_000_000n
const HOUR = 3_600
const WINDOW = 3 * 24 * HOUR
const INPUTS = { chainId: 1, vaultAddress: dollar.vault, inputToken: USDC }

type Answer = {
  state: string
  amount: string
  opensAt?: string
  transaction?: { to: Address; data: Hex; value: string }
}

describe('GET /v2/earn/smartDeposits/withdrawal', () => {
  let earn: EarnWorld
  let world: World
  let organizationId: string
  let customers = 0

  beforeAll(async () => {
    earn = await startEarnWorld(CHAINS)
    ;({ world } = earn)
    newAddressesFrom(earn.api.context.addressBook, 'B')
    organizationId = (await testOrganization(earn.api.administrator.sql)).id
  })
  afterAll(() => earn?.stop())

  const causeway = () =>
    createCausewayClient({
      url: earn.api.url,
      apiKey: keyOf(earn.api.url) ?? '',
      shield: 'trust-server',
    })

  async function newAddress() {
    customers += 1
    const customerId = `w${customers}`
    const address = await causeway().smartDeposits.register({
      ...INPUTS,
      userDestinationAddress: user.address,
      customerId,
    })
    return { address, inputs: { ...INPUTS, customerId, organizationId } }
  }

  async function pay(chainId: number, token: Address, to: Address) {
    const client = worldClient(world, chainId)
    const hash = await client.writeContract({
      account: payer,
      address: token,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [to, AMOUNT],
      chain: null,
    })
    await client.waitForTransactionReceipt({ hash })
  }

  const balance = (chainId: number, token: Address, account: Address) =>
    worldClient(world, chainId).readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    })

  async function wait(chainId: number, seconds: number) {
    const client = worldClient(world, chainId)
    await client.increaseTime({ seconds })
    await client.mine({ blocks: 1 })
  }

  async function ask(smartDepositAddress: Address, chainId: number, token: Address) {
    const query = new URLSearchParams({ smartDepositAddress, chainId: String(chainId), token })
    const answer = await getJson<Answer>(
      `${earn.api.url}/v2/earn/smartDeposits/withdrawal?${query}`,
    )
    expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
    return answer
  }

  test('default: the user requests, waits, and takes back what lies on another chain than the vault', async () => {
    const chainId = 4663
    const { address, inputs } = await newAddress()
    await pay(chainId, USDG, address)
    const words = { smartDepositAddress: address, chainId, token: USDG, inputs }
    const take = () =>
      causeway().smartDeposits.takeBack({ ...sdkWallets(world, user, chainId), ...words })
    const before = await balance(chainId, USDG, user.address)

    const first = await ask(address, chainId, USDG)
    expect(first.body).toMatchObject({ state: 'NOT_REQUESTED', amount: String(AMOUNT) })
    expect(first.body).not.toHaveProperty('opensAt')
    expect(await take()).toMatchObject({ withdrawal: { state: 'NOT_REQUESTED' } })

    const waiting = await take()
    expect(waiting).toMatchObject({
      withdrawal: { state: 'WAITING', delaySeconds: HOUR },
      sent: null,
    })
    await wait(chainId, HOUR)
    expect((await ask(address, chainId, USDG)).body).toMatchObject({ state: 'OPEN' })
    expect(await take()).toMatchObject({ withdrawal: { state: 'OPEN', amount: AMOUNT } })
    expect((await balance(chainId, USDG, user.address)) - before).toBe(AMOUNT)
    // Nothing lies there any more.
    expect(await take()).toMatchObject({ withdrawal: { amount: 0n }, sent: null })
  })

  test('behavior: coins, and a window that was missed', async () => {
    const { address, inputs } = await newAddress()
    const client = worldClient(world, 1)
    const paid = await client.sendTransaction({ account: payer, to: address, value: 10n ** 18n })
    await client.waitForTransactionReceipt({ hash: paid })
    const words = { smartDepositAddress: address, chainId: 1, token: zeroAddress, inputs }
    const take = () => causeway().smartDeposits.takeBack({ ...sdkWallets(world, user), ...words })
    await take()
    await wait(1, HOUR + WINDOW)
    const { body } = await ask(address, 1, zeroAddress)
    expect(body).toMatchObject({ state: 'MISSED', amount: String(10n ** 18n) })
    expect(await take()).toMatchObject({ withdrawal: { state: 'MISSED' } })
    await wait(1, HOUR)
    expect(await take()).toMatchObject({ withdrawal: { state: 'OPEN' } })
    expect(await client.getBalance({ address })).toBe(0n)
  })

  test('error: another organization, an old address, a token or a chain that is none', async () => {
    const { address } = await newAddress()
    const { smartDeposit } = earn.api.context.addressBook.chains[0] ?? {}
    const fieldsOf = async (...given: Parameters<typeof ask>) => {
      const { status, body } = await ask(...given)
      // The type of the body is that of a success.
      const { error } = body as unknown as {
        error: {
          details: { metadata?: Record<string, string>; fieldViolations?: { field: string }[] }[]
        }
      }
      return [
        status,
        error.details.flatMap(({ fieldViolations = [] }) =>
          fieldViolations.map(({ field }) => field),
        ),
      ]
    }
    const { administrator } = earn.api
    const theirs = await newAddress()
    const { id: others } = await createOrganization(administrator, 'others')
    await administrator.sql`
      update app.smart_deposit_registration set organization_id = ${others}
      where address = ${theirs.address.toLowerCase()}`
    expect(await fieldsOf(theirs.address, 1, USDC)).toEqual([400, ['smartDepositAddress']])
    expect(await fieldsOf(address, 1, payer.address)).toEqual([400, ['token']])
    expect((await ask(address, 77, USDC)).reason).toBe('CHAIN_NOT_FOUND')
    const other = earn.api.context.addressBook.chains.find(({ id }) => id === 4663)
    const kept = other?.smartDeposit
    if (!other || !kept) throw new Error('the chain has factories')
    other.smartDeposit = { ...kept, factory: payer.address, otherFactories: [] }
    expect(await fieldsOf(address, 4663, USDG)).toEqual([400, ['chainId']])
    other.smartDeposit = kept
    const [old] = smartDeposit?.otherFactories ?? []
    await earn.api.administrator.sql`
      update app.smart_deposit_address set generation = 'A', factory = ${old?.factory ?? ''}
      where address = ${address.toLowerCase()}`
    expect(await fieldsOf(address, 1, USDC)).toEqual([400, ['smartDepositAddress']])
  })
})
