/** The part of a process that a command uses. */
export type CommandProcess = {
  env: NodeJS.ProcessEnv
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
}
