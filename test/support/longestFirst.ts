import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files whose tests take minutes: the products and nodes that they start work for them. */
const LONGEST = [
  'simulation/day.test.ts',
  'simulation/restoreDrill.test.ts',
  'simulation/npmStart.test.ts',
  'simulation/manyMachines.test.ts',
  'simulation/illChain.test.ts',
  'simulation/databases.test.ts',
  'simulation/rehearse.test.ts',
  'simulation/operatingPages.test.ts',
  'simulation/crashes.test.ts',
  'simulation/vaults.test.ts',
  'index/snapshot.test.ts',
  'simulation/builds.test.ts',
  'endToEnd/earnPage.test.ts',
]

/**
 * On a clean checkout vitest knows no durations, and begins with the largest files. The long ones came last then, and the
 * other workers had nothing to do beside them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name))
  return place === -1 ? LONGEST.length : place
}
