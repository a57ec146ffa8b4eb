/// <reference types="node" />
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { LocalWorldError } from './localWorldError.ts'
import { COMMANDS, type Outcome, type Outcomes } from './outcomes.ts'
import type { RunFile } from './readRunFile.ts'

const run = promisify(execFile)
const LONGEST_MS = 60_000

/**
 * Runs the command of an outcome in the local world. Returns a function that runs its undoing command. Throws
 * `LocalWorldError` with the command's message.
 */
export async function forceOutcome<Name extends Outcome>(
  runFile: RunFile,
  name: Name,
  options: Outcomes[Name],
): Promise<() => Promise<void>> {
  const { name: forced, undo, args = [], undoArgs = args } = COMMANDS[name]
  await runCommand(runFile, forced, { args, options })
  return async () => {
    if (undo) await runCommand(runFile, undo, { args: undoArgs, options })
  }
}

type Given = { args: string[]; options: object }

async function runCommand(
  { devnetCommand, folder }: RunFile,
  name: string,
  { args, options }: Given,
) {
  const [program = '', ...first] = devnetCommand
  const given = new Map(Object.entries(options).map(([key, value]) => [key, String(value)]))
  const chain = given.get('chainId')
  const vault = given.get('vault')
  const all = [
    ...first,
    name,
    ...args.map((key) => given.get(key) ?? ''),
    '--data',
    folder,
    ...(chain ? ['--chain', chain] : []),
    ...(vault ? ['--vault', vault] : []),
  ]
  try {
    await run(program, all, { timeout: LONGEST_MS })
  } catch (cause) {
    // execFile rejects with an Error that has stderr.
    const { stderr = '', message } = cause as Error & { stderr?: string }
    const words = stderr.trim().replace(/^error: /, '') || message
    throw new LocalWorldError(`${name} failed: ${words}`, { cause })
  }
}
