import { createLogger } from '../processes/logger.ts'
import { startBlockProducer } from './bots/blockProducer.ts'
import { createChainActivity } from './bots/chainActivity.ts'
import { startExecutor } from './bots/executor.ts'
import { startJourneyMaker } from './bots/journeyMaker.ts'
import { startQueueSolver } from './bots/queueSolver.ts'
import { startRateUpdater } from './bots/rateUpdater.ts'
import { startRelayer } from './bots/relayer.ts'
import { worldFromEnvironment } from './worldFromEnvironment.ts'

/**
 * The operators that local nodes lack: block producer, relayer, executor, queue solver, rate updater.
 * Needs ADDRESS_BOOK and RPC_URL_<chainId> of its chains. With API_URL and API_KEY it makes journeys too.
 */
const world = await worldFromEnvironment(process.env)
const logger = createLogger('bots', process.env.LOG_LEVEL || 'info')
const activity = createChainActivity()
startBlockProducer({ world, logger, activity })
startRelayer({ world, logger, activity })
startExecutor({ world, logger, activity })
startQueueSolver({ world, logger, activity })
startRateUpdater({ world, logger })
const { API_URL: apiUrl, API_KEY: apiKey } = process.env
if (apiUrl && apiKey) startJourneyMaker({ world, logger, apiUrl, apiKey })
for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => process.exit(0))
