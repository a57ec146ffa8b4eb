import { ENDINGS } from './vaultEndings.ts'
import {
  ALL_LISTS,
  runVaultRound,
  VAULT_ROUND_CHAINS,
  VAULT_ROUND_WORLD,
  type VaultRoundReport,
} from './vaultRounds.ts'
import { withProduct } from './withDatabase.ts'

const MOVES = 120
const QUERIES = 12

/** All of the vaults' simulation, each seed in its own world. */
export async function runVaultSeeds(
  seeds: number,
  firstSeed: number,
  print: (line: string) => void,
): Promise<void> {
  print(
    `${seeds} seeds from ${firstSeed}, ${MOVES} moves on each of ${VAULT_ROUND_CHAINS.length} chains`,
  )
  const reports: VaultRoundReport[] = []
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const startedAt = performance.now()
    const report = await withProduct(VAULT_ROUND_WORLD, (product) =>
      runVaultRound({ product, seed, moves: MOVES, queries: QUERIES }),
    )
    reports.push(report)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    print(`seed ${seed}: ${describe([report])}, ${seconds} s`)
  }
  print(`${reports.length} seeds without a difference: ${describe(reports)}`)
  const endings = countEach(ENDINGS, (ending, report) => report.endings.get(ending))
  const rows = countEach(ALL_LISTS, (list, { compared }) => compared.rows.get(list))
  print(`orders: ${listCounts(endings)}`)
  print(`rows: ${listCounts(rows)}`)
  // A history without such an ending or row proves nothing about it.
  const isSomeMissing = [...endings, ...rows].some(([, count]) => count === 0)
  if (seeds >= 10 && isSomeMissing) process.exitCode = 1

  function countEach<Name>(
    names: readonly Name[],
    count: (name: Name, report: VaultRoundReport) => number | undefined,
  ): [Name, number][] {
    return names.map((name) => [name, sum(reports, (report) => count(name, report) ?? 0)])
  }
}

function listCounts(counts: [string, number][]): string {
  return counts.map(([name, count]) => `${count} ${name}`).join(', ')
}

function describe(of: VaultRoundReport[]): string {
  return [
    `${sum(of, ({ calls }) => calls.passed)} calls and ${sum(of, ({ calls }) => calls.reverted)} reverted`,
    `in ${sum(of, ({ calls }) => calls.blocks)} blocks`,
    `${sum(of, ({ endings }) => total(endings))} orders`,
    `${sum(of, ({ compared }) => compared.queries)} queries`,
    `${sum(of, ({ compared }) => total(compared.rows))} rows on ${sum(of, ({ compared }) => compared.pages)} pages`,
    `${sum(of, ({ compared }) => compared.askedAgain)} asked again`,
  ].join(', ')
}

function total(counts: Map<unknown, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function sum(of: VaultRoundReport[], count: (report: VaultRoundReport) => number): number {
  return of.reduce((sum, report) => sum + count(report), 0)
}
