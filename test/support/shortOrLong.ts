import { inject } from 'vitest'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest merges this interface
  export interface ProvidedContext {
    /** Whether this is `npm run test:long`. */
    isLong: boolean
  }
}

/** The size of a simulation: the first in `npm test`, the second in `npm run test:long`. */
export function shortOrLong(short: number, long: number): number {
  return inject('isLong') ? long : short
}
