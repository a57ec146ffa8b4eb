export const ONE_LINE_EXPECTED = 'expected one line of 1 to 200 characters'

/** A reason that others see: one line, without spaces around it; null if it is empty, longer or has control characters. */
export function oneLine(text: string): string | null {
  const trimmed = text.trim()
  return /^[^\p{Cc}]{1,200}$/u.test(trimmed) ? trimmed : null
}
