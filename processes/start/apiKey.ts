import { connect } from '../../db/sql.ts'
import { authenticateKey } from '../../domain/access/authenticateKey.ts'
import { createKey } from '../../domain/access/keys.ts'
import {
  createOrganization,
  getOrganization,
  setOrganization,
} from '../../domain/access/organizations.ts'
import { type Secrets, saveSecrets } from './secrets.ts'

const LOCAL_ORGANIZATION = 'Local'

/** The local organization's key: the kept one while it works, else a new one, kept. */
export async function localApiKey(
  databaseUrl: string,
  dataDirectory: string,
  secrets: Secrets,
): Promise<string> {
  const sql = connect(databaseUrl, { applicationName: 'causeway-start', max: 1 })
  const context = { sql, appSecret: Buffer.from(secrets.appSecret, 'hex') }
  try {
    const { id } = await getOrganization(sql, LOCAL_ORGANIZATION).catch(() =>
      createOrganization(sql, LOCAL_ORGANIZATION),
    )
    // Who tries out what they build is not counted.
    await setOrganization(sql, id, { rateLimitTier: 'unlimited' })
    if (secrets.apiKey && (await isValid(context, secrets.apiKey))) return secrets.apiKey
    const { key } = await createKey(context, { organizationId: id, name: 'npm start' })
    await saveSecrets(dataDirectory, { ...secrets, apiKey: key })
    return key
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function isValid(context: Parameters<typeof authenticateKey>[0], key: string): Promise<boolean> {
  return authenticateKey(context, key).then(
    () => true,
    () => false,
  )
}
