import { Config } from './config-parts.ts'
import { sourceType } from './node-type.ts'

export const webhook = sourceType<Record<string, never>>({
  type: 'webhook',
  about: 'Takes records from requests to the pipeline; a request is answered once its records are committed.',
  config: Config({}),
  isBounded: () => false,
  open: async (context) => new (await import('./webhook-source.ts')).WebhookSource(context)
})
