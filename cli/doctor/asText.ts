import type { Line } from './line.ts'

/** The lines for people, with how many there are of each level. */
export function asText(found: Line[]): string {
  const lines = found.map(({ level, check, message, advice }) => {
    const line = `${level.padEnd(8)} ${check}: ${message}`
    return advice === null ? line : `${line}\n${' '.repeat(9)}${advice}`
  })
  const count = (level: Line['level']) => found.filter((line) => line.level === level).length
  const [errors, warnings] = [count('error'), count('warning')]
  return `${lines.join('\n')}\n\n${named(errors, 'error')}, ${named(warnings, 'warning')}, ${count('ok')} ok\n`
}

function named(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
