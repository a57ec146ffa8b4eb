import type { z } from 'zod'
import type { startVariables } from '../environment.ts'
import type { Fork } from './forks.ts'

export type ProductOptions = {
  root: string
  dataDirectory: string
  environment: z.output<typeof startVariables>
  /** All variables, because the names of some contain a chain id. */
  source: NodeJS.ProcessEnv
  /** The chains whose nodes are forks. */
  forks: Fork[]
  print: (line: string) => void
  signal: AbortSignal
}
