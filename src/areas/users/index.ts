export { RoleName } from './schema.ts'
export type { Users } from './service.ts'
