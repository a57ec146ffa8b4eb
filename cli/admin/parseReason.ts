import { InvalidArgumentError } from 'commander'
import { ONE_LINE_EXPECTED, oneLine } from '../../domain/access/oneLine.ts'

/** One line, because the public sees it. */
export function parseReason(text: string): string {
  const reason = oneLine(text)
  if (reason === null) throw new InvalidArgumentError(ONE_LINE_EXPECTED)
  return reason
}
