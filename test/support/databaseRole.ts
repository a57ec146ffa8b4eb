import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const PAGE = 'docs/operating/production.md'
/** The name that the page gives the role and its database. */
const NAME = 'causeway'
const PASSWORD = 'causeway-test'

/** The statements for a superuser that make a role and its database, as the page for operators lists them. */
function documentedStatements(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../..', PAGE), 'utf8')
  const block = /```sql\n(create role [^`]*)```/.exec(page)?.[1]
  if (!block) throw new Error(`${PAGE} lists no statements that create the role`)
  return block.trim().split('\n')
}

/** Creates the role of all tests: tests have no more rights than the documentation asks for. */
export function createRoleStatement(): string {
  return documentedStatements()
    .filter((statement) => statement.startsWith('create role'))
    .join()
    .replace('…', PASSWORD)
}

/** Create a database of that role; the copy of another one, if a template is given. */
export function createDatabaseStatements(database: string, template?: string): string[] {
  const named = documentedStatements()
    .filter((statement) => !statement.startsWith('create role'))
    .map((statement) => statement.replace(`database ${NAME}`, `database ${database}`))
  if (!template) return named
  return named.map((statement) =>
    statement.startsWith('create database')
      ? statement.replace(';', ` template ${template};`)
      : statement,
  )
}

/** Runs statements one after the other. */
export async function runStatements(superuserUrl: string, statements: string[]) {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The URL of a superuser's server, for the role. */
export function asRole(superuserUrl: string): string {
  const url = new URL(superuserUrl)
  url.username = NAME
  url.password = PASSWORD
  return url.href
}
