import { declareArea } from '../../area.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'user.created': { readonly id: string }
    /** `disabledNow`: the user's tokens must not be accepted any more. */
    'user.updated': { readonly id: string; readonly disabledNow: boolean }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    users: 'user'
  }
}

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
  migrations: {
    ids: ['users/001-users'],
    load: async () => (await import('./migrations.ts')).userMigrations
  },
  load: async () => (await import('./body.ts')).usersBody
})
