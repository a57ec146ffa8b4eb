import type pg from 'pg'

/** Matches any whole key. */
const KEY = /causeway_[0-9a-f]{16}_[0-9a-f]{64}/
const secrets = new Set<string>()

/** From now on no text that this process checks may contain it. */
export function noteSecret(secret: string): void {
  secrets.add(secret)
}

/** Throws if a text has a key or a created secret; `where` names the text. */
export function refuseSecrets(text: string, where: string): void {
  const found = KEY.exec(text)?.[0] ?? [...secrets].find((secret) => text.includes(secret))
  if (found) throw new Error(`${where} contains a secret that was handed out: ${found}`)
}

/** Throws if a table of the service contains one. The index has only public data of chains. */
export async function refuseSecretsIn(client: pg.Client): Promise<void> {
  // Each partition by itself. A table without a page has no row, and planning a read of all takes longest.
  const { rows: tables } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = to_regnamespace('app') and relkind = 'r' and pg_relation_size(oid) > 0`,
  )
  if (tables.length === 0) return
  const selects = tables.map(
    ({ name }) => `select '${name}' as name, t::text as text from app.${name} t`,
  )
  const { rows } = await client.query<{ name: string; text: string }>(selects.join(' union all '))
  for (const { name, text } of rows) refuseSecrets(text, `the table app.${name}`)
}
