export { builtInSettings } from './built-in.ts'
export type { ProviderRow } from './migrations.ts'
export type { Storage } from './service.ts'
export { settingsOf } from './settings.ts'
