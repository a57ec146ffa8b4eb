import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian's package `postgresql` installs each major version. */
const DEBIAN = '/usr/lib/postgresql'

/**
 * The folder of the newest Postgres that the system has, with `pg_dump`; null without one. The Postgres
 * that npm installs has no clients, and `pg_dump` refuses a server that is newer than itself.
 */
export function systemPostgres(): string | null {
  if (!existsSync(DEBIAN)) return null
  const folders = readdirSync(DEBIAN)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
  return (
    folders.find((folder) =>
      ['postgres', 'pg_dump'].every((name) => existsSync(join(folder, name))),
    ) ?? null
  )
}
