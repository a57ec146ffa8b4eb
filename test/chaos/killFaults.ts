import { type FaultKind, OVER_AT_ONCE } from './faultKind.ts'

/** `kill -9` of each kind of process. */
export const KILL_FAULTS: FaultKind[] = [
  {
    ...OVER_AT_ONCE,
    name: 'kill of the indexer',
    mayRefuse: true,
    async start({ installation: { indexer }, random }) {
      const victim = random.pick(['launcher', 'group'] as const)
      await indexer.kill((process) => process.kill(victim))
      return { detail: victim, end: async () => {} }
    },
  },
  {
    ...OVER_AT_ONCE,
    name: 'kill of an api',
    mayRefuse: true,
    async start({ installation: { apis }, random }) {
      const api = random.pick(apis)
      await api.kill()
      return { detail: api.name, end: async () => {} }
    },
  },
  {
    ...OVER_AT_ONCE,
    name: 'kill of a worker',
    mayRefuse: false,
    async start({ installation: { workers }, random }) {
      const worker = random.pick(workers)
      await worker.kill()
      return { detail: worker.name, end: async () => {} }
    },
  },
  {
    ...OVER_AT_ONCE,
    name: 'kill of Postgres',
    mayRefuse: true,
    async start({ installation: { postgres }, random }) {
      const victim = random.pick(['server', 'backend'] as const)
      if (victim === 'server') await postgres.server.kill()
      else await postgres.killBackend()
      return { detail: victim, end: async () => {} }
    },
  },
]
