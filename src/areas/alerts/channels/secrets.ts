import { type ChannelTarget, secretFields } from '../../../engines/channels/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { type Config, openConfig, sealConfig } from '../../../http/sealed-config.ts'
import type { ChannelRow } from '../notifications/migrations.ts'

const contextOf = (id: string) => `alert-channel:${id}/secrets`

/** A channel with its secrets, for whoever sends to it. */
export function openChannel(vault: Vault, row: Pick<ChannelRow, 'id' | 'name' | 'type' | 'config' | 'secrets'>) {
  const config = openConfig(vault, contextOf(row.id), row)
  return { type: row.type, name: row.name, config } as unknown as ChannelTarget
}

/** A configuration as it is kept. */
export function sealedConfig(vault: Vault, id: string, { type, config }: ChannelTarget) {
  return { type, ...sealConfig(vault, contextOf(id), config as unknown as Config, secretFields(type)) }
}
