export const ONE_LINE_EXPECTED = 'expected one line of 1 to 200 characters'

/**
 * Whether a text shows what it is: terminals obey control characters, bidirectional ones make a page show another order,
 * and a lone surrogate is no character.
 */
export function isPlainText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)
}

/** A reason that others see: one line, without spaces around it; null if it is empty, longer or not plain. */
export function oneLine(text: string): string | null {
  const trimmed = text.trim()
  return /^.{1,200}$/u.test(trimmed) && isPlainText(trimmed) ? trimmed : null
}
