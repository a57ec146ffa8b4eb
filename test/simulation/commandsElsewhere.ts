import type { DocumentedBlock } from '../support/documentedCommand.ts'

/**
 * The blocks of the pages for operators that operatingPages.test.ts does not run, each with what it needs and the test that
 * does what is possible without it. test/docs/operatorCommands.test.ts compares the names in them with the files of `deploy`.
 */
export const ELSEWHERE = [
  { begins: 'docker build', needs: 'Docker', test: 'test/image/image.test.ts' },
  { begins: 'docker compose', needs: 'Docker', test: 'deploy/compose.test.ts' },
  { begins: 'SITE_ADDRESS=', needs: 'Docker', test: 'deploy/compose.test.ts' },
  {
    begins: 'sh deploy/createSecrets.sh',
    needs: 'a folder of its own',
    test: 'deploy/compose.test.ts',
  },
  {
    begins: 'export ADDRESS_BOOK=production.json\nexport RPC_URL_1=https',
    needs: 'public chains',
    test: 'test/simulation/rehearse.test.ts',
  },
  {
    begins: 'ADDRESS_BOOK=production.json npm start -- --fork',
    needs: 'public chains',
    test: 'test/start/parts.test.ts',
  },
  { begins: 'cast rpc', needs: 'Foundry', test: 'test/start/parts.test.ts' },
  {
    begins: '{\n  "operator"',
    needs: 'addresses of public chains',
    test: 'test/cli/deployFactory.test.ts',
  },
  {
    begins: 'RPC_URL_1=https://… RPC_URL_4663=https://… npm run deploy-factory',
    needs: 'public chains',
    test: 'test/cli/deployFactory.test.ts',
  },
  {
    begins: 'npm run deploy-factory',
    needs: 'public chains',
    test: 'test/cli/deployFactoryProposals.test.ts',
  },
  { begins: 'DATABASE_READ_URL=', needs: 'replicas', test: 'test/index/replicas.test.ts' },
  {
    begins: "DATABASE_URL='postgres://causeway_api:…@",
    needs: 'servers that replicate',
    test: 'test/db/failover.test.ts',
  },
  {
    begins: '{\n  "chain_id"',
    needs: 'a provider that screens payers',
    test: 'test/smartDeposit/payerScreening.test.ts',
  },
  {
    begins: '{ "is_allowed"',
    needs: 'a provider that screens payers',
    test: 'test/smartDeposit/payerScreening.test.ts',
  },
  { begins: 'kubectl_admin()', needs: 'a cluster', test: 'test/image/chart.test.ts' },
  { begins: 'kubectl create', needs: 'a cluster', test: 'test/image/chart.test.ts' },
  {
    begins: 'npm run simulate -- drill',
    needs: 'minutes',
    test: 'test/simulation/restoreDrill.test.ts',
  },
  { begins: 'sum by', needs: 'Prometheus', test: 'test/docs/operatorCommands.test.ts' },
  { begins: 'create role', needs: 'a superuser', test: 'test/support/databaseRole.ts' },
]

export function isElsewhere({ text }: DocumentedBlock): boolean {
  return ELSEWHERE.some(({ begins }) => text.startsWith(begins))
}
