export type Misspelled = { name: string; written: string }

/** The variables of `names` that are not set, but a name that differs by one letter, or by case, is. */
export function findMisspelled(names: string[], given: NodeJS.ProcessEnv): Misspelled[] {
  return names
    .filter((name) => given[name] === undefined)
    .flatMap((name) => {
      const written = Object.keys(given).find(
        (other) => !names.includes(other) && isNear(other, name),
      )
      return written === undefined ? [] : [{ name, written }]
    })
}

export function describeMisspelled({ name, written }: Misspelled): string {
  return `${name}: is not set, but ${written} is. Correct the name.`
}

/** Whether they differ by case, or by one letter that is missing, added, changed or swapped with the next. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [one.toUpperCase(), other.toUpperCase()]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && left === [...right].reverse().join('')
}
