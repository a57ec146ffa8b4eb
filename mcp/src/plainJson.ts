/** Controls, marks of direction, tags, joiners and variants: text that is not shown, or changes how other text is shown. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu
const HEX = /^0x[0-9a-f]*$/i
/** Above the body that an attempt of a webhook shows. */
const LONGEST = 4_000

/** Text of others, such as the symbol of a token: hidden characters are written as `\u{202e}`, and long text is cut off. */
function plainText(text: string): string {
  const shown = visible(text)
  if (shown.length <= LONGEST || HEX.test(shown)) return shown
  return `${shown.slice(0, LONGEST)}… (${shown.length - LONGEST} more characters)`
}

/** The same text, with hidden characters written as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)
}

/** A value of JSON with each of its texts and names changed. */
export function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => changeTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [change(name), changeTexts(one, change)]),
  )
}

/** An answer as data: nothing hidden in it, and no text that is long. */
export function plainJson(answer: Record<string, unknown>): Record<string, unknown> {
  return changeTexts(answer, plainText) as Record<string, unknown> // An object stays one.
}
