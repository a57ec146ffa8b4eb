import { checkNodes } from '../doctor/checkNodes.ts'
import { lines } from '../doctor/line.ts'
import { compareNodes } from './compareNodes.ts'
import { indexAndJudge } from './indexAndJudge.ts'
import { probeNode } from './probeNode.ts'
import { chainsOfNodes, type RehearsalOptions, type Stage } from './rehearsal.ts'
import { verifyAtEach } from './verifyAtEach.ts'

/** In the order in which an operator mends. */
export const STAGES: Stage[] = [
  { name: 'nodes', run: async (options) => ({ lines: await checkNodes(options) }) },
  { name: 'abilities', run: async (options) => ({ lines: await probeAll(options) }) },
  { name: 'providers', run: async (options) => ({ lines: await compareAll(options) }) },
  { name: 'address book', run: async (options) => ({ lines: await verifyAtEach(options) }) },
  { name: 'index', run: indexAndJudge },
]

async function probeAll(options: RehearsalOptions) {
  const found = await Promise.all(
    chainsOfNodes(options).flatMap(({ chain, urls }) =>
      urls.map((url) => probeNode(options.book, chain, url)),
    ),
  )
  return found.flat()
}

async function compareAll(options: RehearsalOptions) {
  const found = await Promise.all(
    chainsOfNodes(options).map(async ({ chain, urls: [one, ...others] }) => {
      if (one === undefined)
        return lines(`nodes of chain ${chain.id}`).error(
          'there is none',
          `Set RPC_URL_${chain.id}, better with two providers.`,
        )
      const pairs = others.map((other) => compareNodes(options.book, chain, [one, other]))
      return (await Promise.all(pairs)).flat()
    }),
  )
  return found.flat()
}
