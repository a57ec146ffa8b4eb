import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFaults } from './lockFaults.ts'

/**
 * Refuses a lock file that does not pin what is installed, and packages of the service with known advisories of
 * severity high or critical: `npm run check:dependencies`.
 */
const root = join(import.meta.dirname, '..')
const print = (line: string) => process.stdout.write(`${line}\n`)

for (const file of ['package-lock.json', 'site/package-lock.json']) {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8'))
  const faults = lockFaults(packages)
  for (const fault of faults) print(`${file}: ${fault}`)
  if (faults.length > 0) process.exitCode = 1
  else print(`${file} pins all packages that are installed here`)
}

const audit = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  cwd: root,
  encoding: 'utf8',
})
const counts = countsOf(audit.stdout)
if (!counts) print('Advisories were NOT checked: the registry does not answer npm audit')
else {
  print(`Known advisories: ${JSON.stringify(counts)}`)
  if ((counts.high ?? 0) + (counts.critical ?? 0) > 0) process.exitCode = 1
}

/** The advisories by severity; null if the registry sent none. */
function countsOf(output: string): Record<string, number> | null {
  try {
    return JSON.parse(output).metadata?.vulnerabilities ?? null
  } catch {
    return null
  }
}
