export const CHANNEL_KINDS = ['email', 'webhook', 'slack', 'teams', 'pagerduty', 'ntfy', 'telegram'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

export interface EmailConfig {
  readonly host: string
  /** 465 where TLS is implicit, 25 without TLS, else 587, unless given. */
  readonly port?: number
  readonly tls: 'required' | 'opportunistic' | 'none' | 'implicit'
  readonly user?: string
  readonly password?: string
  readonly from: string
  readonly to: readonly string[]
}

export interface WebhookConfig {
  readonly url: string
  readonly secret?: string
  /** The one before, while receivers are being given the new one: messages are signed with both. */
  readonly previousSecret?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The address is the secret. */
export interface SlackConfig {
  readonly url: string
}

/** The address is the secret. */
export interface TeamsConfig {
  readonly url: string
}

export interface PagerdutyConfig {
  readonly routingKey: string
  readonly url?: string
}

export interface NtfyConfig {
  readonly url?: string
  /** Whoever knows it can read along, where the server is open to all. */
  readonly topic: string
  readonly token?: string
}

export interface TelegramConfig {
  readonly token: string
  readonly chatId: string
  readonly url?: string
}

export interface ChannelConfigs {
  readonly email: EmailConfig
  readonly webhook: WebhookConfig
  readonly slack: SlackConfig
  readonly teams: TeamsConfig
  readonly pagerduty: PagerdutyConfig
  readonly ntfy: NtfyConfig
  readonly telegram: TelegramConfig
}

/** A channel with its secrets opened. */
export type ChannelTarget = {
  readonly [K in ChannelKind]: {
    readonly type: K
    /** What people call it; receivers of webhooks are told. */
    readonly name?: string
    readonly config: ChannelConfigs[K]
  }
}[ChannelKind]

export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue'
export const NTFY_URL = 'https://ntfy.sh/'
export const TELEGRAM_URL = 'https://api.telegram.org'

export function smtpPort({ port, tls }: Pick<EmailConfig, 'port' | 'tls'>): number {
  if (port !== undefined) return port
  if (tls === 'implicit') return 465
  return tls === 'none' ? 25 : 587
}
