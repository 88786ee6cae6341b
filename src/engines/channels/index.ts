import { type Clock, systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Outbound } from '../outbound/index.ts'
import { answerText } from './answer.ts'
import type { ChannelType, ConfigFault, Sent } from './channel-type.ts'
import { Charts } from './charts.ts'
import type { ChannelConfigs, ChannelKind, ChannelTarget } from './configs.ts'
import { bounded, type Message } from './message.ts'
import { secretTexts } from './secrets.ts'

export type { ConfigFault, Sent, SentCode } from './channel-type.ts'
export { CONFIG_SCHEMAS } from './config-schemas.ts'
export { CHANNEL_KINDS, type ChannelConfigs, type ChannelKind, type ChannelTarget } from './configs.ts'
export { bounded, type Message, type MessageAlert } from './message.ts'
export { secretFields, secretPlaces } from './secrets.ts'
export { type TemplateData, templateData } from './templates/data.ts'
export { DEFAULT_TEXT, DEFAULT_TITLE } from './templates/defaults.ts'
export { checkTemplate, type TemplateFault, TemplateProblem } from './templates/parse.ts'
export { render } from './templates/render.ts'

/** Messages to people and systems. Knows nothing of who is told when. */
export interface Channels {
  /** Sends one message to one channel, once, and says what came of it. */
  send(
    channel: ChannelTarget,
    message: Message,
    options: {
      readonly signal: AbortSignal
      /** Printable ASCII; the same whenever the same message is tried again. Receivers are told where they can be. */
      readonly idempotencyKey: string
    }
  ): Promise<Sent>
  /** Ends what draws pictures. What is still sent is sent without. */
  close(): Promise<void>
}

interface ChannelNeeds {
  readonly outbound: Outbound
  readonly log: Pick<Log, 'warn'>
  readonly clock?: Clock
}

export function createChannels({ outbound, log, clock = systemClock }: ChannelNeeds): Channels {
  const charts = new Charts({ clock, log })
  return {
    close: () => charts.close(),
    async send(channel, message, options) {
      const secrets = secretTexts(channel)
      const { config, name = 'millrace' } = channel
      const type = await channelType(channel.type)
      const [fault] = type.check(config)
      if (fault !== undefined) {
        const answer = answerText(`${fault.pointer} ${fault.message}`, secrets)
        return { outcome: 'refused', status: null, answer, code: 'bad_config' }
      }
      return type.send({ config, name, message: bounded(message), ...options, secrets, outbound, clock, charts })
    }
  }
}

/** What is wrong with a configuration that has the form of its schema, as far as can be known without calling. */
export async function checkConfig({ type, config }: ChannelTarget): Promise<ConfigFault[]> {
  return (await channelType(type)).check(config)
}

/** Each is loaded when it is first used. */
const LOADERS: { readonly [K in ChannelKind]: () => Promise<ChannelType<ChannelConfigs[K]>> } = {
  email: async () => (await import('./email/index.ts')).email,
  webhook: async () => (await import('./webhook.ts')).webhook,
  slack: async () => (await import('./slack.ts')).slack,
  teams: async () => (await import('./teams.ts')).teams,
  pagerduty: async () => (await import('./pagerduty.ts')).pagerduty,
  ntfy: async () => (await import('./ntfy.ts')).ntfy,
  telegram: async () => (await import('./telegram.ts')).telegram
}

/** A target has the configuration of its own type, which the compiler can't follow here. */
function channelType(kind: ChannelKind): Promise<ChannelType<ChannelTarget['config']>> {
  return LOADERS[kind]() as Promise<ChannelType<ChannelTarget['config']>>
}
