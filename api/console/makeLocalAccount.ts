import { randomUUID } from 'node:crypto'
import { createOrganization, findOrganization } from '../../domain/access/organizations.ts'
import type { AppServices } from '../../domain/appContext.ts'
import { derivedKey } from '../../domain/secret/derivedKey.ts'
import type { Console } from './createConsole.ts'
import { createCredential } from './createCredential.ts'

const EMAIL = 'operator@local.example'
const ORGANIZATION = 'Local'

/** The account of a local world, an operator and owner of its organization, with a password that nobody has to know. */
export async function makeLocalAccount(
  { sql, appSecret }: Pick<AppServices, 'sql' | 'appSecret'>,
  { hashPassword }: Pick<Console, 'hashPassword'>,
): Promise<{ email: string; password: string }> {
  const password = Buffer.from(derivedKey(appSecret, 'console-local')).toString('hex')
  const account = { email: EMAIL, password }
  const [known] = await sql`select 1 from app.console_user where email = ${EMAIL}`
  if (known) return account
  const organization =
    (await findOrganization(sql, ORGANIZATION)) ??
    (await createOrganization({ sql, actor: 'start' }, ORGANIZATION))
  const passwordHash = await hashPassword(password)
  await sql.begin(async (transaction) => {
    const id = randomUUID()
    const isNew = await createCredential(transaction, {
      id,
      email: EMAIL,
      name: 'Local operator',
      passwordHash,
    })
    if (!isNew) return
    await transaction`update app.console_user set is_operator = true where id = ${id}`
    await transaction`
      insert into app.organization_member (organization_id, user_id, role)
      values (${organization.id}, ${id}, 'owner')`
  })
  return account
}
