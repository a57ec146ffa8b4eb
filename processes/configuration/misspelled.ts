import { isOneLetterAway } from '../../domain/error/isOneLetterAway.ts'

export type Misspelled = { name: string; written: string }

/** The variables of `names` that are not set, but a name that differs by one letter, or by case, is. */
export function findMisspelled(names: string[], given: NodeJS.ProcessEnv): Misspelled[] {
  return names
    .filter((name) => given[name] === undefined)
    .flatMap((name) => {
      const written = Object.keys(given).find(
        (other) =>
          !names.includes(other) && isOneLetterAway(other.toUpperCase(), name.toUpperCase()),
      )
      return written === undefined ? [] : [{ name, written }]
    })
}

export function describeMisspelled({ name, written }: Misspelled): string {
  return `${name}: is not set, but ${written} is. Correct the name.`
}
