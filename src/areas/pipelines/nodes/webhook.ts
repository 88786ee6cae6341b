import { sourceTypeFaults, sourceTypeFields } from './column-types.ts'
import { Config, type ConfigOf } from './config-parts.ts'
import { sourceType } from './node-type.ts'

const WebhookConfig = Config({ ...sourceTypeFields })
export type WebhookConfig = ConfigOf<typeof WebhookConfig>

export const webhook = sourceType<WebhookConfig>({
  type: 'webhook',
  about: 'Takes records from requests to the pipeline; a request is answered once its records are committed.',
  config: WebhookConfig,
  check: sourceTypeFaults,
  isBounded: () => false,
  open: async (context) => new (await import('./webhook-source.ts')).WebhookSource(context)
})
