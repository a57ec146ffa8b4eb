import type { Page } from 'playwright-core'
import type { LocalWorld } from '../../sdk/src/testing/connectLocalWorld.ts'
import type { ScreenshotData } from './makeScreenshotData.ts'

/** How the API answers: as it does, with empty lists, or not at all. */
export const STATES = ['data', 'empty', 'failing'] as const
export type State = (typeof STATES)[number]

export type ScreenshotPage = {
  name: string
  url: string
  states: readonly State[]
  /** Whether nobody is signed in. */
  isPublic?: boolean
  /** Whether very wide windows are pictured too. */
  isWide?: boolean
  /** Brings the page to what is pictured. */
  prepare?: (page: Page) => Promise<void>
}

/** Pages whose state is one resource: they have nothing to be empty of. */
const ONE = ['data', 'failing'] as const

/** Pages that need no id of the running world. */
const OWN_PAGES = [
  'keys',
  'usage',
  'requests',
  'webhooks',
  'events',
  'members',
  'audit',
  'smart-deposits',
  'try',
  'try?journey=transit',
  'try?journey=deposit',
  'try?journey=withdraw',
  'try?journey=take-back',
  'routes',
  'admin/organizations',
  'admin/routes',
  'admin/index',
  'admin/keepers',
  'admin/rehearsal',
  'admin/audit',
]
/** They ask the API for nothing. */
const CONSTANT_PAGES = ['account', 'webhooks/new', 'webhooks/catalogue']
const WIDE = ['keys']

const nameOf = (path: string) => path.replaceAll(/\W/g, '-')

type Given = { world: LocalWorld; data: ScreenshotData; apiUrl: string; organizationId: string }

/** Every page of the console, with the ids of the running world. */
export async function screenshotPages(given: Given): Promise<ScreenshotPage[]> {
  const { world, data, apiUrl, organizationId } = given
  const { transit, earn, smartDeposits } = world.causeway
  const user = world.accounts[0]?.address
  if (!user) throw new Error('the local world has no account')
  const [orders, [vault], deposits] = await Promise.all([
    transit.orders({ userAddress: user }).take(50),
    earn.vaults().take(1),
    smartDeposits.deposits().take(100),
  ])
  const orderIds = new Map(orders.map(({ status, id }) => [status, id]))
  const depositIds = new Map<string, string>(
    deposits.map(({ status, depositId }) => [status, depositId]),
  )
  depositIds.set('CONFIRMED', data.depositId)
  const [deployment] = vault?.deployments ?? []
  const console = `${apiUrl}/console`
  const orderPages = [...orderIds].map(
    ([status, id]): ScreenshotPage => ({
      name: `order-${status.toLowerCase()}`,
      url: `${apiUrl}/orders/${id}`,
      states: ONE,
    }),
  )
  const [firstOrder] = orderPages
  return [
    { name: 'overview', url: console, states: STATES, isWide: true },
    { name: 'orders', url: `${console}/transit?q=${user}`, states: STATES, isWide: true },
    ...orderPages,
    ...(firstOrder ? [{ ...firstOrder, name: 'order-signed-out', isPublic: true }] : []),
    { name: 'vaults', url: `${console}/earn`, states: STATES },
    {
      name: 'vault',
      url: `${console}/earn/${deployment?.chainId}/${deployment?.boringVaultAddress}`,
      states: STATES,
      isWide: true,
    },
    { name: 'address', url: `${console}/users/${user}`, states: STATES },
    ...[...depositIds].map(
      ([status, id]): ScreenshotPage => ({
        name: `smart-deposit-${status.toLowerCase()}`,
        url: `${console}/smart-deposits/${id}`,
        states: ONE,
      }),
    ),
    ...OWN_PAGES.map(
      (path): ScreenshotPage => ({
        name: nameOf(path),
        url: `${console}/${path}`,
        states: STATES,
        isWide: WIDE.includes(path),
      }),
    ),
    ...CONSTANT_PAGES.map(
      (path): ScreenshotPage => ({
        name: nameOf(path),
        url: `${console}/${path}`,
        states: ['data'],
      }),
    ),
    { name: 'webhooks-endpoint', url: `${console}/webhooks/${data.endpointId}`, states: STATES },
    {
      name: 'webhooks-delivery',
      url: `${console}/webhooks/${data.endpointId}`,
      states: ['data'],
      async prepare(page) {
        await page.getByRole('button', { name: data.failedType, exact: true }).first().click()
        await page.getByRole('dialog').locator('.attempts').waitFor()
      },
    },
    {
      name: 'admin-organization',
      url: `${console}/admin/organizations/${organizationId}`,
      states: STATES,
    },
    { name: 'sign-in', url: `${console}/sign-in`, states: ['data'], isPublic: true },
    { name: 'invitation', url: data.invitationUrl, states: ['data'], isPublic: true },
    { name: 'not-found', url: `${console}/nowhere`, states: ['data'] },
  ]
}
