import { inspect, parseArgs } from 'node:util'
import { type ChaosReport, runChaos } from './chaosRun.ts'
import { chaosTable } from './chaosTable.ts'

/** `npm run simulate -- chaos [seed] [--seeds N] [--minutes N] [--faults N] [--journeys N] [--only part of a kind's name]...` */
export async function runChaosSeeds(args: string[], print: (line: string) => void): Promise<never> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '2' },
      faults: { type: 'string', default: '0' },
      journeys: { type: 'string', default: '0' },
      only: { type: 'string', multiple: true, default: [] },
    },
  })
  const first = Number(positionals[0] ?? Date.now() % 1_000_000)

  const reports: ChaosReport[] = []
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    print(`seed ${seed}`)
    try {
      const least = {
        minutes: Number(values.minutes),
        faults: Number(values.faults),
        journeys: Number(values.journeys),
      }
      reports.push(await runChaos({ seed, ...least, kinds: values.only, print }))
    } catch (error) {
      print(`DIFFERENCE seed ${seed}: ${inspect(error)}`)
      process.exitCode = 1
    }
  }
  print(`\n${chaosTable(reports)}`)
  if (reports.some(({ differences }) => differences.length > 0)) process.exitCode = 1
  // Connections of a failed seed would keep this process.
  process.exit()
}
