import { openSecret } from '../../domain/secret/sealedSecret.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { notChecked } from './notChecked.ts'
import { rowsOf } from './rowsOf.ts'

const CHECK = 'secrets'
const { ok, error } = lines(CHECK)

/** Whether SECRETS_KEY opens what is stored. A hash does not show with which APP_SECRET it was made. */
export async function checkStoredSecrets({ source, sql }: DoctorContext): Promise<Line[]> {
  const { SECRETS_KEY: key } = source
  if (!key || !/^[0-9a-f]{64}$/.test(key)) return []
  return openStored({ sql }, Buffer.from(key, 'hex')).catch((cause) => notChecked(CHECK, cause))
}

async function openStored(context: Pick<DoctorContext, 'sql'>, key: Uint8Array): Promise<Line[]> {
  if (!context.sql)
    return error('not checked: the database does not answer', 'Mend DATABASE_URL first.')
  const stored = await rowsOf(
    context,
    (sql) =>
      sql<{ sealed: Uint8Array; endpoint_id: string }[]>`
      select sealed, endpoint_id from app.webhook_secret order by id desc limit 100`,
  )
  if (stored.length === 0) return ok('no signing secret is stored yet')
  const closed = stored.filter(({ sealed, endpoint_id }) => !opens(sealed, endpoint_id, key))
  if (closed.length === 0) return ok('SECRETS_KEY opens the stored signing secrets')
  return error(
    `SECRETS_KEY does not open ${closed.length} of the ${stored.length} newest signing secrets of webhooks`,
    'Set the one that they were made with; it is in your backup of secrets.',
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
