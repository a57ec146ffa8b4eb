import { resolve } from 'node:path'
import { dataVariables, loadEnvironment } from './environment.ts'

/** Where a local start keeps all it makes: DATA_DIRECTORY, relative to the project's root. Throws `EnvironmentError`. */
export function findDataDirectory(source: NodeJS.ProcessEnv): string {
  const { DATA_DIRECTORY } = loadEnvironment(dataVariables, source)
  return resolve(import.meta.dirname, '..', DATA_DIRECTORY)
}
