const KEY = 'causeway.organization'

/** The id of the organization that was chosen in this browser. GraphiQL and the reference read it too. */
export function storedOrganization(): string | null {
  return localStorage.getItem(KEY)
}

export function storeOrganization(id: string | null): void {
  if (id === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, id)
}
