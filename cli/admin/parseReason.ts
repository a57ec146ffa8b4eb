import { InvalidArgumentError } from 'commander'

/** One line, because the public sees it. */
export function parseReason(text: string): string {
  if (!/^[^\p{Cc}]{1,200}$/u.test(text.trim()))
    throw new InvalidArgumentError('expected one line of 1 to 200 characters')
  return text.trim()
}
