const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether Postgres reads a text as a uuid: another one is the id of nothing. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
