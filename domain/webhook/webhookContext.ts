import type { RequestScope, SharedServices } from '../context.ts'
import type { TargetRules } from './webhookTarget.ts'

export type WebhookServices = SharedServices & {
  /** 32 bytes under which signing secrets are stored. */
  secretsKey: Uint8Array
  webhookTargets: TargetRules
}

export type WebhookContext = WebhookServices & RequestScope
