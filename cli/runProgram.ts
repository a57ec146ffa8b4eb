import { Command, CommanderError } from 'commander'
import { type CommandProcess, printableProcess } from './commandProcess.ts'

/** Runs the work of a command, which resolves to false for a negative answer. Prints its error. */
type RunCommand = (work: () => Promise<boolean>) => Promise<void>

type Program = {
  name: string
  description: string
  /** Errors whose message alone is printed. */
  expected: (new (
    ...args: never[]
  ) => Error)[]
  /** The output of the process is safe for a terminal. */
  addCommands(program: Command, run: RunCommand, commandProcess: CommandProcess): void
}

/**
 * Runs one command of a program. Returns its exit code: 1 if the answer is negative, or after an error, which
 * it has printed.
 */
export async function runProgram(
  parameters: string[],
  commandProcess: CommandProcess,
  { name, description, expected, addCommands }: Program,
): Promise<number> {
  const output = printableProcess(commandProcess)
  const { stdout, stderr } = output
  let code = 0
  const program = new Command(name)
    .description(description)
    .showHelpAfterError('(--help shows all commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
  const run: RunCommand = async (work) => {
    try {
      if (!(await work())) code = 1
    } catch (error) {
      const isExpected = expected.some((kind) => error instanceof kind)
      stderr.write(
        `error: ${isExpected && error instanceof Error ? error.message : String(error)}\n`,
      )
      code = 1
    }
  }
  addCommands(program, run, output)
  try {
    await program.parseAsync(parameters, { from: 'user' })
    return code
  } catch (error) {
    // Help and errors in the parameters, which commander has printed.
    if (error instanceof CommanderError) return error.exitCode
    throw error
  }
}
