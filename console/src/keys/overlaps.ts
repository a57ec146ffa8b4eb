/** How long a former secret goes on beside the new one: seconds as text, and their name. */
export const OVERLAPS = [
  ['0', 'not at all'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['259200', '3 days'],
  ['604800', '7 days'],
] as const
