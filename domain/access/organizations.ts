import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import type { RateLimitTier } from './rateLimitTier.ts'

export type Organization = { id: string; name: string; createdAt: Date }

export class OrganizationError extends Error {
  override name = 'OrganizationError'
}

/** A new organization with default settings. Throws `OrganizationError` when the name is taken or bad. */
export async function createOrganization(sql: Sql, name: string): Promise<Organization> {
  if (name.length < 1 || name.length > 100)
    throw new OrganizationError('A name has 1 to 100 characters')
  const [created] = await sql<Organization[]>`
    insert into app.organization (name) values (${name})
    on conflict (name) do nothing
    returning id, name, created_at as "createdAt"`
  if (!created) throw new OrganizationError(`There is an organization "${name}" already`)
  return created
}

/** All organizations, by name. */
export function listOrganizations(sql: Sql): Promise<Organization[]> {
  return sql<Organization[]>`
    select id, name, created_at as "createdAt" from app.organization order by name`
}

/** By name or id. Throws `OrganizationError` when there is none. */
export async function getOrganization(sql: Sql, nameOrId: string): Promise<Organization> {
  const [found] = await sql<Organization[]>`
    select id, name, created_at as "createdAt" from app.organization
    where name = ${nameOrId} or id::text = ${nameOrId.toLowerCase()}
    order by name = ${nameOrId} desc limit 1`
  if (!found) throw new OrganizationError(`There is no organization "${nameOrId}"`)
  return found
}

/** What an organization decides about what its callers prepare; what is left out stays. */
export type OrganizationSettings = {
  /** 32 bytes; null for none. */
  defaultDistributorCode?: Hex | null | undefined
  /** What of a deposit's shares may be lost until it is mined. */
  slippageBps?: number | undefined
  /** Whether withdrawal orders are settled with their submission, where the chain lets the account. */
  settleOnSubmit?: boolean | undefined
  /** How much its keys may ask per minute. */
  rateLimitTier?: RateLimitTier | undefined
}

/** Changes an organization's settings; its keys follow within 5 s. Throws `OrganizationError`. */
export async function setOrganization(
  sql: Sql,
  nameOrId: string,
  settings: OrganizationSettings,
): Promise<void> {
  const { defaultDistributorCode: code, slippageBps, settleOnSubmit, rateLimitTier } = settings
  if (code && !/^0x[0-9a-f]{64}$/.test(code))
    throw new OrganizationError('A distributor code is 0x and 64 lower-case hex digits')
  if (slippageBps !== undefined && !(slippageBps >= 0 && slippageBps <= 10_000))
    throw new OrganizationError('A slippage is 0 to 10000 basis points')
  const { id } = await getOrganization(sql, nameOrId)
  await sql`
    update app.organization set
      default_distributor_code =
        case when ${code !== undefined} then ${code ?? null} else default_distributor_code end,
      slippage_bps = coalesce(${slippageBps ?? null}, slippage_bps),
      settle_on_submit = coalesce(${settleOnSubmit ?? null}, settle_on_submit),
      rate_limit_tier = coalesce(${rateLimitTier ?? null}, rate_limit_tier)
    where id = ${id}`
}
