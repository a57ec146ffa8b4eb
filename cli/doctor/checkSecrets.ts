import { openSecret } from '../../domain/access/sealedSecret.ts'
import { type DoctorContext, rowsOf } from './doctorContext.ts'
import { type Line, lines } from './line.ts'

const { ok, warning, error } = lines('secrets')

/** Whether SECRETS_KEY opens what is stored. A hash does not show with which APP_SECRET it was made. */
export async function checkSecrets(context: DoctorContext): Promise<Line[]> {
  const { APP_SECRET: appSecret, SECRETS_KEY: key } = context.source
  if (!key || !/^[0-9a-f]{64}$/.test(key)) return []
  const same =
    appSecret === key
      ? warning('APP_SECRET and SECRETS_KEY are equal', 'Make a second one: openssl rand -hex 32.')
      : []
  const stored = await rowsOf(
    context,
    (sql) =>
      sql<{ sealed: Uint8Array; endpoint_id: string }[]>`
      select sealed, endpoint_id from app.webhook_secret order by id desc limit 100`,
  )
  const closed = stored.filter(
    ({ sealed, endpoint_id }) => !opens(sealed, endpoint_id, Buffer.from(key, 'hex')),
  )
  if (closed.length > 0)
    return error(
      `SECRETS_KEY does not open ${closed.length} of the ${stored.length} newest signing secrets of webhooks`,
      'Set the one that they were made with; it is in your backup of secrets.',
    )
  if (same.length > 0) return same
  return ok(
    stored.length > 0
      ? 'SECRETS_KEY opens the stored signing secrets'
      : 'no signing secret is stored yet',
  )
}

function opens(sealed: Uint8Array, name: string, key: Uint8Array): boolean {
  try {
    openSecret(sealed, name, key)
    return true
  } catch {
    return false // An authenticated cipher gives no reason.
  }
}
