import { findAllDoubts } from '../../processes/configuration/doubts.ts'
import { findServiceProblems } from '../../processes/configuration/serviceConfiguration.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines, problemLine } from './line.ts'

const CHECK = 'variables'
const { ok, warning } = lines(CHECK)

/** Every wrong variable of the processes; then values that are allowed and unfit for production. */
export async function checkVariables({
  given,
  source,
  accounts,
  isLocal,
}: DoctorContext): Promise<Line[]> {
  const wrong = await findServiceProblems(given, accounts)
  const found = [
    ...wrong.map((problem) => problemLine(CHECK, problem)),
    ...(isLocal
      ? []
      : findAllDoubts(source).flatMap(({ message, advice }) => warning(message, advice))),
  ]
  return found.length > 0 ? found : ok('the variables of indexer, api and worker are right')
}
