import { type Command, InvalidArgumentError } from 'commander'
import type { ApiKey } from '../../domain/access/apiKey.ts'
import { createKey, listKeys, renameKey, revokeKey, rotateKey } from '../../domain/access/keys.ts'
import { getOrganization } from '../../domain/access/organizations.ts'
import { KEY_PERMISSIONS, type Permission } from '../../domain/access/permissions.ts'
import { formatTable } from '../formatTable.ts'
import type { Run } from './command.ts'
import { parseDuration, parseExpiry } from './times.ts'

type CreateOptions = {
  organization: string
  name?: string
  permission?: Permission[]
  expires?: Date
}

const EXPIRES =
  'expiry: a duration such as 90d, 12h, 30m or 20s, or a time such as 2027-01-31T00:00:00Z'
const ONCE = 'Store it now: it is not shown again.'

/** `keys create|list|revoke|rotate` */
export function addKeyCommands(program: Command, run: Run): void {
  const keys = program
    .command('keys')
    .description('API keys, which callers send in the header x-api-key')
  keys
    .command('create')
    .description('create a key and show it once')
    .requiredOption('--organization <name|id>', 'the organization of the key')
    .option('--name <name>', 'the purpose of the key')
    .option(
      '--permission <permission>',
      `a permission: ${KEY_PERMISSIONS.join(', ')}; repeat the option, or separate with commas`,
      parsePermissions,
    )
    .option('--expires <when>', `${EXPIRES}; default: never`, parseExpiry)
    .action(({ organization, name, permission, expires }: CreateOptions) =>
      run(async (administrator) => {
        const { id } = await getOrganization(administrator.sql, organization)
        const created = await createKey(administrator, {
          organizationId: id,
          name,
          permissions: permission,
          expiresAt: expires,
        })
        const permissions =
          created.permissions.join(', ') || 'none: only Transit, which needs no permission'
        return { json: created, text: `${created.key}\nPermissions: ${permissions}\n${ONCE}` }
      }),
    )
  keys
    .command('list')
    .description('list keys, without their secrets')
    .option('--organization <name|id>', 'only keys of this organization')
    .action(({ organization }: { organization?: string }) =>
      run(async ({ sql }) => {
        const id = organization ? (await getOrganization(sql, organization)).id : null
        const keys = await listKeys(sql, id)
        return {
          json: keys,
          text: formatTable(keys.map(shownKey), 'There are no keys yet'),
        }
      }),
    )
  keys
    .command('rename <publicId> <name>')
    .description('give a key another name')
    .action((publicId: string, name: string) =>
      run(async (administrator) => {
        await renameKey(administrator, publicId, name)
        return { json: { publicId, name }, text: `Renamed ${publicId}` }
      }),
    )
  keys
    .command('revoke <publicId>')
    .description('revoke a key for ever, within 5 seconds')
    .action((publicId: string) =>
      run(async (administrator) => {
        await revokeKey(administrator, publicId)
        return { json: { publicId, isRevoked: true }, text: `Revoked ${publicId}` }
      }),
    )
  keys
    .command('rotate <publicId>')
    .description('create a key with the same permissions, show it once, and end the old key')
    .option(
      '--overlap <duration>',
      'how long the old key continues to work: 7d, 12h; default: 5 s',
      parseDuration,
    )
    .option('--expires <when>', `the new key's ${EXPIRES}; default: the old key's`, parseExpiry)
    .action((publicId: string, { overlap, expires }: { overlap?: number; expires?: Date }) =>
      run(async (administrator) => {
        const rotated = await rotateKey(administrator, publicId, {
          overlapSeconds: overlap,
          expiresAt: expires,
        })
        const end = rotated.replaced.expiresAt.toISOString()
        return { json: rotated, text: `${rotated.key}\n${ONCE} ${publicId} ends at ${end}.` }
      }),
    )
}

/** The columns of the table; `--json` has all. */
function shownKey({ organization, publicId, name, permissions, status, ...key }: ApiKey) {
  const { createdAt, createdBy, expiresAt, lastUsedAt, rotatedTo } = key
  return {
    publicId,
    organization,
    name,
    permissions,
    status,
    createdAt,
    createdBy,
    expiresAt,
    lastUsedAt,
    rotatedTo,
  }
}

function parsePermissions(text: string, before: Permission[] = []): Permission[] {
  const named = text.split(',').map((part) => part.trim())
  const unknown = named.filter((name) => !KEY_PERMISSIONS.some((permission) => permission === name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `API keys have no permission ${JSON.stringify(unknown[0])}; there are ${KEY_PERMISSIONS.join(', ')}`,
    )
  return [...before, ...(named as Permission[])] // None is unknown, as checked above.
}
