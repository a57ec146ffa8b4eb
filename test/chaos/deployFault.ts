import { setTimeout as sleep } from 'node:timers/promises'
import { changeProject } from '../support/changedProject.ts'
import { until } from '../support/until.ts'
import type { FaultKind } from './faultKind.ts'
import type { Installation } from './installation.ts'

const FIRST_LINE = 'const { uuid, sourceEID, quote, user } = event.args'
let version = 0

/** A changed version is deployed: its indexer beside the old one until it is served, then apis and workers in turn. */
export const DEPLOY_FAULT: FaultKind = {
  name: 'rolling deploy',
  mayRefuse: true,
  lastsMs: [0, 0],
  missing: null,
  async start({ installation }) {
    version += 1
    const change = `void 'version ${version}'\n  ${FIRST_LINE}`
    const file = 'src/handlers/TransitStation.ts'
    // Deleted with the folder: its indexer may run until the end.
    const project = await changeProject(file, FIRST_LINE, change, installation.folder)
    const before = await servedBuilds(installation)
    const next = await installation.startNextIndexer(project.root)
    return {
      detail: `version ${version}`,
      async end() {
        await until(
          async () => (await servedBuilds(installation)) !== before,
          () => `the next build is not served:\n${next.current().output()}`,
        )
        const { indexer } = installation
        installation.indexer = next
        await indexer.stop()
        for (const service of [...installation.apis, ...installation.workers])
          await service.restart()
      },
    }
  },
}

/** The builds that the views show, as text; the same while the database does not answer. */
async function servedBuilds({ sql }: Installation): Promise<string> {
  for (;;) {
    const rows = await sql<{ builds: string }[]>`
      select string_agg(chain_id || ' ' || build_hash, ', ' order by chain_id) as builds
      from app.index_build where state = 'served'`.catch(() => [])
    const [row] = rows
    if (row) return row.builds
    await sleep(100)
  }
}
