import type { Sql } from 'postgres'

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
