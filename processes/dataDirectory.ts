import { resolve } from 'node:path'
import { dataVariables, loadEnvironment } from './environment.ts'

/** The absolute path of DATA_DIRECTORY, which is relative to the project's root. `npm start` keeps all its data there. Throws `EnvironmentError`. */
export function findDataDirectory(source: NodeJS.ProcessEnv): string {
  const { DATA_DIRECTORY } = loadEnvironment(dataVariables, source)
  return resolve(import.meta.dirname, '..', DATA_DIRECTORY)
}
