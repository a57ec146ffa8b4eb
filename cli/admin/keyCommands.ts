import { type Command, InvalidArgumentError } from 'commander'
import { createKey, listKeys, revokeKey, rotateKey } from '../../domain/access/keys.ts'
import { getOrganization } from '../../domain/access/organizations.ts'
import { PERMISSIONS, type Permission } from '../../domain/access/permissions.ts'
import { listed, type Run } from './command.ts'
import { parseDuration, parseExpiry } from './times.ts'

type CreateOptions = {
  organization: string
  name?: string
  permission?: Permission[]
  expires?: Date
}

const EXPIRES = 'when it ends: after 90d, 12h, 30m or 20s, or at 2027-01-31T00:00:00Z'
const ONCE = 'Keep it now: it is not shown again.'

/** `keys create|list|revoke|rotate` */
export function addKeyCommands(program: Command, run: Run): void {
  const keys = program.command('keys').description('what callers send as x-api-key')
  keys
    .command('create')
    .description('make a key and show it, this once')
    .requiredOption('--organization <name|id>', 'whose key it is')
    .option('--name <name>', 'what it is for')
    .option(
      '--permission <permission>',
      `what it may do: ${PERMISSIONS.join(', ')}; once for each, or with commas`,
      parsePermissions,
    )
    .option('--expires <when>', `${EXPIRES}; without it, when it is revoked`, parseExpiry)
    .action(({ organization, name, permission, expires }: CreateOptions) =>
      run(async (administrator) => {
        const { id } = await getOrganization(administrator.sql, organization)
        const created = await createKey(administrator, {
          organizationId: id,
          name,
          permissions: permission,
          expiresAt: expires,
        })
        const may = created.permissions.join(', ') || 'what needs no permission only: Transit'
        return { json: created, text: `${created.key}\nIt may: ${may}\n${ONCE}` }
      }),
    )
  keys
    .command('list')
    .description('all keys, without their secrets')
    .option('--organization <name|id>', 'only those of one organization')
    .action(({ organization }: { organization?: string }) =>
      run(async ({ sql }) => {
        const id = organization ? (await getOrganization(sql, organization)).id : null
        return listed(await listKeys(sql, id), 'No keys yet')
      }),
    )
  keys
    .command('revoke <publicId>')
    .description('end a key within 5 seconds, for good')
    .action((publicId: string) =>
      run(async (administrator) => {
        await revokeKey(administrator, publicId)
        return { json: { publicId, isRevoked: true }, text: `Revoked ${publicId}` }
      }),
    )
  keys
    .command('rotate <publicId>')
    .description('make a key that may do the same, show it, this once, and end the old one')
    .option(
      '--overlap <duration>',
      'how long the old one works on: 7d, 12h; else 5 s',
      parseDuration,
    )
    .option('--expires <when>', `of the new one, ${EXPIRES}; else as the old one`, parseExpiry)
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

function parsePermissions(text: string, before: Permission[] = []): Permission[] {
  const named = text.split(',').map((part) => part.trim())
  const unknown = named.filter((name) => !PERMISSIONS.some((permission) => permission === name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `there is no permission ${JSON.stringify(unknown[0])}; there are ${PERMISSIONS.join(', ')}`,
    )
  return [...before, ...(named as Permission[])]
}
