import { connect } from '../../db/sql.ts'
import { authenticateKey } from '../../domain/access/authenticateKey.ts'
import { createKey, type KeyContext } from '../../domain/access/keys.ts'
import {
  createOrganization,
  findOrganization,
  setOrganization,
} from '../../domain/access/organizations.ts'
import { KEY_PERMISSIONS } from '../../domain/access/permissions.ts'
import { type Secrets, saveSecrets } from './secrets.ts'

const LOCAL_ORGANIZATION = 'Local'

/** An API key of the local organization with all permissions of API keys: the stored one if it works, else a new one, which is stored. */
export async function localApiKey(
  databaseUrl: string,
  dataDirectory: string,
  secrets: Secrets,
): Promise<string> {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  const appSecret = Buffer.from(secrets.appSecret, 'hex')
  const administrator = { sql, appSecret, actor: 'start', bounds: null }
  try {
    const organization =
      (await findOrganization(sql, LOCAL_ORGANIZATION)) ??
      (await createOrganization(administrator, LOCAL_ORGANIZATION))
    const { id, rateLimitTier } = organization
    // Quotas would only disturb local development.
    if (rateLimitTier !== 'unlimited')
      await setOrganization(administrator, id, { rateLimitTier: 'unlimited' })
    if (secrets.apiKey && (await hasAllPermissions(administrator, secrets.apiKey)))
      return secrets.apiKey
    const { key } = await createKey(administrator, {
      organizationId: id,
      name: 'npm start',
      permissions: KEY_PERMISSIONS,
    })
    await saveSecrets(dataDirectory, { ...secrets, apiKey: key })
    return key
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function hasAllPermissions(context: KeyContext, key: string): Promise<boolean> {
  return authenticateKey(context, key).then(
    ({ permissions }) => KEY_PERMISSIONS.every((permission) => permissions.includes(permission)),
    () => false,
  )
}
