import { printable } from './printable.ts'

/** The part of a process that a command uses. */
export type CommandProcess = {
  env: NodeJS.ProcessEnv
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
}

/** The same process, whose output is safe for a terminal. */
export function printableProcess({ env, stdout, stderr }: CommandProcess): CommandProcess {
  const write = (to: CommandProcess['stdout']) => ({
    write: (text: string) => to.write(printable(text)),
  })
  return { env, stdout: write(stdout), stderr: write(stderr) }
}
