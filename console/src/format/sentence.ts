/** A message as a sentence. One that begins with a name of the API, such as `pageSize:`, keeps it. */
export function sentence(message: string): string {
  const text = message.trim()
  const begun = /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
