import type { SeededRandom } from '../support/seededRandom.ts'
import type { FaultKind } from './faultKind.ts'

const TWO_AT_ONCE = 0.25

/** Rounds of one fault or two different ones, without an end. Each kind comes once before any comes again. */
export function* drawRounds(kinds: FaultKind[], random: SeededRandom): Generator<FaultKind[]> {
  const possible = kinds.filter(({ missing }) => missing === null)
  if (possible.length === 0) throw new Error('no kind of fault can be tried')
  let bag: FaultKind[] = []
  const draw = () => {
    if (bag.length === 0) bag = [...possible]
    return bag.splice(random.integer(0, bag.length - 1), 1)
  }
  for (;;) {
    const first = draw()
    const isAlone = first.some((kind) => kind.isAlone)
    const second = !isAlone && possible.length > 1 && random.chance(TWO_AT_ONCE) ? draw() : []
    const [late = null] = second.filter((kind) => kind.isAlone)
    yield [...new Set([...first, ...second.filter((kind) => kind !== late)])]
    if (late) yield [late]
  }
}
