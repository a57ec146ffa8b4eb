import { findDataDirectory } from '../../processes/dataDirectory.ts'
import type { CommandProcess } from '../commandProcess.ts'
import { runProgram } from '../runProgram.ts'
import { asText } from './asText.ts'
import { diagnose } from './diagnose.ts'
import { findDoctorVariables } from './findDoctorVariables.ts'

/** Runs `npm run doctor`. Returns its exit code: 1 if there is an error. */
export function runDoctor(parameters: string[], commandProcess: CommandProcess): Promise<number> {
  return runProgram(parameters, commandProcess, {
    name: 'doctor',
    description:
      'Checks a production configuration from end to end. Give it the variables of all processes together; without DATABASE_URL and ADDRESS_BOOK it checks the local start in DATA_DIRECTORY. It changes nothing. 1 when there is an error.',
    expected: [],
    addCommands(program, run, { env, stdout }) {
      program.option('--json', 'print JSON').action(({ json }: { json?: boolean }) =>
        run(async () => {
          const {
            variables,
            isLocal,
            found: configuration,
          } = await findDoctorVariables(env, findDataDirectory(env))
          const found = [...configuration, ...(await diagnose(variables, { isLocal }))]
          stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : asText(found))
          return found.every(({ level }) => level !== 'error')
        }),
      )
    },
  })
}
