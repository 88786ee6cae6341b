import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sourceType } from '../../contract/node-type.ts'
import { sourceTypeFaults, sourceTypeFields } from '../../records/column-types.ts'

const WebhookConfig = Config({ ...sourceTypeFields })
export type WebhookConfig = ConfigOf<typeof WebhookConfig>

export const webhook = sourceType<WebhookConfig>({
  type: 'webhook',
  about: 'Takes records from requests to the pipeline; a request is answered once its records are committed.',
  config: WebhookConfig,
  check: sourceTypeFaults,
  references: () => [],
  isBounded: () => false,
  open: async (context) => new (await import('./webhook-source.ts')).WebhookSource(context)
})
