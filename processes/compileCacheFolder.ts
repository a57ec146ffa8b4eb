import { join } from 'node:path'

/** Where Node keeps the compiled modules of a project, which a process otherwise compiles at every start. */
export function compileCacheFolder(root: string): string {
  return join(root, 'node_modules/.cache/node-compile')
}
