import type { ISql, Sql } from 'postgres'
import type { Hex } from 'viem'
import { AccessError } from './accessError.ts'
import { type Administrator, audited } from './audit.ts'
import { RATE_LIMIT_TIERS, type RateLimitTier } from './rateLimitTier.ts'

export type Organization = {
  id: string
  name: string
  createdAt: Date
  /** 1 to 32 bytes, as depositors take it (Transit: `stationCode`); null for none. */
  defaultDistributorCode: Hex | null
  /** The limit for shares lost between the preparation and the mining of a deposit. */
  slippageBps: number
  /** Whether withdrawal requests are settled with their submission, if the chain allows the account to. */
  settleOnSubmit: boolean
  rateLimitTier: RateLimitTier
}

/** Settings of an organization; absent ones do not change. */
export type OrganizationSettings = {
  [Setting in keyof Omit<Organization, 'id' | 'name' | 'createdAt'>]?:
    | Organization[Setting]
    | undefined
}

const columns = (sql: ISql) => sql`
  id, name, created_at as "createdAt", default_distributor_code as "defaultDistributorCode",
  slippage_bps as "slippageBps", settle_on_submit as "settleOnSubmit",
  rate_limit_tier as "rateLimitTier"`

/** A new organization with default settings. Throws `AccessError` if the name is taken or malformed. */
export async function createOrganization(
  administrator: Administrator,
  name: string,
): Promise<Organization> {
  if (name.length < 1 || name.length > 100) throw new AccessError('A name has 1 to 100 characters')
  return audited(administrator, async (transaction) => {
    const [created] = await transaction<Organization[]>`
      insert into app.organization (name) values (${name})
      on conflict (name) do nothing returning ${columns(transaction)}`
    if (!created) throw new AccessError(`There is an organization "${name}" already`)
    const entry = { action: 'organization.create', subject: created.id, details: { name } } as const
    return { result: created, entry }
  })
}

/** All organizations, by name. */
export function listOrganizations(sql: Sql): Promise<Organization[]> {
  return sql<Organization[]>`select ${columns(sql)} from app.organization order by name`
}

/** An organization by name or id; null for an unknown one. */
export async function findOrganization(sql: ISql, nameOrId: string): Promise<Organization | null> {
  const [found] = await sql<Organization[]>`
    select ${columns(sql)} from app.organization
    where name = ${nameOrId} or id::text = ${nameOrId.toLowerCase()}
    order by name = ${nameOrId} desc limit 1`
  return found ?? null
}

/** Like `findOrganization`. Throws `AccessError` for an unknown one. */
export async function getOrganization(sql: ISql, nameOrId: string): Promise<Organization> {
  const found = await findOrganization(sql, nameOrId)
  if (!found) throw new AccessError(`There is no organization "${nameOrId}"`)
  return found
}

/** Changes an organization's settings; they apply to its keys within 5 s. Throws `AccessError`. */
export async function setOrganization(
  administrator: Administrator,
  nameOrId: string,
  settings: OrganizationSettings,
): Promise<Organization> {
  refuseBadSettings(settings)
  const { defaultDistributorCode: code, slippageBps, settleOnSubmit, rateLimitTier } = settings
  return audited(administrator, async (transaction) => {
    const { id } = await getOrganization(transaction, nameOrId)
    const [changed] = await transaction<Organization[]>`
      update app.organization set
        default_distributor_code =
          case when ${code !== undefined} then ${code ?? null} else default_distributor_code end,
        slippage_bps = coalesce(${slippageBps ?? null}, slippage_bps),
        settle_on_submit = coalesce(${settleOnSubmit ?? null}, settle_on_submit),
        rate_limit_tier = coalesce(${rateLimitTier ?? null}, rate_limit_tier)
      where id = ${id} returning ${columns(transaction)}`
    if (!changed) throw new AccessError(`There is no organization "${nameOrId}"`)
    return {
      result: changed,
      entry: { action: 'organization.set', subject: id, details: settings },
    }
  })
}

function refuseBadSettings(settings: OrganizationSettings) {
  const { defaultDistributorCode: code, slippageBps, rateLimitTier } = settings
  if (code && !/^0x([0-9a-f]{2}){1,32}$/.test(code))
    throw new AccessError('A distributor code is 0x and 1 to 32 bytes in lower-case hex')
  if (slippageBps !== undefined && !(slippageBps >= 0 && slippageBps <= 10_000))
    throw new AccessError('A slippage is 0 to 10000 basis points')
  if (rateLimitTier && !RATE_LIMIT_TIERS.includes(rateLimitTier))
    throw new AccessError(`A rate-limit tier is one of ${RATE_LIMIT_TIERS.join(', ')}`)
}
