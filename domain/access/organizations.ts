import type { ISql, Sql } from 'postgres'
import type { Hex } from 'viem'
import { type FieldViolation, invalidFields, ServiceError } from '../error/serviceError.ts'
import { RATE_LIMIT_TIERS, type RateLimitTier } from '../limits/rateLimits.ts'
import { type Administrator, audited } from './audit.ts'
import { isUuid } from './isUuid.ts'
import { isPlainText } from './oneLine.ts'

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
  /** Whether members need a second factor of their account to speak for it. */
  requiresSecondFactor: boolean
  rateLimitTier: RateLimitTier
}

/** The name and the settings of an organization; absent ones do not change. */
export type OrganizationSettings = {
  [Setting in keyof Omit<Organization, 'id' | 'createdAt'>]?: Organization[Setting] | undefined
}

/** The columns of `Organization`, of `app.organization o`. */
export const organizationColumns = (sql: ISql) => sql`
  o.id, o.name, o.created_at as "createdAt", o.default_distributor_code as "defaultDistributorCode",
  o.slippage_bps as "slippageBps", o.settle_on_submit as "settleOnSubmit",
  o.requires_second_factor as "requiresSecondFactor", o.rate_limit_tier as "rateLimitTier"`

/** A new organization with default settings. Throws `INVALID_FIELD` or `ORGANIZATION_NAME_TAKEN`. */
export async function createOrganization(
  administrator: Administrator,
  name: string,
): Promise<Organization> {
  refuseBadSettings({ name })
  return audited(administrator, async (transaction) => {
    const [created] = await transaction<Organization[]>`
      insert into app.organization as o (name) values (${name})
      on conflict (name) do nothing returning ${organizationColumns(transaction)}`
    if (!created) throw nameTaken(name)
    const { id } = created
    return {
      result: created,
      entry: { action: 'organization.create', subject: id, organizationId: id, details: { name } },
    }
  })
}

/** All organizations, by name. */
export function listOrganizations(sql: Sql): Promise<Organization[]> {
  return sql<Organization[]>`
    select ${organizationColumns(sql)} from app.organization o order by o.name`
}

/** An organization by name or id; null for an unknown one. */
export async function findOrganization(sql: ISql, nameOrId: string): Promise<Organization | null> {
  const [found] = await sql<Organization[]>`
    select ${organizationColumns(sql)} from app.organization o
    where o.name = ${nameOrId} or o.id::text = ${nameOrId.toLowerCase()}
    order by o.name = ${nameOrId} desc limit 1`
  return found ?? null
}

/** Like `findOrganization`. Throws `ORGANIZATION_NOT_FOUND` for an unknown one. */
export async function getOrganization(sql: ISql, nameOrId: string): Promise<Organization> {
  const found = await findOrganization(sql, nameOrId)
  if (!found) throw noOrganization(nameOrId)
  return found
}

/** Throws `ORGANIZATION_NOT_FOUND` for an id of no organization. */
export async function requireOrganization(sql: ISql, id: string): Promise<void> {
  const found = isUuid(id) ? await sql`select 1 from app.organization where id = ${id}` : []
  if (found.length === 0) throw noOrganization(id)
}

/**
 * Changes an organization's name and settings; they apply to its keys within 5 s. Throws `INVALID_FIELD`,
 * `ORGANIZATION_NAME_TAKEN` or `ORGANIZATION_NOT_FOUND`.
 */
export async function setOrganization(
  administrator: Administrator,
  id: string,
  settings: OrganizationSettings,
): Promise<Organization> {
  refuseBadSettings(settings)
  await requireOrganization(administrator.sql, id)
  const {
    name,
    defaultDistributorCode: code,
    slippageBps,
    settleOnSubmit,
    requiresSecondFactor,
    rateLimitTier,
  } = settings
  return audited(administrator, async (transaction) => {
    const [changed] = await transaction<Organization[]>`
      update app.organization o set
        name = coalesce(${name ?? null}, name),
        default_distributor_code =
          case when ${code !== undefined} then ${code ?? null} else default_distributor_code end,
        slippage_bps = coalesce(${slippageBps ?? null}, slippage_bps),
        settle_on_submit = coalesce(${settleOnSubmit ?? null}, settle_on_submit),
        requires_second_factor = coalesce(${requiresSecondFactor ?? null}, requires_second_factor),
        rate_limit_tier = coalesce(${rateLimitTier ?? null}, rate_limit_tier)
      where o.id = ${id} returning ${organizationColumns(transaction)}`.catch((error) => {
      throw isUniqueViolation(error) ? nameTaken(name ?? '') : error
    })
    if (!changed) throw noOrganization(id)
    return {
      result: changed,
      entry: { action: 'organization.set', subject: id, organizationId: id, details: settings },
    }
  })
}

function refuseBadSettings(settings: OrganizationSettings) {
  const { name, defaultDistributorCode: code, slippageBps, rateLimitTier } = settings
  const violations: FieldViolation[] = []
  const refuse = (field: string, description: string) => violations.push({ field, description })
  if (name !== undefined && (name.trim() === '' || !/^.{1,100}$/u.test(name) || !isPlainText(name)))
    refuse('name', 'expected 1 to 100 characters in one line')
  if (code && !/^0x([0-9a-f]{2}){1,32}$/.test(code))
    refuse('defaultDistributorCode', 'expected 0x and 1 to 32 bytes in lower-case hex')
  if (slippageBps !== undefined && !(slippageBps >= 0 && slippageBps <= 10_000))
    refuse('slippageBps', 'expected 0 to 10000 basis points')
  if (rateLimitTier && !RATE_LIMIT_TIERS.includes(rateLimitTier))
    refuse('rateLimitTier', `expected one of ${RATE_LIMIT_TIERS.join(', ')}`)
  if (violations.length > 0) throw invalidFields(violations)
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

function nameTaken(name: string): ServiceError {
  return new ServiceError(
    'ORGANIZATION_NAME_TAKEN',
    `There is an organization ${JSON.stringify(name)} already`,
  )
}

function noOrganization(nameOrId: string): ServiceError {
  return new ServiceError(
    'ORGANIZATION_NOT_FOUND',
    `There is no organization ${JSON.stringify(nameOrId.slice(0, 100))}`,
  )
}
