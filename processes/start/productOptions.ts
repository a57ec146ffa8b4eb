import type { z } from 'zod'
import type { startVariables } from '../environment.ts'

export type ProductOptions = {
  root: string
  dataDirectory: string
  environment: z.output<typeof startVariables>
  /** For the variables whose names hold a chain id. */
  source: NodeJS.ProcessEnv
  print: (line: string) => void
  signal: AbortSignal
}
