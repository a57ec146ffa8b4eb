import type { Ailment } from '../support/faultyNode.ts'
import { canMoveClocks, setClock } from './clock.ts'
import { type FaultKind, OVER_AT_ONCE } from './faultKind.ts'

/** A node that lies is survived only beside a true one. */
const OF_ONE: [Ailment, ...Ailment[]] = [
  'errors',
  'faults',
  'garbage',
  'otherChain',
  'tooMany',
  'oldHeads',
  'silent',
  'slow',
  'lossy',
  'lostAnswers',
]
const OF_BOTH: [Ailment, ...Ailment[]] = [
  'errors',
  'faults',
  'tooMany',
  'oldHeads',
  'silent',
  'slow',
  'lossy',
  'lostAnswers',
]

/** Faults of what the product depends on: nodes, chains, receivers, clocks. */
export const OUTER_FAULTS: FaultKind[] = [
  {
    name: 'fault of a node',
    mayRefuse: true,
    lastsMs: [1_000, 5_000],
    missing: null,
    async start({ installation: { nodes }, random }) {
      const [first, ...others] = nodes
      if (!first) throw new Error('Invariant(fault of a node): there are nodes')
      const [chainId, pair] = random.pick([first, ...others])
      const isBoth = random.chance(0.4)
      const ailment = random.pick(isBoth ? OF_BOTH : OF_ONE)
      const position = random.integer(0, 1)
      const struck = isBoth ? pair : pair.slice(position, position + 1)
      for (const node of struck) await node.fall(ailment)
      return {
        detail: `${isBoth ? 'both' : `node ${position}`} of chain ${chainId}: ${ailment}`,
        async end() {
          for (const node of struck) await node.fall('well')
        },
      }
    },
  },
  {
    ...OVER_AT_ONCE,
    name: 'reorganisation',
    mayRefuse: true,
    async start({ traffic }) {
      const { chainId, kind, depth } = await traffic.reorganise()
      return { detail: `chain ${chainId} ${kind}, ${depth} deep`, end: async () => {} }
    },
  },
  {
    name: 'fault of a receiver',
    mayRefuse: false,
    lastsMs: [1_000, 5_000],
    missing: null,
    async start({ receivers, random }) {
      const { name, heal } = receivers.ail(random)
      return { detail: name, end: async () => heal() }
    },
  },
  {
    name: 'jump of a clock',
    mayRefuse: false,
    lastsMs: [1_500, 4_000],
    missing: canMoveClocks ? null : 'libfaketime is not there: install the package faketime',
    async start({ installation: { apis, workers, folder }, random }) {
      const { name } = random.pick<{ name: string }>([...apis, ...workers])
      const seconds = random.integer(2, 900) * random.pick([1, -1])
      setClock(folder, name, seconds)
      return {
        detail: `${name} by ${seconds} s`,
        end: async () => setClock(folder, name, 0),
      }
    },
  },
]
