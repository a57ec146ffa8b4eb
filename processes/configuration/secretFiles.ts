import { readFile } from 'node:fs/promises'
import { EnvironmentError, problemsOf } from './environmentError.ts'
import { describeMisspelled, findMisspelled } from './misspelled.ts'

/** The variables that hold a secret. Each of them, and each URL of a node, can be given as a file: `<name>_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'APP_SECRET',
  'SECRETS_KEY',
  'QUOTE_SIGNER_PRIVATE_KEY',
  'SMART_DEPOSIT_KEEPER_PRIVATE_KEY',
  'ATTESTATION_API_KEY',
  'PAYER_SCREENING_API_KEY',
  'QUOTE_API_KEY',
  'CONSOLE_OIDC_CLIENT_SECRET',
]

function isSecret(name: string): boolean {
  return SECRETS.includes(name) || /^(RPC|WS)_URL_\d+$/.test(name)
}

type GivenFile = { name: string; path: string }

/**
 * Runs `load` with the variables of `source`, where the content of each `<name>_FILE` is the value of `<name>`,
 * without the newline at its end. The files are read once. Throws one `EnvironmentError` with the problems of the
 * files and of `load`: a file that cannot be read, a variable that is given twice, a wrong value by its file.
 * No problem repeats what a file contains.
 */
export async function withSecretFiles<Result>(
  source: NodeJS.ProcessEnv,
  load: (resolved: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const files = givenFiles(source)
  const resolved = { ...source }
  const unread = new Map<string, string>()
  for (const { name, path } of files) {
    delete resolved[`${name}_FILE`]
    if (source[name])
      unread.set(name, `${name}: is set, and so is ${name}_FILE. Set only one of them.`)
    else
      await readSecret({ name, path }).then(
        (value) => {
          resolved[name] = value
        },
        (error: Error) => unread.set(name, error.message),
      )
  }
  const misspelled = findMisspelled(
    SECRETS.map((name) => `${name}_FILE`),
    source,
  ).map(describeMisspelled)
  const problems = [...unread.values(), ...misspelled]
  const loading = load(resolved)
  if (problems.length > 0) {
    const others = await problemsOf(loading)
    throw new EnvironmentError([
      ...problems,
      ...others.filter((line) => !unread.has(nameOf(line))).map((line) => byFile(line, files)),
    ])
  }
  return loading.catch((error) => {
    if (!(error instanceof EnvironmentError)) throw error
    throw new EnvironmentError(error.problems.map((line) => byFile(line, files)))
  })
}

function givenFiles(source: NodeJS.ProcessEnv): GivenFile[] {
  return Object.entries(source).flatMap(([variable, path]) => {
    const name = variable.replace(/_FILE$/, '')
    return path && name !== variable && isSecret(name) ? [{ name, path }] : []
  })
}

async function readSecret({ name, path }: GivenFile): Promise<string> {
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(
      `${name}_FILE: cannot be read (${code}): ${path}. Name a file that this user may read.`,
    )
  })
  const value = text.replace(/[\r\n]+$/, '')
  if (value === '') throw new Error(`${name}_FILE: is empty: ${path}. Write the value into it.`)
  return value
}

function nameOf(problem: string): string {
  return problem.slice(0, problem.indexOf(': '))
}

/** A wrong value is named by the variable that the operator has set. */
function byFile(problem: string, files: GivenFile[]): string {
  const file = files.find(({ name }) => name === nameOf(problem))
  if (!file) return problem
  return `${file.name}_FILE${problem.slice(file.name.length)} (${file.path})`
}
