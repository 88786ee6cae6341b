import type { Area } from '../../area.ts'
import { userMigrations } from './migrations.ts'

export const users: Area = {
  name: 'users',
  about: 'Everyone who has called, as their tokens describe them.',
  paths: ['/api/users'],
  migrations: userMigrations,
  load: async () => (await import('./body.ts')).usersBody
}
