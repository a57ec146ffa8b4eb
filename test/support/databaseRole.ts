import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const PAGE = 'docs/operating/production.md'
/** The name that the page gives the owner and the database. */
const NAME = 'causeway'
const PASSWORD = 'causeway-test'

/** The statements for a superuser that make a role and its database, as the page for operators lists them. */
function documentedStatements(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../..', PAGE), 'utf8')
  const block = /```sql\n(create role [^`]*)```/.exec(page)?.[1]
  if (!block) throw new Error(`${PAGE} lists no statements that create the role`)
  return block.trim().split('\n')
}

function isOfRoles(statement: string): boolean {
  return /^(create role|grant causeway_)/.test(statement)
}

/** Create the owner, whose rights the tests have, and the roles of the processes, as the documentation asks for. */
export function createRoleStatements(): string[] {
  return documentedStatements()
    .filter(isOfRoles)
    .map((statement) => statement.replace('…', PASSWORD))
}

/**
 * Create a database of that role; the copy of another one, if a template is given. Its files are copied: the way by the
 * log takes three times the processor's time, and its checkpoints cost nothing where nothing is flushed.
 */
export function createDatabaseStatements(database: string, template?: string): string[] {
  const named = documentedStatements()
    .filter((statement) => !isOfRoles(statement))
    .map((statement) => statement.replace(`database ${NAME}`, `database ${database}`))
  if (!template) return named
  return named.map((statement) =>
    statement.startsWith('create database')
      ? statement.replace(';', ` template ${template} strategy file_copy;`)
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

/**
 * The URL of the owner, for the role of a process. A URL of another user stays: a database of `npm start` has only
 * its superuser.
 */
export function asProcessRole(databaseUrl: string, process: 'api' | 'worker' | 'indexer'): string {
  const url = new URL(databaseUrl)
  if (url.username === NAME) url.username = `${NAME}_${process}`
  return url.href
}

/** The URL of a superuser's server, for the owner. */
export function asRole(superuserUrl: string): string {
  const url = new URL(superuserUrl)
  url.username = NAME
  url.password = PASSWORD
  return url.href
}
