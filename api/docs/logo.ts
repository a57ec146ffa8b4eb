/** Causeway's sign: a way on arches, over water. */
export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">' +
  '<rect width="32" height="32" rx="7" fill="#0f4c5c"/>' +
  '<path d="M4 11h24v3H4z" fill="#fff"/>' +
  '<path d="M6 14v7a4 4 0 0 1 8 0h4a4 4 0 0 1 8 0v-7z" fill="#9fd8cb"/>' +
  '<path d="M4 25q3-2 6 0t6 0 6 0 6 0" fill="none" stroke="#fff" stroke-width="2"/>' +
  '</svg>'
