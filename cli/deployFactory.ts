import { runDeployFactory } from './deployFactory/runDeployFactory.ts'

/** Creates the factory of smart deposit addresses at one address on every chain: `npm run deploy-factory -- --help`. */
process.exitCode = await runDeployFactory(process.argv.slice(2), process)
