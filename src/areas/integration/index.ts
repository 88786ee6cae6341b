export { ConfigBody, ConnectionTest } from './schema.ts'
export { type Integration, type PreparedSource, requireObject } from './service.ts'
