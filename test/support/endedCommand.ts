import { execFile } from 'node:child_process'
import type { CommandProcess } from '../../cli/commandProcess.ts'

export type EndedCommand = { code: number; stdout: string; stderr: string }

/** A command in this process: a process of its own takes a second to start. */
export async function endedCommand(
  run: (parameters: string[], process: CommandProcess) => Promise<number>,
  parameters: string[],
  env: NodeJS.ProcessEnv,
): Promise<EndedCommand> {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text
    },
  })
  const code = await run(parameters, { env, stdout: stream('stdout'), stderr: stream('stderr') })
  return { code, ...written }
}

/** A command in its own process. */
export function spawnedCommand(
  file: string,
  parameters: string[],
  env: NodeJS.ProcessEnv,
): Promise<EndedCommand> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file, ...parameters],
      { env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}
