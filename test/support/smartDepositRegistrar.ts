import { type Address, zeroAddress, zeroHash } from 'viem'
import { expect } from 'vitest'
import { smartDepositFactoryAbi, smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import { smartDepositsOf, VAULT_CHAINS } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { customerHash } from '../../domain/smartDeposit/smartDepositAddress.ts'
import type { TestApi } from './api.ts'
import { ask, testOrganization } from './ask.ts'
import { undescribed } from './describedAnswer.ts'
import type { EarnWorld } from './earnWorld.ts'
import type { ErrorBody } from './refusal.ts'

const PATH = '/v2/earn/smartDepositAddresses'
/** The factory of chain 1 that gives new addresses, and the one before it, of generation A. */
export const { factory, implementation } = smartDepositsOf(1).smartDeposit
const former = VAULT_CHAINS.find(({ chainId }) => chainId === 1)?.smartDeposit

export type RegistrationInput = {
  userDestinationAddress: string
  vaultAddress: string
  inputToken: string
  chainId: unknown
  customerId?: unknown
}
type Registered = Partial<ErrorBody> & { smartDepositAddress: Address; accepts?: unknown[] }
type Listed = { smartDepositAddress: Address } & Record<string, unknown>
type Page = Partial<ErrorBody> & {
  smartDepositAddresses: Listed[]
  nextPageToken: string | null
  tokenMetadata: Record<string, unknown>
}
/** The key and the API, if not the tests' default. */
type Asking = { key?: string; at?: string }

/** The key of a new organization, for its smart deposits. */
export async function newKey(api: TestApi, name: string): Promise<string> {
  return (await newOrganization(api, name)).key
}

/** A new organization with a key for its smart deposits. */
export async function newOrganization(api: TestApi, name: string) {
  const { id: organizationId } = await createOrganization(api.administrator, name)
  const permissions = ['smart-deposits'] as const
  const { key } = await createKey(api.administrator, { organizationId, permissions })
  return { organizationId, key }
}

/** Registers and lists addresses as a client of an API. */
export function smartDepositRegistrar({ world, api }: EarnWorld) {
  async function post(body: unknown, { key, at = api.url }: Asking = {}) {
    const response = await ask(`${at}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}) },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Registered
    expect(undescribed(`${at}${PATH}`, response.status, answer, 'post')).toEqual([])
    return { status: response.status, answer }
  }

  async function list(query: Record<string, string>, key?: string) {
    const target = `${api.url}${PATH}?${new URLSearchParams(query)}`
    const response = await ask(target, { headers: key ? { 'x-api-key': key } : {} })
    const body = (await response.json()) as Page
    expect(undescribed(target, response.status, body)).toEqual([])
    return { status: response.status, body }
  }

  return {
    post,
    list,
    async addressFor(body: unknown, asking: Asking = {}) {
      const { status, answer } = await post(body, asking)
      expect([status, answer.error?.message]).toEqual([200, undefined])
      return answer.smartDepositAddress
    },
    /** Status, reason and fields of a refusal. */
    async refusalOf(body: unknown) {
      const { status, answer } = await post(body)
      const details = answer.error?.details ?? []
      const violations = details.flatMap(({ fieldViolations }) => fieldViolations)
      return [status, details.at(-1)?.reason, ...violations.map(({ field }) => field).sort()]
    },
    /** The addresses that a filter finds, the newest first. */
    async registered(filter: string, key?: string): Promise<Address[]> {
      const { body } = await list({ filter, pageSize: '100' }, key)
      return body.smartDepositAddresses.map(({ smartDepositAddress }) => smartDepositAddress)
    },
    /** The address that the factory computes; for a customer of the default key's organization. */
    async accountOf(
      input: RegistrationInput,
      customerId: string | null = null,
      organization?: string,
    ): Promise<Address> {
      const { id } = await testOrganization(api.administrator.sql)
      const organizationId = organization ?? id
      const customer = customerHash({ customerId, organizationId })
      return worldClient(world, 1).readContract({
        address: factory as Address,
        abi: smartDepositFactoryBAbi,
        functionName: 'accountOf',
        args: [{ ...inputsOf(input), chainId: 1n, customer }],
      })
    },
    /** The same of the former factory, without a customer. */
    formerAccountOf: (input: RegistrationInput): Promise<Address> =>
      worldClient(world, 1).readContract({
        address: former?.factory ?? zeroAddress,
        abi: smartDepositFactoryAbi,
        functionName: 'accountOf',
        args: [{ ...inputsOf(input), customer: zeroHash }],
      }),
  }
}

function inputsOf({ userDestinationAddress, vaultAddress, inputToken }: RegistrationInput) {
  return {
    destination: userDestinationAddress as Address,
    vault: vaultAddress as Address,
    inputToken: inputToken as Address,
  }
}
