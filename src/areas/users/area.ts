import { declareArea } from '../../area.ts'
import { userMigrations } from './migrations.ts'

declare module '../../http/permissions.ts' {
  interface Permissions {
    users: 'self' | 'admin'
  }
}

export const users = declareArea({
  name: 'users',
  about: 'Everyone who has called, as their tokens describe them.',
  paths: ['/api/users'],
  permissions: ['users:self', 'users:admin'],
  migrations: userMigrations,
  load: async () => (await import('./body.ts')).usersBody
})
